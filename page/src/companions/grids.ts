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
const [ROWS, WIDE, BYTE] = [8, 4, 2];
/** Height of the words above all, and of a line of those of a grid, of which there are so many. */
const [HEAD, LINE, WORDS] = [22, 16, 3];
/** Beside a grid's words, between two grids at least and at most, and between two bytes as a part of a cell. */
const [AIR, APART, FAR_APART, SEAM] = [10, 14, 56, 0.35];
/** Of a cell, the part that is drawn; its size at most and at least, and by how much it is made smaller, in pixels. */
const [INNER, MOST, LEAST, FINER] = [0.84, 22, 4, 0.25];
/** What a cell's size counts with words in full, with short names, and with numbers alone. */
const TERSE = [1, 0.93, 0.85];
/** Of what is asked. */
const UNKNOWN = "?";

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
function wordsOf(shown: Accompanied, grid: Grid, moment: Moment, terse = 0): [string, string] {
  if (grid.line === shown.asked) return [`of ${sizeOf(grid, terse)}`, ""];
  const mean = costOf(shown.curves, grid.line, moment.round);
  const share = mean === null || moment.isThrough ? "" : `mean ${format(mean, shown.axes.y.dimension, 2)}`;
  return [`${countOf(changedOf(grid, moment))} of ${sizeOf(grid, terse)}`, share];
}

/** In full, or in fewer words. */
function nameOf({ line, name }: Grid, terse: number): string {
  return terse ? name : line;
}

function sizeOf({ bits, thing_text: thing }: Grid, terse: number): string {
  return terse > 1 ? String(bits) : `${bits} ${thing}`;
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
  terse: number;
  /** Left end of each grid. */
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
    const texts = [`${change}, one run of each: what differs ${whenOf(now)}`, `${change}: ${whenOf(now)}`, whenOf(now)];
    // Beside what plays it.
    say(this.what, texts.find((text) => measure(text, FONT) < width - 28) ?? "");
  }

  /** Beside its words or above them, and with as many words, as cells come out large. */
  private places(grids: readonly Grid[]): Places {
    const { width, height, measure } = this.given;
    const wide = grids.map(({ bits }) => bits / ROWS + (bits / ROWS / WIDE - 1) * SEAM);
    const high = ROWS + (ROWS / BYTE - 1) * SEAM;
    const laid = (isBeside: boolean, terse: number) => {
      const words = grids.map((grid) =>
        Math.max(
          measure(nameOf(grid, terse), FONT, 600),
          measure(`${grid.bits} of ${sizeOf(grid, terse)}`, SMALL),
          measure("mean 100 %", SMALL),
        ),
      );
      const slots = (cell: number) =>
        words.map((word, place) => (isBeside ? at(wide, place) * cell + AIR + word : Math.max(at(wide, place) * cell, word)));
      const left = (cell: number) => slots(cell).reduce((rest, one) => rest - one, width);
      let cell = Math.min(MOST, (height - HEAD - (isBeside ? 0 : WORDS * LINE)) / high);
      while (cell > LEAST && left(cell) < APART * (grids.length - 1)) cell -= FINER;
      const gap = Math.min(FAR_APART, left(cell) / Math.max(1, grids.length - 1));
      const lefts = slots(cell).map((_, place, all) => all.slice(0, place).reduce((sum, one) => sum + one + gap, 0));
      return { cell, isBeside, terse, lefts };
    };
    const all = TERSE.flatMap((_, terse) => [laid(true, terse), laid(false, terse)]);
    return all.reduce((best, one) => (one.cell * at(TERSE, one.terse) > best.cell * at(TERSE, best.terse) ? one : best));
  }

  private grid(one: Element, grid: Grid, now: Moment, { cell, isBeside, terse, lefts }: Places, place: number): void {
    const { shown } = this.given;
    const [rest, full, ring, unknown, ...texts] = [...one.children] as [
      SVGElement,
      SVGElement,
      SVGElement,
      SVGElement,
      ...SVGElement[],
    ];
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
    say(unknown, isAsked ? UNKNOWN : "");
    const first = isBeside ? HEAD + 12 : bottom + 14;
    [nameOf(grid, terse), ...wordsOf(shown, grid, now, terse)].forEach((text, line) => {
      const words = at(texts, line);
      put(words, { x: tenth(isBeside ? right + AIR : left), y: tenth(first + line * LINE) });
      put(words, { class: line ? (line === 1 ? "count" : "muted") : "strong", "data-colour": line ? "ink" : colour });
      say(words, text);
    });
  }
}

/** The cells of a grid that are as they were and those that are not, those that were flipped, what is asked, and three texts. */
function group(): SVGGElement {
  const cells = Array.from({ length: 3 }, () => element("path"));
  const words = Array.from({ length: WORDS }, () => element("text"));
  return element("g", {}, ...cells, element("text", { class: "asked", "text-anchor": "middle" }), ...words);
}
