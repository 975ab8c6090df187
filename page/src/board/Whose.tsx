// Whose numbers the picture is of: the lecture's, published ones, or both.

import { isOneAtATime } from "../scenes/views";
import type { Whose as Mode } from "../state/address";
import { MODE_MEANINGS, MODE_WORDS } from "../state/modes";
import { isNarrow } from "../state/narrow";
import { answer, go, isHeld, shown, view } from "../state/store";

export function Whose() {
  const found = answer.value;
  const picture = found?.views[view.value];
  // Where both modes are shown one at a time, the picture has a switch of its own.
  const isSwitched = picture !== undefined && isOneAtATime(picture, isNarrow.value) && (found?.modes.length ?? 0) > 1;
  return (
    <fieldset id="modes" hidden={isSwitched} inert={isHeld.value}>
      <legend class="unseen">Whose numbers</legend>
      {(Object.keys(MODE_WORDS) as Mode[]).map((mode) => (
        <label key={mode} data-means={MODE_MEANINGS[mode]}>
          <input
            aria-description={MODE_MEANINGS[mode]}
            type="radio"
            name="mode"
            id={`mode-${mode}`}
            checked={shown.value === mode}
            onChange={() => go({ shown: mode })}
          />
          <span>{MODE_WORDS[mode]}</span>
        </label>
      ))}
    </fieldset>
  );
}
