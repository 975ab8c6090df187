// A step of the walk: what he argues, a question before the curve appears, the way on.

import { useEffect } from "preact/hooks";

import type { Step } from "../documents";
import { address, go, isRevealed, shelf, step, walk, walkTo } from "../state/store";
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
      const here = address.value.step; // keys may come faster than what they lead to is drawn
      if (key === "ArrowRight" && here < steps.length) walkTo(here + 1);
      if (key === "ArrowLeft" && here > 1) walkTo(here - 1);
    };
    addEventListener("keydown", walked);
    return () => removeEventListener("keydown", walked);
  }, [steps.length]);
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
        <button type="button" disabled={place <= 1} onClick={() => walkTo(place - 1)}>
          ← Back
        </button>
        <progress max={steps.length} value={place} aria-label={`Step ${place} of ${steps.length}`} />
        <span class="count">
          {place} of {steps.length}
        </span>
        {place < steps.length ? (
          <button type="button" class="main" onClick={() => walkTo(place + 1)}>
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
