// What the end of the lecture shows: what a token costs, under a hand; each chapter's question with its answer; how one
// guessed, what to do next, what one sends, and which claims do not reproduce.

import { useRef } from "preact/hooks";

import { png, save } from "../board/files";
import { SourceList } from "../board/Sourced";
import { nextOf } from "../board/score";
import { attempt, copy } from "../board/Take";
import { contradicting, counted, OUTCOMES } from "../board/verdict";
import { Words } from "../board/Words";
import type { Board, LedgerClaim } from "../documents";
import { sentenceOf, sharing } from "../shell/Asked";
import { Cost, FIRST, priceAt, QUESTION, type Read } from "../shell/Cost";
import { PageLink } from "../shell/PageLink";
import { Picture } from "../shell/Shelf";
import { HOME, stepQuery, write } from "../state/address";
import { kept } from "../state/kept";
import { hasMargin } from "../state/narrow";
import {
  address,
  answer,
  board,
  called,
  go,
  ledger,
  openExercise,
  shelf,
  visit,
  visitLedger,
  visitShelf,
  walk,
  walkOn,
  walkTo,
} from "../state/store";
import { Card, whereabouts } from "./Card";
import { farthestOf, isGiven, type Mark, nearestOf, type Score, scoreOf, type Told, toldOf } from "./outcome";

export function Ended() {
  const told = toldOf(walk.value?.steps ?? []);
  return (
    <>
      <div class="outcome">
        <Taken />
        <Chapters />
        <Guesses told={told} />
        <Further told={told} />
        <Sent told={told} />
        <Failing />
        <SourceList />
      </div>
      <p>
        <button type="button" onClick={() => walkOn(-1)}>
          ← Back to the last step
        </button>
      </p>
    </>
  );
}

/** Sequences that share a step at first: his balance batch, of whose step contexts take the most. */
const LAST = 2400;

/** The first view's question, answered; what follows, and the curve to try it on. */
function Taken() {
  const view = board.value?.name === shelf.value?.first ? answer.value?.views[0] : undefined;
  const picture = view?.kind === "curves" ? view.pictures.careful : undefined;
  const balance = ledger.value?.claims.find(({ id }) => id === BALANCE);
  const { at } = kept();
  const left = Math.min(Math.round(at ?? FIRST), Math.floor(picture?.x.at(-1) ?? FIRST));
  return (
    <div class="take">
      {view?.kind === "curves" && picture ? (
        <Cost view={view} picture={picture} first={LAST}>
          {(read) => <Price {...read} at={at} left={left} was={priceAt(view, picture, left)} />}
        </Cost>
      ) : (
        <div class="canvas" />
      )}
      {balance && (
        <small>
          His {balance.note.his} becomes{" "}
          <PageLink to={`?board=${balance.board}&claim=${BALANCE}`} go={() => visit(balance.board, BALANCE)}>
            {balance.note.ours} with {called(shelf.value?.model ?? "")}'s sizes
          </PageLink>
          , {balance.note.given}; the picture takes its machine's own ratio, and contexts.
        </small>
      )}
      <section class="follows" aria-label="What follows">
        {ledger.value?.follows.map((text) => (
          <p key={text}>{text}</p>
        ))}
      </section>
    </div>
  );
}

interface Priced extends Read {
  /** Where the first view's slider was left, if elsewhere than it begins; the batch there, and its price. */
  at: number | null;
  left: number;
  was: string;
}

/** The first view's sentence, said of the batch that is read; and what it comes to where the first view's slider was left. */
function Price({ batch, price, bound, at, left, was }: Priced) {
  const values = answer.value?.controls.careful;
  const home = { ...HOME, model: address.value.model, machine: address.value.machine, at };
  return (
    <section class="priced">
      <h2>{QUESTION}</h2>
      <p class="read-out">
        <b>{price}</b> {board.value && values && sentenceOf(board.value, values, batch)}
        {bound && (
          <small style={{ color: `var(--${bound.colour})` }}>
            <b>{bound.head}:</b> {bound.rest}
          </small>
        )}
      </p>
      <p>
        At{" "}
        <PageLink to={write(home)} go={() => go(home)}>
          {sharing(left)}
        </PageLink>
        , where {at === null ? "the first view begins" : "you left the first view's slider"}, it is {was}.
      </p>
    </section>
  );
}

/** Each chapter's question again, with its answer and the way to the step that gives it. */
function Chapters() {
  const steps = walk.value?.steps ?? [];
  const chapters = shelf.value?.chapters ?? [];
  return (
    <section class="answered">
      <h2>The lecture's {chapters.length} questions, and their answers</h2>
      <ol>
        {chapters.map(({ name, question }) => {
          const place = steps.findIndex((one) => one.chapter === name && one.answer) + 1;
          const closing = steps[place - 1];
          return (
            closing && (
              <li key={name}>
                <PageLink to={stepQuery(place)} go={() => walkTo(place)}>
                  <Picture name={closing.board} />
                  <h3>
                    {question} <small>step {place}</small>
                  </h3>
                </PageLink>
                <p>
                  <Words text={closing.answer} />
                </p>
              </li>
            )
          );
        })}
      </ol>
    </section>
  );
}

/** The claim of the balance batch by his numbers, which the words beside the picture say, and of its model by his ratio. */
const BALANCE = "A12";

const FILE = "ridgeline-lecture.png";
/** At most so many pixels wide. */
const FINE = 1200;

/** What the picture says, in a sentence. */
function cardText({ right, of }: Score): string {
  const claims = shelf.value?.claims ?? [];
  const guessed = of ? ` I guessed ${right} of ${of}.` : "";
  const fails = `${counted(claims).fails} of ${claims.length} claims of Reiner Pope's blackboard lecture do not reproduce.`;
  return `${ledger.value?.heading ?? ""} ${fails}${guessed}`;
}

/** How each question was answered, in the order of the walk: on the page, and where one pastes it. */
const MARKS: Record<Mark, { sign: string; square: string; words: string }> = {
  right: { sign: "✓", square: "🟩", words: "right" },
  near: { sign: "≈", square: "🟨", words: "near enough" },
  off: { sign: "✗", square: "🟥", words: "off" },
  open: { sign: "", square: "⬜", words: "open" },
};

/** A square for each question. */
function squares(told: Told[]): string {
  return told.map(({ mark }) => MARKS[mark].square).join("");
}

/** What one sends on in words: the score is seen at a glance, and who reads it finds the lecture. */
function scoreText(told: Told[]): string {
  return `${cardText(scoreOf(told))}\n${squares(told)}\n${whereabouts(write(HOME))}`;
}

/** The lecture and one's score as a picture, with what sends it. */
function Sent({ told }: { told: Told[] }) {
  const picture = useRef<SVGSVGElement>(null);
  const score = scoreOf(told);
  const drawn = () => {
    const { current } = picture;
    // A phone's is as fine as a large one.
    if (current) return png(current, Math.floor(FINE / current.width.baseVal.value));
    return Promise.reject(new Error("There is no picture yet"));
  };
  const acts: Record<string, () => void | Promise<void>> = {
    "Save the picture": async () => save(await drawn(), FILE),
    ...(score.of > 0 && { "Copy my score": () => copy(scoreText(told)) }),
    ...("share" in navigator && { "Share…": async () => share(await drawn(), cardText(score)) }),
  };
  return (
    <section class="sent" aria-label="A picture to send">
      <Card score={score} text={cardText(score)} picture={picture} />
      <div class="row">
        {Object.entries(acts).map(([name, act], which) => (
          <button key={name} type="button" class={which ? "" : "main"} onClick={() => void attempt(act)}>
            {name}
          </button>
        ))}
      </div>
    </section>
  );
}

/** With the picture where that can be sent; who thinks better of it has done nothing wrong. */
async function share(blob: Blob, text: string): Promise<void> {
  const files = [new File([blob], FILE, { type: blob.type })];
  const words = { title: "Ridgeline: the blackboard", text, url: write(HOME) };
  try {
    await navigator.share(navigator.canShare?.({ files }) ? { ...words, files } : words);
  } catch (error) {
    if (!(error instanceof DOMException && error.name === "AbortError")) throw error;
  }
}

/** How the questions were answered, and how near the guesses came. */
function Guesses({ told }: { told: Told[] }) {
  const given = told.filter(isGiven);
  const first = told.find((one) => !isGiven(one));
  const { right } = scoreOf(given);
  const nearest = nearestOf(given);
  return (
    <section>
      <h2>What you guessed</h2>
      {given.length > 0 && (
        <p>
          <b class="large">
            {right} of {given.length}
          </b>{" "}
          right or near enough
          {nearest && (
            <>
              . Your best was{" "}
              <PageLink to={stepQuery(nearest.place)} go={() => walkTo(nearest.place)}>
                step {nearest.place}
              </PageLink>
              : {nearest.words}
            </>
          )}
          .
        </p>
      )}
      {given.length > 0 && <Row told={told} />}
      {first && (
        <p>
          {given.length
            ? `${told.length - given.length} of ${told.length} questions are still open: `
            : `No guesses yet. ${told.length} steps ask for one before they show the answer: `}
          <PageLink to={stepQuery(first.place)} go={() => walkTo(first.place)}>
            {given.length ? "the next one" : `step ${first.place} is the first`}
          </PageLink>
          .
        </p>
      )}
    </section>
  );
}

/** All questions in a row, each a way to its step; the marks that are in it are explained below it. */
function Row({ told }: { told: Told[] }) {
  return (
    <div class="row-of-marks">
      <ul aria-label="All questions" style={{ "--all": told.length }}>
        {told.map(({ place, mark, words }) => {
          const says = `Step ${place}: ${[MARKS[mark].words, words].filter(Boolean).join(", ")}`;
          return (
            <li key={place}>
              <PageLink to={stepQuery(place)} go={() => walkTo(place)} class={mark} aria-label={says} title={says}>
                <b>{MARKS[mark].sign}</b>
                {place}
              </PageLink>
            </li>
          );
        })}
      </ul>
      <p aria-hidden="true">
        {(Object.keys(MARKS) as Mark[]).map((mark) => {
          const many = told.filter((one) => one.mark === mark).length;
          return (
            many > 0 && (
              <span key={mark} class={mark}>
                <b>{MARKS[mark].sign}</b> {MARKS[mark].words} {many}
              </span>
            )
          );
        })}
      </p>
    </div>
  );
}

/** What does not reproduce: first what changes a decision, the others folded where there is no room for them. */
function Failing() {
  const { claims = [], decisive = [] } = ledger.value ?? {};
  const failing = claims.filter(({ verdict }) => OUTCOMES[verdict] === "fails");
  const first = decisive.flatMap((id) => failing.find((one) => one.id === id) ?? []);
  const others = failing.filter((one) => !first.includes(one));
  return (
    <section class="disproved">
      <h2>What does not reproduce</h2>
      <p>
        Of{" "}
        <PageLink to="?claims=all" go={() => visitLedger("all")}>
          {claims.length} claims
        </PageLink>
        ,{" "}
        <PageLink to="?claims=fails" go={() => visitLedger("fails")}>
          {failing.length} do not reproduce
        </PageLink>
        : {contradicting(failing)}. {first.length} of the corrections change a decision:
      </p>
      <ul>{first.map(corrected)}</ul>
      <details open={hasMargin.value}>
        <summary>The other {others.length}</summary>
        <ul>{others.map(corrected)}</ul>
      </details>
    </section>
  );
}

function corrected({ id, board, claim, correction }: LedgerClaim) {
  return (
    <li key={id}>
      <PageLink to={`?board=${board}&claim=${id}`} go={() => visit(board, id)}>
        {correction}
      </PageLink>{" "}
      <small>The claim: {claim}</small>
    </li>
  );
}

/** Tokens of an answer, and the longest mean time for each, that are asked of a server. */
const OUTPUT = 1000;
const TPOT_MS = 50;

/** What plans a server of the picture's model in a terminal: contexts are as long as there, on average over an answer. */
function plannedFor({ model, machine }: Board, context: number): string {
  const prompt = Math.max(1, Math.round(context - OUTPUT / 2));
  return `ridgeline plan ${model} --on ${machine} --prompt ${prompt} --output ${OUTPUT} --tpot ${TPOT_MS}ms`;
}

/** Where to go from here. */
function Further({ told }: { told: Told[] }) {
  const next = nextOf("", shelf.value?.chapters ?? []);
  const exercises = shelf.value?.chapters.reduce((sum, one) => sum + one.exercises.length, 0) ?? 0;
  const boards = shelf.value?.boards.length ?? 0;
  const off = farthestOf(told);
  const context = answer.value?.controls.careful?.context_tokens;
  const planned = board.value && context && plannedFor(board.value, context);
  return (
    <section class="further">
      <h2>What to do next</h2>
      <div class="row">
        <button type="button" class="main" onClick={visitShelf}>
          Open the {boards} boards
        </button>
        <button type="button" onClick={() => void attempt(() => copy(write(address.value)))}>
          Copy a link to this page
        </button>
        {planned && (
          <button type="button" onClick={() => void attempt(() => copy(planned))} title={planned}>
            Copy the command line
          </button>
        )}
      </div>
      <ul>
        {off && (
          <li>
            <PageLink to={stepQuery(off.place)} go={() => walkTo(off.place)}>
              Look again at step {off.place}
            </PageLink>
            , your guess farthest off: {off.words}.
          </li>
        )}
        <li>
          <PageLink to="./" go={() => go(HOME)}>
            Price a token of another model
          </PageLink>{" "}
          on another machine, at your own batch and contexts.
        </li>
        {planned && (
          <li>
            The command line plans a server: contexts of {context.toLocaleString("en-US")} tokens, as in the picture; answers of{" "}
            {OUTPUT.toLocaleString("en-US")}, a token every {TPOT_MS} ms.
          </li>
        )}
        {next && (
          <li>
            <PageLink
              to={`?board=${next.exercise.board}&exercise=${next.exercise.exercise}`}
              go={() => openExercise(next.exercise.exercise, next.exercise.board)}
            >
              Work it out yourself
            </PageLink>
            : {exercises} exercises wait, each on its board.
          </li>
        )}
        <li>
          <PageLink to="?board=cost" go={() => visit("cost")}>
            Drop your own config.json on the cost board
          </PageLink>{" "}
          and see what its tokens cost.
        </li>
      </ul>
    </section>
  );
}
