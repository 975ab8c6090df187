// A step of the walk: what he argues, a question before the curve appears, the way on.

import { useEffect } from "preact/hooks";

import { OUTCOMES } from "../board/verdict";
import type { Step } from "../documents";
import { PageLink } from "../shell/PageLink";
import { kept } from "../state/kept";
import { address, go, isRevealed, ledger, shelf, step, visit, walk, walkOn } from "../state/store";
import { guess } from "./guess";

/** Where arrow keys mean something else than the next step. */
const TAKES_ARROWS = "input, select, textarea, button, summary, [role=tab], [role=img], .canvas";

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
    guess.value = null;
  }, [place]);
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
          <button type="button" class="main" onClick={() => walkOn(1)}>
            Next →
          </button>
        ) : (
          <button
            type="button"
            class="main"
            onClick={() => go({ step: 0, board: now.board, turned: {}, shown: null, view: null })}
          >
            Play on
          </button>
        )}
      </div>
    </nav>
  );
}

/** What came of the walk: how one guessed, and the claims that do not hold. */
function Ending() {
  const asked = (walk.value?.steps ?? []).flatMap(({ question }, which) => (question ? [`step-${which + 1}`] : []));
  const { answers } = kept();
  const given = asked.filter((id) => id in answers).length;
  const right = asked.filter((id) => answers[id]).length;
  const failing = ledger.value?.claims.filter(({ verdict }) => OUTCOMES[verdict] === "fails") ?? [];
  return (
    <p class="ask">
      That is the whole lecture. {given > 0 && `You guessed ${right} of ${asked.length} right. `}Of its claims, these do not
      reproduce:
      {failing.map(({ id, board, claim }) => (
        <>
          {" "}
          <PageLink to={`?board=${board}&claim=${id}`} go={() => visit(board, id)} title={claim}>
            {id}
          </PageLink>
        </>
      ))}
      .
    </p>
  );
}

function Question({ step: { question } }: { step: Step }) {
  if (!question) return null;
  const found = guess.value;
  if (!isRevealed.value)
    return (
      <p class="ask">
        <b>Your guess:</b> {question.prompt}{" "}
        <button
          type="button"
          onClick={() => {
            isRevealed.value = true;
          }}
        >
          Show it
        </button>
      </p>
    );
  return (
    <p class={`ask ${found ? (found.isRight ? "right" : "wrong") : ""}`} aria-live="polite">
      {found && <b>{`${found.isRight ? "✓" : "✗"} ${found.text}. `}</b>}
      {question.reveal}
    </p>
  );
}
