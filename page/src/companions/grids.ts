// Bits as cells, grid beside grid: full are those that one change of the input has changed by now.

import { FONT, SMALL } from "../chart/measure";
import { at } from "../chart/numbers";
import { element, matched, part, put, say, tenth } from "../chart/svg";
import type { Grid, Grids } from "../documents";
import { box } from "../machine/places";
import { format } from "../state/quantity";
import type { Drawn, Given } from "./played";
import { type Accompanied, costOf, passing } from "./read";

const SECONDS = 6;
/** The first rounds change most, and take longer. */
const SLOWED = 1.6;
/** Of the way between two rounds, from where on the S-boxes are through. */
const THROUGH = 0.45;
/** Rows of cells; of a column of theirs the width, and in bytes the height of each. */
const ROWS = 8;
const WIDE = 4;
const BYTE = 2;
/** Height of the words above all, and of a line of those of a grid, of which there are so many. */
const HEAD = 22;
const LINE = 16;
const WORDS = 3;
/** Beside a grid's words, between two grids at least and at most, and between two bytes as a part of a cell. */
const AIR = 10;
const APART = 14;
const FAR_APART = 56;
const SEAM = 0.35;
/** Of a cell, the part that is drawn; its size at most and at least, and by how much it is made smaller, in pixels. */
const INNER = 0.84;
const MOST = 22;
const LEAST = 4;
const FINER = 0.25;
/** What a cell's size counts with short names, which say less. */
const TERSE = 0.8;
/** Of the name of a grid, of its number and of the mean. */
const LOOKS = ["strong", "", "muted"] as const;

/** How far it has come: rounds that are over, and whether the S-boxes of the first are through. */
interface Moment {
  round: number;
  isThrough: boolean;
}

function gridsOf({ companion }: Accompanied): Grid[] {
  return (companion as Grids).grids;
}

/** Which cells of a grid have changed, as digits of four. */
function changedOf({ changed, substituted }: Grid, { round, isThrough }: Moment): string {
  return isThrough && substituted ? substituted : at(changed, Math.min(round, changed.length - 1));
}

/** Whether a cell differs; digits lie below one another, eight to a column. */
function differs(digits: string, column: number, row: number): boolean {
  const digit = Number.parseInt(digits.charAt(Math.floor(column / WIDE) * ROWS + row), 16);
  return ((digit >> (WIDE - 1 - (column % WIDE))) & 1) === 1;
}

export function countOf(digits: string): number {
  const bits = [...digits].map((digit) => Number.parseInt(digit, 16).toString(2));
  return bits.join("").replaceAll("0", "").length;
}

/** How many of a grid have changed, and what share they are on the mean, as the chart has it. */
function wordsOf(shown: Accompanied, grid: Grid, moment: Moment): [string, string] {
  if (grid.line === shown.asked) return [`of ${grid.bits}`, ""];
  const mean = costOf(shown.curves, grid.line, moment.round);
  const share = mean === null || moment.isThrough ? "" : `mean ${format(mean, shown.axes.y.dimension, 2)}`;
  return [`${countOf(changedOf(grid, moment))} of ${grid.bits}`, share];
}

function whenOf({ round, isThrough }: Moment): string {
  if (isThrough) return "after the S-boxes of round 1";
  return round ? `after ${round} ${round === 1 ? "round" : "rounds"}` : "before any round";
}

export function saidOfGrids(shown: Accompanied, x: number): string {
  const moment = { round: Math.round(x), isThrough: false };
  const all = gridsOf(shown).map((grid) => {
    const [count, mean] = wordsOf(shown, grid, moment);
    return grid.line === shown.asked ? `${grid.line} is asked` : `${grid.line} ${count} differ, ${mean}`;
  });
  return `${shown.companion.text}. ${whenOf(moment)}: ${all.join("; ")}`;
}

/** Where grids and their words lie. */
interface Places {
  cell: number;
  isBeside: boolean;
  /** Of each grid the name and the left end. */
  names: string[];
  lefts: number[];
}

export class GridsDrawing implements Drawn {
  readonly svg = element("svg", { "aria-hidden": "true" });
  private readonly what = part(this.svg, "text");
  private readonly groups = part(this.svg, "g");
  private given!: Given;

  /** What is asked stands still. */
  seconds({ asked }: Accompanied): number {
    return asked ? 0 : SECONDS;
  }

  draw(given: Given, moment: number): void {
    this.given = given;
    const { shown, x, width, measure } = given;
    const grids = gridsOf(shown);
    const isPlayed = moment < 1 && this.seconds(shown) > 0;
    const along = isPlayed ? x * moment ** SLOWED : Math.round(x);
    const round = Math.floor(along);
    const now = { round, isThrough: round === 0 && along > THROUGH };
    passing.value = isPlayed ? round : null;
    const places = this.places(grids);
    matched(this.groups, grids.length, group).forEach((one, place) => this.grid(one, at(grids, place), now, places, place));
    put(this.what, { x: 0, y: 14 });
    const { change_text: change } = shown.companion as Grids;
    const texts = [`${change}, one run of each: bits that differ ${whenOf(now)}`, `${change}: ${whenOf(now)}`];
    // Beside what plays it.
    say(this.what, texts.find((text) => measure(text, FONT) < width - 28) ?? whenOf(now));
  }

  /** Beside its words or above them, with names in full or short, as cells come out large. */
  private places(grids: readonly Grid[]): Places {
    const { width, height, measure } = this.given;
    const wide = grids.map(({ bits }) => bits / ROWS + (bits / ROWS / WIDE - 1) * SEAM);
    const high = ROWS + (ROWS / BYTE - 1) * SEAM;
    const gaps = grids.length - 1;
    const laid = (isBeside: boolean, names: string[]) => {
      const words = names.map((name) => Math.max(measure(name, FONT, 600), measure("mean 100 %", SMALL)));
      const slots = (cell: number) =>
        words.map((word, place) => (isBeside ? at(wide, place) * cell + AIR + word : Math.max(at(wide, place) * cell, word)));
      const left = (cell: number) => slots(cell).reduce((rest, one) => rest - one, width);
      let cell = Math.min(MOST, (height - HEAD - (isBeside ? 0 : WORDS * LINE)) / high);
      while (cell > LEAST && left(cell) < APART * gaps) cell -= FINER;
      const gap = Math.min(FAR_APART, left(cell) / gaps);
      const lefts = slots(cell).map((_, place, all) => all.slice(0, place).reduce((sum, one) => sum + one + gap, 0));
      return { cell, isBeside, names, lefts };
    };
    const largest = (names: string[]) => {
      const [beside, above] = [laid(true, names), laid(false, names)];
      return beside.cell < above.cell ? above : beside;
    };
    const [full, short] = [largest(grids.map(({ line }) => line)), largest(grids.map(({ name }) => name))];
    return full.cell < TERSE * short.cell ? short : full;
  }

  private grid(one: Element, grid: Grid, now: Moment, { cell, isBeside, names, lefts }: Places, place: number): void {
    const { shown } = this.given;
    const [rest, full, ring, unknown, ...texts] = one.children as unknown as [Element, Element, Element, Element, ...Element[]];
    const isAsked = grid.line === shown.asked;
    const digits = isAsked ? "" : changedOf(grid, now);
    const columns = grid.bits / ROWS;
    const left = at(lefts, place);
    const x = (column: number) => left + (column + Math.floor(column / WIDE) * SEAM) * cell;
    const y = (row: number) => HEAD + (row + Math.floor(row / BYTE) * SEAM) * cell;
    const drawn = { rest: "", full: "", ring: "" };
    for (let column = 0; column < columns; column++)
      for (let row = 0; row < ROWS; row++) {
        const path = box(x(column), y(row), INNER * cell, INNER * cell);
        drawn[digits && differs(digits, column, row) ? "full" : "rest"] += path;
        if (differs(at(grid.changed, 0), column, row)) drawn.ring += path;
      }
    const colour = shown.curves.lines.find(({ name }) => name === grid.line)?.colour ?? "ink";
    put(rest, { d: drawn.rest, class: "free" });
    put(full, { d: drawn.full, "data-colour": colour });
    // What was flipped stays known.
    put(ring, { d: drawn.ring, class: "ring" });
    const [right, bottom] = [x(columns - 1) + INNER * cell, y(ROWS - 1) + INNER * cell];
    put(unknown, { x: tenth((left + right) / 2), y: tenth((HEAD + bottom) / 2 + 8) });
    say(unknown, isAsked ? "?" : "");
    const first = isBeside ? HEAD + 12 : bottom + 14;
    [at(names, place), ...wordsOf(shown, grid, now)].forEach((text, line) => {
      const words = at(texts, line);
      put(words, { x: tenth(isBeside ? right + AIR : left), y: tenth(first + line * LINE), class: at(LOOKS, line) });
      say(words, text);
    });
    put(at(texts, 0), { "data-colour": colour });
  }
}

/** The cells of a grid that are as they were and those that are not, those that were flipped, what is asked, and three texts. */
function group(): SVGGElement {
  const cells = Array.from({ length: 3 }, () => element("path"));
  const words = Array.from({ length: WORDS }, () => element("text"));
  return element("g", {}, ...cells, element("text", { class: "asked", "text-anchor": "middle" }), ...words);
}
