// The ledger's rows on a board, as notes in the margin: the claim and its verdict in a line; the rest on opening.

import type { RefObject } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

import type { Claim } from "../documents";
import { BackToStep } from "../shell/BackToStep";
import { capital } from "../state/called";
import { textsOf } from "../state/defined";
import { saysHere } from "../state/modes";
import { hasAside, hasMargin, isNarrow } from "../state/narrow";
import { recordingAt } from "../state/recording";
import { answer, isAsked, pointed, spoken, step, view, whereabouts } from "../state/store";
import { marksOf } from "./pointed";
import { VerdictLine } from "./VerdictLine";
import { counted, inOrder, meaningOf, OUTCOMES, type Outcome, WORDS } from "./verdict";
import { Meanings, Words } from "./Words";

/** So many notes of a board, and of a step, say why they come out so; of others it is a word, but for what fails. */
const MOST_TOLD = { board: 2, step: 1 };

/** As large as there is room for: the column's own size, smaller, and without a head of their own. */
const SIZES = [undefined, "tight", "tight tightest"];

/** All of a board, the worst first, but for the one that is asked for; on the walk those of the step alone, in its order. */
export function Claims({ claims }: { claims: Claim[] }) {
  const now = step.value;
  const sorted = inOrder(claims, whereabouts.value.claim);
  const wanted = now ? sorted.filter(({ id }) => now.claims.includes(id)) : sorted;
  const notes = useRef<HTMLElement>(null);
  const failed = wanted.filter(({ verdict }) => OUTCOMES[verdict] === "fails").length;
  const place = now && hasMargin.value ? `${now.id} ${isAsked.value} ${innerHeight}` : "";
  // Of a step what fails is told, or one claim: the others wait. Where what turns the picture cuts them off they are printed
  // smaller; then all that does not fail waits, and at last those that fail say no more than themselves and a word.
  const [cut, setCut] = useState({ place: "", by: 0 });
  const by = cut.place === place ? cut.by : 0;
  const isAlone = sorted.some(({ id }) => id === whereabouts.value.claim);
  const last = failed ? 3 : 2;
  const room = by > 1 ? 0 : now ? MOST_TOLD.step : isAlone ? 1 : MOST_TOLD.board;
  const told = failed && by === last ? 0 : Math.max(failed, room);
  const beside = useBeside(notes, now || !hasAside.value || isAsked.value ? null : claims);
  const most = now ? Math.max(failed, room) : Math.max(told, beside);
  // What stands above them may come or grow after them; what a reader unfolds there is scrolled to.
  useLayoutEffect(() => {
    const read = notes.current?.closest(".read");
    if (!(place && read && by < last)) return;
    const fit = () => {
      // A question that was just answered still stands where its answer comes, which takes less.
      if (read.querySelector("#asked, .options")) return;
      const isUnfolded = [...read.querySelectorAll("details[open]")].some((one) => !one.contains(notes.current));
      if (!isUnfolded && read.scrollHeight > read.clientHeight + 1) setCut({ place, by: by + 1 });
    };
    fit();
    const sizes = new ResizeObserver(fit);
    for (const one of [read, ...read.children]) sizes.observe(one);
    return () => sizes.disconnect();
  }, [place, claims, by]);
  const worst = wanted.slice(0, most);
  const brief = new Set(wanted.slice(told));
  const ordered = now ? claims.filter((claim) => worst.includes(claim)) : worst;
  const first = [...ordered.filter((claim) => !brief.has(claim)), ...ordered.filter((claim) => brief.has(claim))];
  const others = wanted.slice(worst.length);
  const failing = claims.filter((claim) => OUTCOMES[claim.verdict] === "fails").length;
  useEffect(
    () => () => {
      pointed.value = [];
    },
    [claims],
  );
  // Beside a question no claim gives the answer away.
  if (isAsked.value)
    return (
      <section id="claims" class="later" aria-label="What the lecture says">
        <p>What he says here: after your guess.</p>
      </section>
    );
  return (
    <section id="claims" class={SIZES[by < last ? Math.min(by, 1) : 2]} aria-label="What the lecture says" ref={notes}>
      <h2>
        {now && wanted.length ? saysHere() : "What the lecture says"}
        {!now && failing > 0 && (
          <small>
            {" "}
            {failing} of {claims.length} {failing > 1 ? "do" : "does"} not reproduce
          </small>
        )}
      </h2>
      {/* One that turns brief comes anew: where it is moved at once, Chromium keeps the look that its words had before. */}
      {first.map((claim) => (
        <Note key={`${claim.id} ${brief.has(claim)}`} claim={claim} isBrief={brief.has(claim)} />
      ))}
      {others.length > 0 && (
        <details class={others.length > 1 ? "others" : "others single"}>
          <summary>{now ? waiting(others, first.length > 0) : tallied(others)}</summary>
          {others.map((claim) => (
            <Note key={claim.id} claim={claim} />
          ))}
        </details>
      )}
    </section>
  );
}

/** Of a step how those that wait come out: "1 more: holds", or where none stands open "2 claims: rounded, holds". */
function waiting(claims: readonly Claim[], isMore: boolean): string {
  const { length } = claims;
  const words = claims.map(({ verdict }) => WORDS[OUTCOMES[verdict]]).join(", ");
  return `${length} ${isMore ? "more" : length > 1 ? "claims" : "claim"}: ${words}`;
}

/** Of a board how many there are of each: "9 more: rounded 2, holds 7". */
function tallied(claims: readonly Claim[]): string {
  const counts = Object.entries(counted(claims)).filter(([, count]) => count > 0);
  return `${claims.length} more: ${counts.map(([outcome, count]) => `${WORDS[outcome as Outcome]} ${count}`).join(", ")}`;
}

/** Height of the line that says what waits. */
const WAITING = 44;

/** How many notes stand beside a board's picture, above its foot; of no claims, and until that is known, all. */
function useBeside(notes: RefObject<HTMLElement | null>, claims: Claim[] | null): number {
  const [found, setFound] = useState<{ of: Claim[] | null; count: number }>({ of: null, count: 0 });
  useLayoutEffect(() => {
    const picture = document.getElementById("views");
    const beside = notes.current;
    if (!claims || !picture || !beside) return;
    // Height of the picture for which some were folded: a higher one has room for more.
    let folded = Number.POSITIVE_INFINITY;
    const fit = () => {
      // One that a reader has opened pushes others down, and none away.
      if (beside.querySelector("details[open]:not(.lit)")) return;
      const rows = [...beside.querySelectorAll(":scope > details")].map((row) => row.getBoundingClientRect().bottom);
      const foot = picture.getBoundingClientRect().bottom;
      if ((rows.at(-1) ?? 0) <= foot) {
        if (picture.clientHeight <= folded + 1) return;
        folded = Number.POSITIVE_INFINITY;
        setFound({ of: null, count: 0 });
        return;
      }
      folded = picture.clientHeight;
      setFound({ of: claims, count: rows.filter((bottom) => bottom <= foot - WAITING).length });
    };
    fit();
    const sizes = new ResizeObserver(fit);
    for (const one of [picture, beside]) sizes.observe(one);
    return () => sizes.disconnect();
  }, [claims]);
  return claims && found.of === claims ? found.count : Number.POSITIVE_INFINITY;
}

function Note({ claim, isBrief = false }: { claim: Claim; isBrief?: boolean }) {
  const note = useRef<HTMLDetailsElement>(null);
  const isAsked = whereabouts.value.claim === claim.id;
  const isLit = isAsked || (step.value?.claims.includes(claim.id) ?? false);
  useEffect(() => {
    if (!isAsked || !note.current) return;
    note.current.open = true;
    // Its first lines: all of it can be higher than the page, which then would begin below its formula.
    note.current.querySelector("summary")?.scrollIntoView({ block: "nearest" });
  }, [isAsked]);
  const outcome = OUTCOMES[claim.verdict];
  const point = () => {
    pointed.value = marksOf(claim, answer.value?.views[view.value], answer.value?.modes ?? []);
  };
  const leave = () => {
    pointed.value = [];
  };
  return (
    <details
      class={`claim${isLit ? " lit" : ""}${isBrief ? " brief" : ""}`}
      id={`claim-${claim.id}`}
      ref={note}
      onPointerEnter={point}
      onPointerLeave={leave}
      onFocusIn={point}
      onFocusOut={leave}
    >
      <summary>
        <span class="claimed">
          <Words text={claim.claim} isInside />
        </span>{" "}
        <VerdictLine note={claim.note} of={claim} isBrief={isBrief} />
      </summary>
      <InFull claim={claim} />
      {claim.bridge.length > 1 && <Bridge claim={claim} />}
      <p class="why">
        Claim <b>{claim.id}</b>{" "}
        {claim.time_stamp && (
          <a href={recordingAt(claim.time_stamp)} target="_blank" rel="noopener noreferrer">
            {claim.time_stamp}
          </a>
        )}{" "}
        <span class={`verdict ${outcome}`}>{WORDS[outcome]}</span>: {meaningOf(claim)}.
      </p>
      <details class="whole">
        <summary>Why, how it is said, and what is left open</summary>
        <p class="why">{spoken(claim.why)}</p>
        {claim.lecture_number?.hedge && <p class="why">How it is said: {claim.lecture_number.hedge}.</p>}
        {claim.ambiguities.map(({ number, text }) => (
          <p class="why" key={number}>
            Left open: {text}
          </p>
        ))}
        <Meanings texts={textsOf(claim)} />
      </details>
      {isAsked && isNarrow.value && (
        <p class="why">
          <BackToStep />
        </p>
      )}
    </details>
  );
}

/** Each number in a sentence, with whose it is and what it is of. */
function InFull({ claim }: { claim: Claim }) {
  const { texts, note, lecture, contradicts, ours_lecture_mode, ours_careful, careful_of, contrast } = claim;
  const own = contradicts === "his own inputs" ? "from his own inputs we compute " : "we compute ";
  const of = spoken(contrast || careful_of);
  return (
    <p class="in-full">
      {lecture !== null && (
        <>
          {capital(note.his_by)} <b>{texts.lecture}</b>
          {ours_lecture_mode === null ? ". " : "; "}
        </>
      )}
      {ours_lecture_mode !== null && (
        <>
          {lecture === null ? capital(own) : own}
          <b>{texts.ours_lecture_mode}</b>
          {note.given && ` (${note.given})`}.{" "}
        </>
      )}
      {ours_careful !== null && (
        <>
          {contrast ? `For comparison, ${of}: ` : note.published ? "Sourced: " : "From sourced numbers it is "}
          <b>{texts.ours_careful}</b>
          {of && !contrast && ` (${of})`}.
        </>
      )}
    </p>
  );
}

/** From the lecture's number to the careful one: a bar for each changed assumption. */
function Bridge({ claim: { bridge } }: { claim: Claim }) {
  // What is without bound has no number, and a bar that goes beyond all others.
  const most = Math.max(...bridge.map(({ value }) => value ?? 0)) * (bridge.some(({ value }) => value === null) ? 1.4 : 1);
  return (
    <>
      <p class="why">From his number, one changed assumption after another:</p>
      <ol class="bridge">
        {bridge.map(({ change, value, text }) => (
          <li
            key={change}
            class={value === null ? "endless" : undefined}
            style={{ "--part": Math.max(0, (value ?? most) / most) }}
          >
            {change} <b>{text}</b>
          </li>
        ))}
      </ol>
    </>
  );
}
