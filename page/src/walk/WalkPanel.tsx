// A step of the walk: what he argues, a question before the curve appears, the way on.

import { useEffect } from "preact/hooks";

import { nextOf } from "../board/score";
import { counted } from "../board/verdict";
import type { Step } from "../documents";
import { PageLink } from "../shell/PageLink";
import { kept } from "../state/kept";
import { address, go, isRevealed, ledger, openExercise, shelf, step, visitLedger, walk, walkOn } from "../state/store";
import { given, giveUp, guessAgain } from "./guess";

/** Where arrow keys mean something else than the next step. */
const TAKES_ARROWS = "input, select, textarea, summary, [role=tab], [role=img], .canvas";

/** The sentence and its question. */
export function Told() {
  const now = step.value;
  if (!now) return null;
  return (
    <section id="told" aria-label="What he argues" aria-live="polite">
      <p class="sentence">{now.sentence}</p>
      <Question step={now} />
      {address.value.step === walk.value?.steps.length && <Ending />}
    </section>
  );
}

/** Where one is on the walk, and the way on: always in the same place. */
export function WalkPanel() {
  const now = step.value;
  const place = address.value.step;
  const steps = walk.value?.steps ?? [];
  useEffect(() => {
    const walked = ({ key, target }: KeyboardEvent) => {
      if (target instanceof Element && target.closest(TAKES_ARROWS)) return;
      if (key === "ArrowRight") walkOn(1);
      if (key === "ArrowLeft") walkOn(-1);
    };
    addEventListener("keydown", walked);
    return () => removeEventListener("keydown", walked);
  }, []);
  if (!now) return null;
  const chapter = shelf.value?.chapters.findIndex(({ name }) => name === now.chapter) ?? 0;
  return (
    <nav id="walk" aria-label="The lecture, step by step">
      <p class="where">
        <a href={now.link} target="_blank" rel="noopener noreferrer">
          {now.time_stamp} in the recording
        </a>{" "}
        · Chapter {chapter + 1}: {shelf.value?.chapters[chapter]?.title}
      </p>
      <div class="steps">
        <button type="button" disabled={place <= 1} onClick={() => walkOn(-1)}>
          ← Back
        </button>
        <progress max={steps.length} value={place} aria-label={`Step ${place} of ${steps.length}`} />
        <span class="count">
          {place} of {steps.length}
        </span>
        {place < steps.length ? (
          <button type="button" class="main" id="next" onClick={() => walkOn(1)}>
            Next →
          </button>
        ) : (
          <button
            type="button"
            class="main"
            id="next"
            onClick={() => go({ step: 0, board: now.board, turned: {}, shown: null, view: null })}
          >
            Play on
          </button>
        )}
      </div>
    </nav>
  );
}

/** What came of the walk: how one guessed, and how many claims do not hold. */
function Ending() {
  const asked = (walk.value?.steps ?? []).flatMap(({ id, question }) => (question ? [id] : []));
  const { answers } = kept();
  const given = asked.filter((id) => id in answers).length;
  const right = asked.filter((id) => answers[id]).length;
  const next = nextOf("", shelf.value?.chapters ?? []);
  const claims = ledger.value?.claims ?? [];
  return (
    <p class="ask">
      That is the whole lecture. {given > 0 && `You guessed ${right} of ${asked.length} right. `}Of its{" "}
      <PageLink to="?claims=all" go={() => visitLedger("all")}>
        {claims.length} claims
      </PageLink>
      ,{" "}
      <PageLink to="?claims=fails" go={() => visitLedger("fails")}>
        {counted(claims).fails} do not reproduce
      </PageLink>
      .{" "}
      {next && (
        <PageLink
          to={`?board=${next.exercise.board}&exercise=${next.exercise.exercise}`}
          go={() => openExercise(next.exercise.exercise, next.exercise.board)}
        >
          Now work it out yourself
        </PageLink>
      )}
    </p>
  );
}

function Question({ step: { question } }: { step: Step }) {
  if (!question) return null;
  const found = given.value;
  const isOpen = !isRevealed.value;
  const state = found && !isOpen ? (found.isRight ? "right" : "wrong") : "";
  return (
    <div class={`ask ${state}`} aria-live="polite">
      {isOpen ? (
        <p>
          <b>Your guess:</b> {question.prompt}{" "}
          <button type="button" onClick={giveUp}>
            Show it
          </button>
          <span class="unseen">With keys: arrows on the picture move a dot, Enter gives it.</span>
        </p>
      ) : (
        <p>
          {found && <b>{`${found.isRight ? "✓" : "✗"} ${found.isBefore ? "Last time: " : ""}${found.text}. `}</b>}
          {question.reveal}{" "}
          <button type="button" onClick={guessAgain}>
            {found ? "Guess again" : "Guess"}
          </button>
        </p>
      )}
      {/* Room for the longer of both, so that the picture below stays where it is. */}
      <p class="room" aria-hidden="true">
        <b>Your guess: </b>
        {question.prompt}{" "}
        <button type="button" disabled>
          Show it
        </button>
      </p>
      <p class="room" aria-hidden="true">
        <b>✗ 100 % too high, enough. </b>
        {question.reveal}{" "}
        <button type="button" disabled>
          Guess again
        </button>
      </p>
    </div>
  );
}
