// Whose numbers the picture is of: the lecture's, sourced ones, or both where it has room for both.

import type { Board } from "../documents";
import { oneOf } from "../scenes/single";
import { isOneAtATime } from "../scenes/views";
import type { Whose as Mode } from "../state/address";
import { choice, MODE_WORDS, MODES, meaning } from "../state/modes";
import { isNarrow } from "../state/narrow";
import { answer, go, isHeld, picked, shown, step, view } from "../state/store";

/** Whether the picture shows one mode at a time. */
function isInTurn(): boolean {
  const picture = answer.value?.views[view.value];
  return picture !== undefined && isOneAtATime(picture, isNarrow.value);
}

/** A picture that fills its frame shows one set of numbers at a time: both are not offered of it. */
function isOffered(mode: Mode): boolean {
  return mode !== "both" || !isInTurn();
}

/** Whether it chooses between two modes of the answer, which the picture has no room to show together. */
export function isAmongAnswered(): boolean {
  return isInTurn() && (answer.value?.modes.length ?? 0) > 1;
}

/** Whether there is nothing to choose: by either numbers the step says and draws the same. */
function isAlike(): boolean {
  return Boolean(step.value?.is_alike) && view.value === step.value?.view;
}

export function Whose({ board }: { board: Board }) {
  if (isAlike()) return null;
  const among = isAmongAnswered() ? answer.value?.modes : undefined;
  const chosen: Mode | undefined = among ? oneOf(among) : shown.value;
  const choose = (mode: Mode) => {
    if (!among) go({ shown: mode });
    else if (mode !== "both") picked.value = mode;
  };
  return (
    <fieldset id="modes" inert={isHeld.value}>
      <legend class="unseen">Whose numbers</legend>
      {MODES.filter(isOffered).map((mode) => {
        const means = meaning(mode, board);
        return (
          <label key={mode} class={chosen === mode ? "chosen" : ""} data-means={means}>
            <input
              aria-description={means}
              type="radio"
              name="mode"
              id={`mode-${mode}`}
              checked={chosen === mode}
              onChange={() => choose(mode)}
            />
            {/* On a phone's step what they are of stands below the picture. */}
            <span>{step.value && isNarrow.value ? MODE_WORDS[mode] : choice(mode, board, step.value !== null)}</span>
          </label>
        );
      })}
    </fieldset>
  );
}
