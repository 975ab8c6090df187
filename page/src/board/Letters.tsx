// The numbers of a formula's letters, small above and below them: of all that can be dragged while a hand or a key is at the
// formula, of one while its slider is. On the walk the legend below has them, and points them out. Keys stop here, too: KaTeX
// hides its own letters from whoever does not see them.

import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

import { apart } from "../chart/apart";
import { measure } from "../chart/measure";
import { at } from "../chart/numbers";
import type { Control } from "../documents";
import { format } from "../state/quantity";
import { answer, held, isFixed, lettered, step, view } from "../state/store";
import { KEY, partOf, STEPS } from "./knob";
import { nudge } from "./nudge";
import { ranged } from "./ranged";

/** In pixels: of the numbers, and between two of them. */
const SIZE = 12;
const GAP = 8;
const HEIGHT = 14;

interface Letters {
  /** Of the formula. */
  place: RefObject<HTMLElement | null>;
  controls: Control[];
  /** How many of its terms the walk has come to. */
  terms: number;
  /** Whether a hand is at the formula. */
  isNear: boolean;
}

/** Where a letter stands in the formula, which no number moves. */
interface Stand {
  control: Control;
  colour: string | undefined;
  /** Its middle, and its upper and lower edge, in the formula. */
  x: number;
  top: number;
  bottom: number;
  width: number;
  /** Its equation's place, and whether it lies over a fraction's line there. */
  row: string;
  isOver: boolean;
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

interface Laid {
  stands: Stand[];
  width: number;
}

export function Letters({ place, controls, terms, isNear }: Letters) {
  const [laid, lay] = useState<Laid>({ stands: [], width: 0 });
  const [isAtKeys, takeKeys] = useState(false);
  const [stop, stopAt] = useState("");
  const isShown = isNear || isAtKeys;
  // No number moves a letter. Where they are is asked once all is laid out, in the size to which the formula is fitted.
  useLayoutEffect(() => {
    const here = place.current;
    if (!here) return;
    const watch = new ResizeObserver(() => lay(standing(here, controls)));
    for (const one of [here, ...here.querySelectorAll(".together > span")]) watch.observe(one);
    return () => watch.disconnect();
  }, [controls, terms, step.value, isShown, view.value]);
  const spots = spotsOf(laid, isShown);
  const focused = spots.find(({ control }) => control.name === stop) ?? spots[0];
  const typed = (event: KeyboardEvent, which: number) => {
    const { control } = at(spots, which);
    const way = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    const to = { ArrowRight: which + 1, ArrowLeft: which - 1 }[event.key];
    const value = numberOf(control) ?? null;
    if (way && value !== null) nudge(ranged(control), value, way * (event.shiftKey ? KEY.shift : KEY.plain));
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
          aria-valuenow={Math.round(partOf(ranged(control), numberOf(control) ?? control.low) * STEPS)}
          aria-valuetext={text}
          // What cannot be turned yet is no stop on the way of keys.
          aria-disabled={isFixed.value}
          tabIndex={!isFixed.value && control === focused?.control ? 0 : -1}
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
function numberOf({ name }: Control): number | null | undefined {
  return answer.value?.controls[answer.value.modes.at(-1) ?? "lecture"]?.[name];
}

/** Of each control the first letter that stands for it. */
function standing(place: HTMLElement, controls: readonly Control[]): Laid {
  const of = place.getBoundingClientRect();
  const stands = controls.flatMap((control): Stand[] => {
    const all = [...place.querySelectorAll(`.terms [data-control="${control.name}"]`)];
    const letter = all.find((one) => !one.closest(".later, .awaited"));
    const equation = letter?.closest(".together");
    if (!letter || !equation) return [];
    const [box, line] = [letter.getBoundingClientRect(), equation.getBoundingClientRect()];
    const isOver = box.bottom < (line.top + line.bottom) / 2;
    const colour = letter.closest<HTMLElement>("[data-colour]")?.dataset["colour"];
    const x = (box.left + box.right) / 2 - of.left;
    const [top, bottom] = [box.top - of.top, box.bottom - of.top];
    return [{ control, colour, x, top, bottom, width: box.width, row: `${line.top} ${isOver}`, isOver }];
  });
  return { stands, width: of.width };
}

/** Of each letter its number: above what lies over a fraction's line, below all others. */
function spotsOf({ stands, width }: Laid, isShown: boolean): Spot[] {
  const rows = new Map<string, { isOver: boolean; row: Spot[] }>();
  const all = stands.flatMap((one) => {
    const value = numberOf(one.control);
    return value === undefined || value === null ? [] : [{ ...one, text: format(value, one.control.dimension) }];
  });
  if (step.value)
    return all.map(({ control, text, colour, x, top, bottom, width }) => {
      const size = { width: `${width}px`, height: `${bottom - top}px` };
      return { control, text, colour, x, y: top, size };
    });
  for (const { control, text, colour, x, top, bottom, row, isOver } of all) {
    const spot = { control, text, colour, x, y: isOver ? top - HEIGHT : bottom };
    rows.set(row, { isOver, row: [...(rows.get(row)?.row ?? []), spot] });
  }
  return [...rows.values()].flatMap(({ row, isOver }) => inARow(row, isOver, isShown ? width : null));
}

/** On one line, none over another; without a width (one alone is seen) each at its letter, whatever the others say. */
function inARow(row: readonly Spot[], isOver: boolean, width: number | null): Spot[] {
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
