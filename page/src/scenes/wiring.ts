// Where racks and their chips lie in a width and, as far as they can, in a height; and the ways between them.

import { at, clamp } from "../chart/numbers";
import type { Chip, Racks } from "../documents";

export type Point = [number, number];

export interface Place {
  chip: Chip;
  rack: number;
  x: number;
  y: number;
  size: number;
}

/** Corner and size of a rack's chips together, and where its name stands. */
export interface Frame {
  x: number;
  y: number;
  wide: number;
  high: number;
  name: Point;
}

export interface Wiring {
  frames: Frame[];
  places: Map<number, Place>;
  /** Whether no chip has a greater load than others. */
  isAlike: boolean;
  pitch: number;
  /** Where each rack's traffic leaves it. */
  gates: Point[];
  /** The way between two racks' gates. */
  joined: (from: number, to: number) => Point[];
  /** Where the racks end, below. */
  bottom: number;
  /** Where the loads stand: below the racks, or beside them where that leaves chips larger; no higher than 0 where they are not drawn. */
  loads: { left: number; top: number; width: number; high: number };
  height: number;
}

const NARROW = 560;
const TOP = 26;
/** Between the names of two racks. */
const BETWEEN = 10;
const LEAST_COLUMNS = 4;
const MOST_COLUMNS = 9;
/** Sides of a chip, where there is a choice. */
const LEAST_CHIP = 5;
const MOST_CHIP = 64;
/** Words above and below the loads. */
const PROFILE = 46;
/** Over the mean; loads of which the busiest is no higher take nothing from the racks, only height that these leave. */
const ALIKE = 1.005;
const BESIDE = { width: 260, gap: 36, least: 860 };
const LEAST_SKYLINE = 36;
const MOST_SKYLINE = 84;
/** Of the height, that the loads may have below racks that need no more. */
const MOST_OF_ALL = 0.4;

/** Racks stand so far apart that their names, so many pixels wide, do, too. */
export function wired(picture: Racks, width: number, room: number, name: number): Wiring {
  const isNarrow = width < NARROW;
  const count = picture.racks.length;
  const abreast = Math.min(count, 4);
  const lines = Math.ceil(count / abreast);
  // Between two racks the link lies in the middle; between more it lies below them.
  const gap = count === 2 ? (isNarrow ? 34 : 120) : isNarrow ? 16 : 28;
  const chips = Math.max(...picture.racks.map((rack) => rack.chips.length));
  // Two lines of racks on a phone leave less around each.
  const isTight = isNarrow && lines > 1;
  const head = isTight ? 18 : count > 1 ? 26 : 4;
  const trunk = isTight ? 22 : count > 2 ? 34 : 14;
  const named = count > 1 && (count > 2 || isNarrow) ? 24 : 8;
  const isAlike = picture.racks.every((rack) => rack.chips.every(({ load }) => load < ALIKE));
  const least = isAlike ? 0 : isTight ? LEAST_SKYLINE : clamp(room / 6, LEAST_SKYLINE, MOST_SKYLINE);
  const profile = isAlike ? 0 : PROFILE;
  const laidIn = (wide: number, below: number) =>
    largest(
      chips,
      (wide - 12 - (abreast - 1) * gap) / abreast,
      (room - TOP - below - lines * (head + trunk)) / lines,
      (count === 1 && !isNarrow) || lines > 1 ? 2 * MOST_COLUMNS : MOST_COLUMNS,
    );
  const below = named + least + profile;
  const [under, beside] = [laidIn(width, below), laidIn(width - BESIDE.width - BESIDE.gap, named)];
  const isBeside = !isAlike && width >= BESIDE.least && beside.pitch > under.pitch;
  const { columns, rows, pitch } = isBeside ? beside : under;
  const [wide, high] = [columns * pitch, rows * pitch];
  const apart = Math.max(gap, name + BETWEEN - wide);
  const all = abreast * wide + (abreast - 1) * apart;
  const racks = isBeside ? width - BESIDE.width - BESIDE.gap : width;
  const left = isBeside ? 6 : (racks - all) / 2;
  const step = head + high + trunk;
  const frames = picture.racks.map((_, rack): Frame => {
    const [x, y] = [left + (rack % abreast) * (wide + apart), TOP + Math.floor(rack / abreast) * step];
    return { x, y: y + head, wide, high, name: [x, y + 16] };
  });
  const places = new Map<number, Place>();
  picture.racks.forEach((rack, number) => {
    const { x, y } = at(frames, number);
    rack.chips.forEach((chip, place) => {
      const [column, row] = [place % columns, Math.floor(place / columns)];
      places.set(chip.number, { chip, rack: number, x: x + column * pitch, y: y + row * pitch, size: pitch });
    });
  });
  const gates = frames.map(({ x, y }, rack): Point => {
    if (count === 2) return [rack ? x - 4 : x + wide + 4, y + high / 2];
    return [x + wide / 2, y + high + 4];
  });
  const bottom = TOP + lines * step;
  const end = Math.max(bottom + named, room);
  // Racks that are as wide as they can be leave height, which is the loads'.
  const free = Math.min(MOST_OF_ALL * room, room - bottom - named - PROFILE);
  const alike = free < LEAST_SKYLINE ? 0 : Math.min(free, MOST_SKYLINE);
  const skyline = isAlike ? alike : Math.max(least, free);
  const loads = isBeside
    ? { left: width - BESIDE.width, top: TOP, width: BESIDE.width, high: end - TOP - PROFILE }
    : { left: 0, top: bottom + named, width, high: skyline };
  const drawn = loads.top + (skyline && skyline + PROFILE);
  return {
    frames,
    places,
    isAlike,
    pitch,
    gates,
    joined: joining(gates, frames, abreast, Math.max(3, left - 12)),
    bottom,
    loads,
    // A phone's has its room whatever is drawn, so that nothing below it moves.
    height: isBeside ? end : isNarrow ? Math.max(end, drawn) : drawn,
  };
}

/** Chips of a rack in as many columns as leave each largest, of those that fill their rows where any do. */
function largest(chips: number, wide: number, high: number, most: number): { columns: number; rows: number; pitch: number } {
  const all = Array.from({ length: Math.min(chips, most) }, (_, less) => less + 1).map((columns) => {
    const rows = Math.ceil(chips / columns);
    return { columns, rows, pitch: Math.min(wide / columns, clamp(high / rows, LEAST_CHIP, MOST_CHIP)) };
  });
  const full = all.filter(({ columns, rows }) => columns * rows === chips && columns >= LEAST_COLUMNS);
  return (full.length ? full : all).reduce((best, one) => (one.pitch >= best.pitch ? one : best));
}

/** Two racks directly, more by a trunk below each row of them. */
function joining(gates: Point[], frames: Frame[], abreast: number, side: number): Wiring["joined"] {
  if (gates.length === 2) return (from, to) => [at(gates, from), at(gates, to)];
  const trunk = (rack: number) => {
    const { y, high } = at(frames, rack - (rack % abreast));
    return y + high + 18;
  };
  return (from, to) => {
    const [start, end] = [at(gates, from), at(gates, to)];
    const [first, last] = [trunk(from), trunk(to)];
    const middle: Point[] =
      first === last
        ? []
        : [
            [side, first],
            [side, last],
          ];
    return [start, [start[0], first], ...middle, [end[0], last], end];
  };
}

export function path(points: Point[]): string {
  return `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`;
}

export function length(points: Point[]): number {
  return points
    .slice(1)
    .reduce((sum, [x, y], place) => sum + Math.hypot(x - at(points, place)[0], y - at(points, place)[1]), 0);
}

/** The point at a part of the way. */
export function pointAt(points: Point[], along: number): Point {
  let left = length(points) * along;
  for (let place = 1; place < points.length; place++) {
    const [from, to] = [at(points, place - 1), at(points, place)];
    const long = Math.hypot(to[0] - from[0], to[1] - from[1]);
    if (left <= long || place === points.length - 1) {
      const part = long ? clamp(left / long) : 0;
      return [from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part];
    }
    left -= long;
  }
  return at(points, 0);
}
