// The numbers of a formula's letters, small above and below them: of all that can be dragged while a hand or a key is at the
// formula, of one while its slider is. On the walk the legend below has them, and points them out. Keys stop here, too: KaTeX
// hides its own letters from whoever does not see them.

import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

import { apart } from "../chart/apart";
import { type Measure, measureIn } from "../chart/measure";
import { at } from "../chart/numbers";
import type { Control } from "../documents";
import { format } from "../state/quantity";
import { answer, held, lettered, step, view } from "../state/store";
import { KEY, partOf, STEPS } from "./knob";
import { nudge } from "./nudge";

/** In pixels: of the numbers, and between two of them. */
const SIZE = 12;
const GAP = 8;
const HEIGHT = 14;

interface Letters {
  /** Of the formula. */
  place: RefObject<HTMLElement | null>;
  controls: Control[];
  /** Whether a hand is at the formula. */
  isNear: boolean;
}

interface Spot {
  control: Control;
  text: string;
  colour: string | undefined;
  /** Of its middle, and of its upper edge, in the formula. */
  x: number;
  y: number;
  /** Of the letter itself, over which it lies where the legend says the number. */
  size?: { width: string; height: string };
}

export function Letters({ place, controls, isNear }: Letters) {
  const [spots, lay] = useState<Spot[]>([]);
  const [isAtKeys, takeKeys] = useState(false);
  const [stop, stopAt] = useState("");
  const isShown = isNear || isAtKeys;
  useLayoutEffect(() => {
    if (place.current) lay(spotsOf(place.current, controls, isShown));
  }, [controls, answer.value, step.value, isShown, held.value, view.value]);
  const focused = spots.find(({ control }) => control.name === stop) ?? spots[0];
  const typed = (event: KeyboardEvent, which: number) => {
    const { control } = at(spots, which);
    const way = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    const to = { ArrowRight: which + 1, ArrowLeft: which - 1 }[event.key];
    const value = standing(control) ?? null;
    if (way && value !== null) nudge(control, value, way * (event.shiftKey ? KEY.shift : KEY.plain));
    else if (to === undefined) return;
    else (event.currentTarget as Element).parentElement?.querySelectorAll<HTMLElement>("span")[to]?.focus();
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: letters are no set of fields
    <div
      class={`numbers ${step.value ? "elsewhere" : isShown ? "shown" : ""}`}
      role="group"
      aria-label="Letters of the formula: left and right go from one to the next, up and down turn it"
      onFocusIn={() => takeKeys(true)}
      onFocusOut={() => takeKeys(false)}
    >
      {spots.map(({ control, text, colour, x, y, size }, which) => (
        <span
          key={control.name}
          role="slider"
          aria-orientation="vertical"
          aria-label={control.label}
          aria-valuemin={0}
          aria-valuemax={STEPS}
          aria-valuenow={Math.round(partOf(control, standing(control) ?? control.low) * STEPS)}
          aria-valuetext={text}
          tabIndex={control === focused?.control ? 0 : -1}
          class={held.value === control.name ? "held" : ""}
          data-colour={colour}
          style={{ left: `${x}px`, top: `${y}px`, ...size }}
          onFocus={() => {
            stopAt(control.name);
            lettered.value = control.name;
          }}
          onBlur={() => {
            lettered.value = "";
          }}
          onKeyDown={(event) => typed(event, which)}
        >
          {text}
        </span>
      ))}
    </div>
  );
}

/** Where it stands in the mode that sliders show. */
function standing({ name }: Control): number | null | undefined {
  return answer.value?.controls[answer.value.modes.at(-1) ?? "lecture"]?.[name];
}

/** Of each letter the first that stands there: above what lies over a fraction's line, below all others. */
function spotsOf(place: HTMLElement, controls: readonly Control[], isShown: boolean): Spot[] {
  const measure = measureIn(place);
  const of = place.getBoundingClientRect();
  const rows = new Map<string, Spot[]>();
  for (const control of controls) {
    const all = [...place.querySelectorAll(`.terms [data-control="${control.name}"]`)];
    const letter = all.find((one) => !one.closest(".later"));
    const equation = letter?.closest(".together");
    const value = standing(control);
    if (!letter || !equation || value === undefined || value === null) continue;
    const [box, line] = [letter.getBoundingClientRect(), equation.getBoundingClientRect()];
    const colour = letter.closest<HTMLElement>("[data-colour]")?.dataset["colour"];
    const [text, x] = [format(value, control.dimension), (box.left + box.right) / 2 - of.left];
    if (step.value) {
      const size = { width: `${box.width}px`, height: `${box.height}px` };
      rows.set(control.name, [{ control, text, colour, x, y: box.top - of.top, size }]);
      continue;
    }
    const isOver = box.bottom < (line.top + line.bottom) / 2;
    const key = `${line.top} ${isOver}`;
    const y = isOver ? box.top - HEIGHT - of.top : box.bottom - of.top;
    const spot = { control, text, colour, x, y };
    rows.set(key, [...(rows.get(key) ?? []), spot]);
  }
  if (step.value) return [...rows.values()].flat();
  return [...rows].flatMap(([key, row]) => inARow(row, key.endsWith("true"), isShown ? of.width : null, measure));
}

/** On one line, none over another; without a width (one alone is seen) each at its letter, whatever the others say. */
function inARow(row: readonly Spot[], isOver: boolean, width: number | null, measure: Measure): Spot[] {
  const y = isOver ? Math.min(...row.map((spot) => spot.y)) : Math.max(...row.map((spot) => spot.y));
  const sorted = [...row].sort((one, other) => one.x - other.x);
  if (width === null) return sorted.map((spot) => ({ ...spot, y }));
  const halves = sorted.map(({ text }) => measure(text, SIZE) / 2);
  const found = apart(
    sorted.map(({ x }) => x),
    halves,
    halves.map((half) => width - half),
    (one, other) => at(halves, one) + at(halves, other) + GAP,
  );
  return sorted.map((spot, which) => ({ ...spot, x: found?.[which] ?? spot.x, y }));
}
