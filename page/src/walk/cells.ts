// Where the rack's chips and their times are drawn, and what lies between two states of it.

import { clamp, mixed } from "../chart/numbers";
import type { Colour, RackPicture } from "../documents";

/** Of a drawing: its own, what chips and times have of it, and what lies between. */
export interface Size {
  width: number;
  height: number;
  /** Of the chips; below them are the times. */
  upper: number;
  /** From the chips to the times, and a bar's height. */
  below: number;
  track: number;
  /** From one thing that a chip does to the next. */
  pitch: number;
  /** Between two cabinets. */
  apart: number;
  /** A chip alone is no larger. */
  largest: number;
}

/** In a margin. */
export const LARGE: Size = { width: 320, height: 196, upper: 162, below: 8, track: 8, pitch: 12, apart: 10, largest: 32 };
/** Where there is none. */
export const SLIM: Size = { width: 96, height: 56, upper: 44, below: 2, track: 4, pitch: 6, apart: 4, largest: 10 };

/** Part of the way from chip to chip that is a chip. */
const FULL = 0.86;

/** Square of a chip: its left and upper end and its side; what its memory holds, from its corner on. */
export interface Cell {
  x: number;
  y: number;
  size: number;
  cabinet: number;
  fills: Partial<Record<Colour, number>>;
}

/** A rectangle: its left and upper end, and its width. */
export type Bar = readonly [x: number, y: number, width: number];

/** What is drawn of a rack. */
export interface Drawn {
  cells: Cell[];
  /** Under each cabinet, for each thing that its chips can do. */
  beds: Bar[];
  busy: Partial<Record<Colour, Bar[]>>;
  /** Of each cabinet, from left to right. */
  ends: [left: number, right: number][];
}

/** Cabinets side by side, each in as much room: chips are all of one size, and times of one length as long everywhere. */
export function drawn({ cabinets }: RackPicture, size: Size): Drawn {
  const counts = cabinets.map(({ chips }) => chips);
  const room = (size.width - size.apart * (counts.length - 1)) / counts.length;
  const { pitch, rows } = gridOf(counts, room, size);
  const gap = pitch * (1 - FULL);
  const found: Drawn = { cells: [], beds: [], busy: {}, ends: [] };
  cabinets.forEach((one, cabinet) => {
    const left = cabinet * (room + size.apart);
    const across = Math.ceil(one.chips / rows);
    const first = left + (room - across * pitch + gap) / 2;
    const fills = Object.fromEntries(one.memory.map(({ colour, fraction }) => [colour, fraction]));
    const painted = new Map(one.painted.flatMap(({ colour, chips }) => chips.map((chip) => [chip, colour] as const)));
    for (let chip = 0; chip < one.chips; chip += 1) {
      const colour = painted.get(chip);
      found.cells.push({
        x: first + (chip % across) * pitch,
        y: Math.floor(chip / across) * pitch + gap / 2,
        size: pitch - gap,
        cabinet,
        fills: colour ? { [colour]: 1 } : fills,
      });
    }
    one.tracks.forEach(({ busy }, place) => {
      const y = size.upper + size.below + place * size.pitch;
      found.beds.push([left, y, room]);
      for (const { colour, start, end } of busy) {
        const bars = found.busy[colour] ?? [];
        found.busy[colour] = bars;
        bars.push([left + start * room, y, (end - start) * room]);
      }
    });
    found.ends.push([left, left + room]);
  });
  return found;
}

/** The largest way from chip to chip at which each cabinet has room, with so many rows at most. */
function gridOf(counts: readonly number[], room: number, { upper, largest }: Size): { pitch: number; rows: number } {
  const tried = Array.from({ length: Math.max(...counts) }, (_, place) => {
    const rows = place + 1;
    const columns = Math.ceil(Math.max(...counts) / rows);
    return { rows, pitch: Math.min(largest, upper / rows, room / columns) };
  });
  return tried.reduce((best, one) => (one.pitch > best.pitch ? one : best));
}

/** What lies at a part of the way between two states: what one lacks grows out of nothing, or shrinks into it. */
export function between(one: Drawn, other: Drawn, part: number): Drawn {
  if (part >= 1) return other;
  const cells = pairs(one.cells, other.cells).map(([from, to]) => cellBetween(from, to, part));
  const busy: Drawn["busy"] = {};
  for (const colour of new Set([...Object.keys(one.busy), ...Object.keys(other.busy)]) as Set<Colour>)
    busy[colour] = pairs(one.busy[colour] ?? [], other.busy[colour] ?? []).map(([from, to]) => barBetween(from, to, part));
  const beds = pairs(one.beds, other.beds).map(([from, to]) => barBetween(from, to, part));
  return { cells, beds, busy, ends: other.ends };
}

function pairs<Thing>(one: readonly Thing[], other: readonly Thing[]): [Thing | undefined, Thing | undefined][] {
  return Array.from({ length: Math.max(one.length, other.length) }, (_, place) => [one[place], other[place]]);
}

function cellBetween(from: Cell | undefined, to: Cell | undefined, part: number): Cell {
  const there = (to ?? from) as Cell;
  const [first, last] = [from ?? { ...there, size: 0, fills: {} }, to ?? { ...there, size: 0, fills: {} }];
  const fills: Cell["fills"] = {};
  for (const colour of new Set([...Object.keys(last.fills), ...Object.keys(first.fills)]) as Set<Colour>)
    fills[colour] = mixed(first.fills[colour] ?? 0, last.fills[colour] ?? 0, part);
  const [x, y, size] = [mixed(first.x, last.x, part), mixed(first.y, last.y, part), mixed(first.size, last.size, part)];
  return { x, y, size, cabinet: there.cabinet, fills };
}

function barBetween(from: Bar | undefined, to: Bar | undefined, part: number): Bar {
  const there = (to ?? from) as Bar;
  const [first, last] = [from ?? [there[0], there[1], 0], to ?? [there[0], there[1], 0]];
  return [mixed(first[0], last[0], part), mixed(first[1], last[1], part), mixed(first[2], last[2], part)];
}

/** Squares, all in one path. */
export function frames(cells: readonly Cell[]): string {
  return cells.map(({ x, y, size }) => box(x, y, size, size)).join("");
}

/** Bars, all in one path. */
export function strips(bars: readonly Bar[], { track }: Size): string {
  return bars.map(([x, y, width]) => box(x, y, width, track)).join("");
}

/** What chips hold of one colour: from their lower left corner on, around what lies below it, by its area. */
export function filled(cells: readonly Cell[], colour: Colour): string {
  return cells
    .map(({ x, y, size, fills }) => {
      let below = 0;
      for (const [other, fraction] of Object.entries(fills)) {
        if (other === colour) {
          const [inner, outer] = [below, below + fraction].map((part) => size * Math.sqrt(clamp(part))) as [number, number];
          // The inner one is left out, by the rule of even and odd.
          return outer === inner ? "" : `${box(x, y + size, outer, -outer)}${inner ? box(x, y + size, inner, -inner) : ""}`;
        }
        below += fraction;
      }
      return "";
    })
    .join("");
}

function box(x: number, y: number, width: number, height: number): string {
  const [left, right, top, foot] = [x, x + width, y, y + height].map((place) => place.toFixed(2));
  return `M${left} ${top}H${right}V${foot}H${left}z`;
}

/** What a cabinet's chips do at a time, the first thing of each track. */
export function doing({ cabinets }: RackPicture, time: number): (Colour | null)[] {
  return cabinets.map(
    ({ tracks }) =>
      tracks.flatMap(({ busy }) => busy.filter(({ start, end }) => start <= time && time < end))[0]?.colour ?? null,
  );
}

/** What takes most of a cabinet's time; null where nothing is told of it, or its chips show something else. */
export function ruling({ cabinets }: RackPicture): (Colour | null)[] {
  return cabinets.map(({ memory, painted, tracks }) => {
    if (memory.length || painted.length) return null;
    const spent = new Map<Colour, number>();
    for (const { colour, start, end } of tracks.flatMap(({ busy }) => busy))
      spent.set(colour, (spent.get(colour) ?? 0) + end - start);
    return [...spent].sort(([, one], [, other]) => other - one)[0]?.[0] ?? null;
  });
}
