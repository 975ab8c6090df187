// On a phone: of all controls one lies under the thumb; a letter, which says its number, takes another.

import { useEffect, useRef } from "preact/hooks";

import type { Control } from "../documents";
import { useEdges } from "../shell/edges";
import { whyFilledIn } from "../state/modes";
import { format } from "../state/quantity";
import { address, answer } from "../state/store";
import { Tex } from "./tex";

interface Taken {
  controls: Control[];
  /** Name of the one under the thumb. */
  taken: string;
  take: (name: string) => void;
}

export function Chips({ controls, taken, take }: Taken) {
  const row = useRef<HTMLDivElement>(null);
  useEdges(row);
  // Where all are wider than the screen, the chosen one is brought into sight.
  useEffect(() => {
    const chip = row.current?.querySelector<HTMLElement>("[aria-pressed=true]");
    if (row.current && chip) row.current.scrollLeft = chip.offsetLeft - (row.current.clientWidth - chip.offsetWidth) / 2;
  }, [taken]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: buttons are no set of fields
    <div class="chips" role="group" aria-label="Which control the slider turns" ref={row}>
      {controls.map((control) => (
        <button
          key={control.name}
          type="button"
          class={control.name in address.value.turned ? "turned" : ""}
          aria-pressed={control.name === taken}
          onClick={() => take(control.name)}
        >
          {control.tex && (
            <span aria-hidden="true">
              <Tex tex={control.tex} />
            </span>
          )}
          {/* Read out whole, and seen where no letter stands for it, as short as its knob has it. */}
          <span class="unseen">{control.label}</span>
          {(!control.tex || control.name === taken) && (
            <span class="short" aria-hidden="true">
              {control.short}
            </span>
          )}
          {control.name !== taken && <Standing control={control} />}
        </button>
      ))}
    </div>
  );
}

/** Of both modes the careful one's, as its slider has it. */
function Standing({ control }: { control: Control }) {
  const mode = answer.value?.modes.at(-1);
  const value = mode && answer.value?.controls[mode]?.[control.name];
  if (value === undefined) return null;
  return (
    <span aria-hidden="true" class={whyFilledIn(control, mode) === null ? "stands" : "stands filled-in"}>
      {format(value, control.dimension)}
    </span>
  );
}
