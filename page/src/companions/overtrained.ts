// All tokens that a model is trained on, once for each law, in as many parts as they are times what it has as best: one is lit.

import { at } from "../chart/numbers";
import { element, matched, part, put, say, tenth } from "../chart/svg";
import type { OverTrained } from "../documents";
import { box } from "../machine/places";
import { format } from "../state/quantity";
import { gridOf } from "./meanwhile";
import type { Drawn, Given } from "./played";
import { type Accompanied, costOf } from "./read";
import { colourIn, fraction, timesOf, write } from "./words";

/** Height of the words above all, and of a block's name; between two blocks. */
const HEAD = 22;
const NAME = 18;
const APART = 24;
/** Smaller parts are not told apart; and the least of one that is seen. */
const LEAST = 4;
const SEEN = 3;

const count = (value: number) => format(value, "count");

/** Times what is best by a law; null where that is asked and not guessed. */
function timesBy({ curves, asked, guess }: Accompanied, law: string, x: number): number | null {
  return law === asked ? (guess ?? null) : costOf(curves, law, x);
}

function what(shown: Accompanied, x: number): string {
  const tokens = count((shown.companion as OverTrained).trained_tokens);
  return `${tokens} tokens for ${count(x)} active parameters; filled: what is best for training alone`;
}

function named(shown: Accompanied, law: string, x: number): string[] {
  const times = timesBy(shown, law, x);
  const isGuess = law === shown.asked;
  const says = times === null ? "?" : timesOf(times, "the best");
  const own = isGuess && times !== null ? `you ${says}` : says;
  const few = times === null ? says : `${law}: ${isGuess ? "you " : ""}${fraction(times) ?? `${count(times)}×`}`;
  return [`${law}: ${own}`, few, own, count(times ?? 1)];
}

export function saidOfOverTrained(shown: Accompanied, x: number): string {
  const { laws, text } = shown.companion as OverTrained;
  return [text, what(shown, x), ...laws.map((law) => named(shown, law, x)[0])].join(". ");
}

export class OverTrainedDrawing implements Drawn {
  readonly svg = element("svg", { "aria-hidden": "true" });
  private readonly what = part(this.svg, "text");
  private readonly blocks = part(this.svg, "g");

  seconds(): number {
    return 0;
  }

  draw(given: Given): void {
    const { shown, x, width, height } = given;
    const { laws } = shown.companion as OverTrained;
    const slot = (width + APART) / laws.length;
    const wide = slot - APART;
    const top = HEAD + NAME;
    const high = height - top - 2;
    const all = what(shown, x);
    write(
      this.what,
      [all + (shown.whose && `, ${shown.whose}`), all, all.split(";")[0] ?? ""],
      { x: 0, y: 14, room: width, weight: 400 },
      given,
    );
    matched(this.blocks, laws.length, block).forEach((drawn, nth) => {
      const law = at(laws, nth);
      const [whole, seams, lit, unknown, name] = [...drawn.children] as [Element, Element, Element, Element, Element];
      const times = timesBy(shown, law, x);
      const left = nth * slot;
      put(whole, { d: box(left, top, wide, high) });
      // Parts of one area, as near to squares as fill the block; of less than one all of it is lit.
      const parts = Math.max(1, times ?? 1);
      const { rows } = gridOf(Math.ceil(parts), wide, high, Math.max(wide, high));
      const [across, down] = [(wide * rows) / parts, high / rows];
      const columns = parts / rows;
      const isTold = Math.min(across, down) >= LEAST && times !== null;
      const upright = Array.from(
        { length: Math.ceil(columns - 1e-9) - 1 },
        (_, one) => `M${tenth(left + (one + 1) * across)} ${top}v${high}`,
      );
      const level = Array.from(
        { length: rows - 1 },
        (_, one) => `M${tenth(left)} ${tenth(top + (one + 1) * down)}h${tenth(wide)}`,
      );
      put(seams, { d: isTold ? upright.join("") + level.join("") : "" });
      const isGuess = law === shown.asked;
      put(lit, {
        class: isGuess ? "guess" : "",
        "data-colour": isGuess ? "none" : colourIn(shown.curves, law),
        d: times === null ? "" : box(left, top, Math.min(wide, Math.max(SEEN, across)), Math.max(SEEN, down)),
      });
      put(unknown, { x: tenth(left + wide / 2), y: tenth(top + high / 2 + 8) });
      say(unknown, times === null ? "?" : "");
      write(name, named(shown, law, x), { x: left, y: top - 5, room: wide }, given);
    });
  }
}

/** All tokens, lines between their parts, the part that is best, what is asked, and the law. */
function block(): SVGGElement {
  return element(
    "g",
    {},
    element("path", { class: "free" }),
    element("path", { class: "between" }),
    element("path"),
    element("text", { class: "asked", "text-anchor": "middle" }),
    element("text", { class: "strong" }),
  );
}
