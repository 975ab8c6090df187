// Where one is on the walk, and the way on: by buttons, arrow keys and wipes.

import { hasMouse } from "../state/narrow";
import { recordingAt } from "../state/recording";
import { address, shelf, step, walk, walkOn } from "../state/store";
import { isOpening } from "./Told";
import { useTurning } from "./turning";

/** Always in the same place. */
export function WalkPanel() {
  const now = step.value;
  const place = address.value.step;
  const steps = walk.value?.steps ?? [];
  useTurning("board", now !== null);
  if (!now) return null;
  const chapter = shelf.value?.chapters.findIndex(({ name }) => name === now.chapter) ?? 0;
  // Where a chapter begins its name is larger, and there is room to say what else leads on.
  const hasHint = isOpening(now) && hasMouse.value;
  return (
    <nav id="walk" aria-label="The lecture, step by step">
      <p class="where">
        <a href={recordingAt(now.time_stamp)} target="_blank" rel="noopener noreferrer">
          {now.time_stamp} <span>in the recording</span>
        </a>
        <span>
          <i> · </i>
          {hasHint && "arrow keys go on and back"}
          <span class={hasHint ? "unseen" : ""}>
            Chapter {chapter + 1}: {shelf.value?.chapters[chapter]?.title}
          </span>
        </span>
      </p>
      <div class="steps">
        <button type="button" disabled={place <= 1} onClick={() => walkOn(-1)}>
          ← <span>Back</span>
        </button>
        <progress max={steps.length} value={place} aria-label={`Step ${place} of ${steps.length}`} />
        <span class="count">
          {place} of {steps.length}
        </span>
        <button type="button" class="main" id="next" onClick={() => walkOn(1)}>
          <span>{place < steps.length ? "Next" : "The end"}</span> →
        </button>
      </div>
    </nav>
  );
}
