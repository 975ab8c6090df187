// Where the parts of the machine and their results lie on the picture at the walk's end.

import type { Box } from "../machine/places";

/** A result as it is written: its name, and below, larger, the number, after which what was claimed instead. */
export interface Result {
  name: string;
  number: string;
  /** "not 20 ms"; empty unless it does not reproduce. */
  instead: string;
}

/** Of a share where it is all or nothing. */
const ENDS: Record<string, string> = { "100 %": "all of it", "0 %": "none" };

/** Ours and his number in words where both have some: a bubble of "100 %, not 0 %" reads as though all were idle. */
export function inWords(ours: string, his: string): [string, string] {
  const [one, other] = [ENDS[ours], ENDS[his]];
  return one && other ? [one, other] : [ours, his];
}

export interface Line<One> {
  result: One;
  y: number;
}

export interface Cell<One> {
  art: Box;
  title: { x: number; y: number };
  /** From the left edge of its lines to the right one. */
  left: number;
  right: number;
  lines: Line<One>[];
}

export interface Poster<One> {
  width: number;
  height: number;
  size: number;
  pitch: number;
  cells: Cell<One>[];
}

/** Of a letter, in parts of its height: a line of this face is about so wide. */
export const LETTER = 0.48;
/** From the left edge of a line to its words, in parts of their height: the dot stands there. */
export const DOT = 1;
/** Of a number: how many lines below its name, and how many times as high. */
export const NUMBER = 1.35;
export const LARGE = 1.7;

interface Form {
  width: number;
  edge: number;
  top: number;
  size: number;
  pitch: number;
  gap: number;
  /** How many parts lie in each row, how high their drawings are, and of how many results each tells. */
  rows: { parts: number; high: number; isBeside?: boolean; results?: number }[];
  foot: number;
  /** Of a column: how many of its drawings reach down to the next. */
  flows?: number;
  /** Where it is not as high as its parts need. */
  height?: number;
}

/** Between two parts, which what flows from one to the next has to cross. */
export const GAP = 14;
/** As large as what others show of a link. */
const WIDE: Form = {
  width: 1200,
  edge: 40,
  top: 124,
  size: 16,
  pitch: 24,
  gap: GAP,
  rows: [
    { parts: 5, high: 168 },
    { parts: 3, high: 196, isBeside: true, results: 3 },
  ],
  foot: 16,
  height: 630,
};
const NARROW: Form = {
  width: 356,
  edge: 10,
  top: 168,
  size: 12,
  pitch: 24,
  gap: GAP,
  rows: Array.from({ length: 8 }, () => ({ parts: 1, high: 96, isBeside: true })),
  foot: 12,
  flows: 4,
};
const SPACE = 22;
/** Of a row, for a drawing that has its words beside it. */
const BESIDE = { narrow: 0.31, wide: 0.38 };

/** The parts in rows, each drawing with its results below or beside it. */
export function posterOf<One extends Result>(parts: readonly (readonly One[])[], isNarrow: boolean): Poster<One> {
  const { width, edge, top: first, size, pitch, gap, rows, foot, flows = 0, height } = isNarrow ? NARROW : WIDE;
  const cells: Cell<One>[] = [];
  let [top, from] = [first, 0];
  for (const row of rows) {
    const wide = (width - 2 * edge + gap) / row.parts;
    let bottom = top + row.high;
    parts.slice(from, from + row.parts).forEach((results, place) => {
      const left = edge + place * wide;
      const right = left + wide - gap;
      const words = row.isBeside ? left + (isNarrow ? BESIDE.narrow : BESIDE.wide) * wide : left;
      const art = { left, top, right: row.isBeside ? words - gap : right, bottom: top + row.high };
      const title = { x: words, y: row.isBeside ? top + size : art.bottom + 1.7 * size };
      let y = title.y;
      const lines = results.slice(0, row.results ?? 1).map((result) => {
        const line = { result, y: y + pitch };
        y += (1 + NUMBER) * pitch;
        return line;
      });
      bottom = Math.max(bottom, y);
      cells.push({ art, title, left: words, right, lines });
    });
    from += row.parts;
    top = bottom + SPACE;
    const last = cells.at(-1);
    if (last && cells.length <= flows) last.art.bottom = top;
  }
  return { width, height: height ?? top - SPACE + foot, size, pitch, cells };
}
