// A stack of layers of which some are reversible: its memory, and under it the arithmetic that it takes.

import { FONT, SMALL } from "../chart/measure";
import { at, clamp } from "../chart/numbers";
import { element, matched, part, put, say, tenth } from "../chart/svg";
import type { Undone } from "../documents";
import { box } from "../machine/places";
import { format } from "../state/quantity";
import type { Drawn, Given } from "./played";
import { type Accompanied, costOf, passing } from "./read";
import { cellsOf } from "./stacks";

const SECONDS = 6;
/** Height of the line of words above all; height of a row at most, and the part of its place that it fills. */
const HEAD = 24;
const MOST_HIGH = 34;
const FILLED = 0.66;
const NAMES = ["layers", "memory", "compute"] as const;
/** Line of the memory that is needed at most. */
const PEAK = "peak";
/** Around words in a bar. */
const AIR = 6;

interface Share {
  /** From the longest to the shortest. */
  texts: string[];
  colour: string;
  part: number;
}

/** What it comes to with so many layers reversible: memory, and arithmetic by its parts. */
function comesTo({ curves, companion, axes }: Accompanied, undone: number) {
  const { layers, forward_flop: forward, none_flop: none, all_flop: all } = companion as Undone;
  const bytes = costOf(curves, PEAK, undone) ?? 0;
  const stored = (layers - undone) / layers;
  const memory: [Share, Share] = [
    { texts: ["layers that are stored"], colour: "muted", part: stored },
    { texts: ["one reversible layer at work"], colour: "also", part: bytes / (costOf(curves, PEAK, 0) ?? bytes) - stored },
  ];
  const again = ((all - none) * undone) / layers;
  const flop = [
    { name: "forward", amount: forward, colour: "compute" },
    { name: "backward", amount: none - forward, colour: "compute" },
    { name: "again", amount: again, colour: "also" },
  ];
  const compute = flop.map(({ name, amount, colour }) => {
    const text = format(amount, "count");
    return { texts: [`${name} ${text}`, text], colour, part: amount / all };
  });
  return {
    bytes: format(bytes, axes.y.dimension),
    memory,
    compute,
    more: `+${format(again / none, "fraction", 2)}`,
  };
}

export function saidOfUndone(shown: Accompanied, x: number): string {
  const { bytes, more } = comesTo(shown, x);
  const { layers, text } = shown.companion as Undone;
  return `${text}. ${format(x, "count", 2)} of ${layers} layers reversible: memory ${bytes}, compute ${more}`;
}

export class UndoneDrawing implements Drawn {
  readonly svg = element("svg", { "aria-hidden": "true" });
  private readonly what = part(this.svg, "text");
  private readonly names = part(this.svg, "g");
  private readonly numbers = part(this.svg, "g");
  private readonly frame = part(this.svg, "path", { class: "cell" });
  private readonly stored = part(this.svg, "path");
  private readonly works = part(this.svg, "path");
  private readonly bars = part(this.svg, "g");
  private readonly words = part(this.svg, "g");
  /** As the chart has it. */
  readonly isAtRest = true;

  seconds(): number {
    return SECONDS;
  }

  draw(given: Given, moment: number): void {
    const { shown, x: end, width, height, measure } = given;
    const { layers } = shown.companion as Undone;
    const undone = Math.round(end * moment);
    passing.value = moment < 1 ? undone : null;
    const { bytes, memory, compute, more } = comesTo(shown, undone);
    put(this.what, { x: 0, y: 14 });
    const short = `${format(undone, "count", 2)} of ${layers} layers reversible`;
    const whose = shown.whose && `, ${shown.whose}`;
    const long = `${short}: one of them in memory at a time, and each computed twice forwards${whose}`;
    say(this.what, [long, short + whose].find((text) => measure(text, FONT) < width - 28) ?? short);
    const left = Math.max(...NAMES.map((name) => measure(name, SMALL))) + 12;
    const right = width - measure("+33.3 %", FONT, 600) - 14;
    const high = (height - HEAD) / NAMES.length;
    const thick = Math.min(MOST_HIGH, high * FILLED);
    const y = (row: number) => HEAD + row * high + (high - thick) / 2;
    const beside = ["", bytes, more];
    for (const [group, texts] of [
      [this.names, NAMES],
      [this.numbers, beside],
    ] as const)
      matched(group, NAMES.length, () => element("text")).forEach((text, row) => {
        const isName = group === this.names;
        put(text, { x: tenth(isName ? 0 : right + 8), y: tenth(y(row) + thick / 2 + 4.5), class: isName ? "muted" : "strong" });
        say(text, at(texts, row));
      });
    // From the left those that are stored, then those that are undone, of which one is at work.
    const cells = cellsOf(layers, left, right);
    const rect = (layer: number, from: number, to: number) =>
      to > from ? box(cells.x(layer) + cells.wide * from, y(0), cells.wide * (to - from), thick) : "";
    const all = Array.from({ length: layers }, (_, layer) => layer);
    const rest = layers - undone;
    put(this.frame, { d: all.map((layer) => rect(layer, 0, 1)).join("") + box(left, y(1), right - left, thick) });
    const [kept, work] = memory;
    put(this.stored, { d: all.map((layer) => rect(layer, 0, clamp(rest - layer))).join(""), "data-colour": kept.colour });
    const until = rest + Math.min(1, undone);
    put(this.works, {
      d: all.map((layer) => rect(layer, clamp(rest - layer), clamp(until - layer))).join(""),
      "data-colour": work.colour,
    });
    const shares = [...placed(memory, 1), ...placed(compute, 2)];
    const bars = matched(this.bars, shares.length, () => element("path"));
    const words = matched(this.words, shares.length, () => element("text", { class: "inside", "text-anchor": "middle" }));
    shares.forEach(({ share, from, row }, which) => {
      const [start, wide] = [left + (right - left) * from, (right - left) * share.part];
      put(at(bars, which), {
        d: wide > 0 ? box(start, y(row), Math.max(0, wide - 1), thick) : "",
        "data-colour": share.colour,
      });
      put(at(words, which), { x: tenth(start + wide / 2), y: tenth(y(row) + thick / 2 + 4.5) });
      const fits = share.texts.find((text) => measure(text, FONT) + 2 * AIR < wide);
      say(at(words, which), fits ?? "");
    });
  }
}

/** Each after those before it. */
function placed(shares: readonly Share[], row: number): { share: Share; from: number; row: number }[] {
  let sum = 0;
  return shares.map((share) => {
    const from = sum;
    sum += share.part;
    return { share, from, row };
  });
}
