// Stacks of layers through a training step, forwards and backwards: what is kept of each layer, and the memory that it fills.

import { isAmong } from "../chart/identity";
import { FONT, SMALL } from "../chart/measure";
import { at } from "../chart/numbers";
import { element, matched, part, put, say, tenth } from "../chart/svg";
import type { Stack, Stacks } from "../documents";
import { box } from "../machine/places";
import { format } from "../state/quantity";
import type { Drawn, Given } from "./played";
import { type Accompanied, costOf, passing } from "./read";
import { colourIn } from "./words";

const SECONDS = 8;
/** Height of the line of words above all, and of those above each stack. */
const HEAD = 24;
const NAME = 17;
/** Of the width, where memory begins; between cells and what stands beside them. */
const MEMORY = 0.56;
const AIR = 18;
/** Of a row of cells: its height at most, and between two that are wide enough to be told apart. */
const MOST_HIGH = 26;
const BETWEEN = 2;
/** Narrower cells have no gap between them, and no ring. */
const LEAST_WIDE = 6;
/** Three digits, their point and the widest unit: what a number takes at any step. */
const WIDEST = "8.88 MB";
/** Of a cell, that a kept input fills; in pixels at least. */
const INPUT = 0.14;
const LEAST_INPUT = 2;

/** Cells side by side between two ends: where one begins, and how wide it is. */
export function cellsOf(count: number, left: number, right: number): { x: (place: number) => number; wide: number } {
  const each = (right - left) / count;
  const gap = each < LEAST_WIDE ? 0 : BETWEEN;
  return { x: (place) => left + place * each, wide: each - gap };
}

/** The layer at work at a step, from 0. */
function atWork(depth: number, now: number): number {
  return now <= depth ? now - 1 : 2 * depth - now;
}

function saidStep(depth: number, now: number): string {
  return `step ${now} of ${2 * depth}: ${now <= depth ? "forwards" : "back"} through layer ${atWork(depth, now) + 1}`;
}

/** Whether it is seen as long as another is asked for. */
function isKnown({ known }: Accompanied, { line }: Stack): boolean {
  return !known || isAmong(known, line);
}

export function saidOfStacks(shown: Accompanied, x: number): string {
  const { stacks, depth, text } = shown.companion as Stacks;
  const kept = stacks.filter((one) => isKnown(shown, one)).map(({ line }) => `${line} ${memory(shown, line, x)}`);
  return `${text}. ${saidStep(depth, Math.round(x))}: ${kept.join(", ")}`;
}

/** As the chart has it. */
function memory(shown: Accompanied, line: string, x: number): string {
  return format(costOf(shown.curves, line, x) ?? 0, shown.axes.y.dimension);
}

export class StacksDrawing implements Drawn {
  readonly svg = element("svg", { "aria-hidden": "true" });
  private readonly words = { what: part(this.svg, "text"), memory: part(this.svg, "text", { class: "muted" }) };
  private readonly rows = part(this.svg, "g");
  /** As the chart has it. */
  readonly isAtRest = true;

  seconds(): number {
    return SECONDS;
  }

  draw(given: Given, moment: number): void {
    const { shown, x, width, height, measure } = given;
    const { stacks, depth } = shown.companion as Stacks;
    const steps = 2 * depth;
    // From where it is read through the next step, back to there.
    const now = moment < 1 ? 1 + ((Math.round(x) - 1 + Math.floor(moment * steps)) % steps) : Math.round(x);
    passing.value = moment < 1 ? now : null;
    const said = saidStep(depth, now);
    const whose = shown.whose && `, ${shown.whose}`;
    put(this.words.what, { x: 0, y: 14 });
    say(this.words.what, said);
    const left = width * MEMORY;
    put(this.words.memory, { x: tenth(left), y: 14 });
    const captions = [shown.axes.y.caption + whose, shown.axes.y.caption];
    const free = measure(said, FONT) < left - AIR ? width - left - 28 : 0;
    say(this.words.memory, captions.find((text) => measure(text, SMALL) < free) ?? "");
    const [high, most] = [(height - HEAD) / stacks.length, mostOf(shown)];
    const thick = Math.min(MOST_HIGH, high - NAME - 7);
    // The numbers stand behind one another, after the longest bar.
    const told = [WIDEST, ...stacks.map(({ line }) => format(peakOf(shown, line), shown.axes.y.dimension))];
    const room = width - left - Math.max(...told.map((one) => measure(one, FONT, 600))) - 8;
    const rows = matched(this.rows, stacks.length, row);
    stacks.forEach((stack, place) => {
      const y = HEAD + place * high + NAME;
      const isAsked = stack.line === shown.asked;
      put(at(rows, place), { visibility: isAsked || isKnown(shown, stack) ? "inherit" : "hidden" });
      const held = isAsked ? 0 : (costOf(shown.curves, stack.line, now) ?? 0);
      const [name, does, frame, kept, ring, arrow, wall, bar, peak, number] = [...at(rows, place).children] as Parts;
      const { line } = stack;
      const colour = colourIn(shown.curves, line);
      put(name, { x: 0, y: tenth(y - 5), class: "strong", "data-colour": colour });
      say(name, line);
      const after = measure(line, FONT, 600) + 10;
      put(does, { x: tenth(after), y: tenth(y - 5) });
      say(does, measure(stack.does_text, SMALL) < width - after ? stack.does_text : "");
      const cells = cellsOf(depth, 0, left - AIR);
      const rect = (layer: number, part = 1, least = 0) => box(cells.x(layer), y, Math.max(least, cells.wide * part), thick);
      put(frame, { d: Array.from({ length: depth }, (_, layer) => rect(layer)).join("") });
      const cell = (layer: number) => rect(layer);
      const strip = (layer: number) => rect(layer, INPUT, LEAST_INPUT);
      const d = isAsked ? "" : [...keptAt(stack, now, false).map(cell), ...keptAt(stack, now, true).map(strip)].join("");
      put(kept, { d, "data-colour": colour });
      const works = cells.x(atWork(depth, now));
      const isTold = cells.wide >= LEAST_WIDE;
      put(ring, { d: isTold ? box(works, y, cells.wide, thick) : "" });
      put(arrow, { d: isTold ? arrowAt(works + cells.wide / 2, y + thick / 2, now <= depth) : "" });
      const long = (bytes: number) => (room * bytes) / most;
      put(wall, { d: box(left, y, room, thick) });
      put(bar, { d: box(left, y, long(held), thick), "data-colour": colour });
      const top = peakOf(shown, line);
      put(peak, { d: isAsked ? "" : `M${tenth(left + long(top))} ${tenth(y - 3)}v${tenth(thick + 6)}` });
      put(number, { x: tenth(left + room + 7), y: tenth(y + thick / 2 + 4.5), class: "strong" });
      say(number, isAsked ? "?" : memory(shown, line, now));
    });
  }
}

/** The most that any of them holds. */
function mostOf({ curves }: Accompanied): number {
  return Math.max(...curves.lines.flatMap(({ y }) => y));
}

/** The most that one of them holds. */
function peakOf({ curves }: Accompanied, line: string): number {
  return Math.max(...(curves.lines.find((one) => one.name === line)?.y ?? []));
}

/** Layers of which something is kept at a step: all of it, or the input alone. */
function keptAt({ layers, since, until, inputs }: Stack, now: number, isInput: boolean): number[] {
  const whole = layers.length - inputs;
  return layers.filter((_, place) => at(since, place) <= now && now <= at(until, place) && place >= whole === isInput);
}

/** The way that the pass goes. */
function arrowAt(x: number, y: number, isForth: boolean): string {
  const way = isForth ? 1 : -1;
  return `M${tenth(x - 2 * way)} ${tenth(y - 4)}l${4 * way} 4l${-4 * way} 4`;
}

type Parts = [
  SVGElement,
  SVGElement,
  SVGElement,
  SVGElement,
  SVGElement,
  SVGElement,
  SVGElement,
  SVGElement,
  SVGElement,
  SVGElement,
];

function row(): SVGGElement {
  const path = (name: string) => element("path", { class: name });
  return element(
    "g",
    {},
    element("text"),
    element("text", { class: "muted" }),
    path("cell"),
    path(""),
    path("worker"),
    path("way"),
    path("cell"),
    path(""),
    path("front"),
    element("text"),
  );
}
