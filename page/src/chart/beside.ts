// Places beside a dot for its words: where they cover no line, no dot and no other words. Beside it the dot itself leads to
// them; a little farther away a short leader does.

import { around, type Box, isInside, touch } from "./boxes";
import { tenth } from "./svg";

/** From a dot to its words: to the place from which they spread, and to their upper edge. */
export interface Spot {
  dx: number;
  dy: number;
  /** Which part of the words lies left of that place. */
  side: number;
  /** From the dot to where a leader ends; null where none is needed. */
  lead: readonly [number, number] | null;
}

/** What has words, in pixels. */
export interface Worded {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** From the middle of a dot to words beside it, and to words aslant. */
const BESIDE = 13;
const ASLANT = { x: 7, y: 6 };
/** Above and below: letters are lower than their line. */
const OVER = 8;
const UNDER = 8;
/** Around words, and below them: a stroke is as wide as that. */
const PAD = 3;
const DOT = 6;
/** Of leaders: how long they are, in which directions, and from them to the words. */
const RINGS = [30, 46, 64, 84, 108, 136, 160];
/** Under a hand words go farther, rather than that they are not seen or lie over lines. */
export const HELD_RINGS = [...RINGS, 200, 250, 310];
const DIRECTIONS = [-55, -125, 50, 130, -25, -155, 20, 160, -90, 90, -75, -105, 75, 105, 0, 180];
const JOINT = 3;
/** Within so many degrees of upright words spread to both sides. */
const UPRIGHT = 20;
/** Pixels between two points of a leader that are looked at. */
const LOOK = 4;

/** All spots, the most legible first. */
function spots(height: number, rings: readonly number[]): Spot[] {
  return [...nearSpots(height), ...rings.flatMap((far) => DIRECTIONS.map((degrees) => ledSpot(height, far, degrees)))];
}

/** Right beside the dot. */
function nearSpots(height: number): Spot[] {
  const above = -height - ASLANT.y;
  return [
    { dx: BESIDE, dy: -height / 2, side: 0 },
    { dx: ASLANT.x, dy: above, side: 0 },
    { dx: -ASLANT.x, dy: above, side: 1 },
    { dx: 0, dy: -height - OVER, side: 0.5 },
    { dx: -BESIDE, dy: -height / 2, side: 1 },
    { dx: ASLANT.x, dy: ASLANT.y, side: 0 },
    { dx: 0, dy: UNDER, side: 0.5 },
    { dx: -ASLANT.x, dy: ASLANT.y, side: 1 },
  ].map((spot) => ({ ...spot, lead: null }));
}

/** A spot whatever lies there: the one that it has, else right beside the dot. */
export function nearSpot(one: Worded, before: Spot | null, room: Box): Spot | null {
  const all = [...(before ? [before] : []), ...nearSpots(one.height)];
  return all.find((spot) => isInside(boxAt(one, spot), room)) ?? null;
}

/** At the end of a leader; a direction is counted clockwise from the right. */
function ledSpot(height: number, far: number, degrees: number): Spot {
  const [x, y] = [far * Math.cos((degrees * Math.PI) / 180), far * Math.sin((degrees * Math.PI) / 180)];
  const lead: [number, number] = [x, y];
  if (Math.abs(Math.abs(degrees) - 90) < UPRIGHT) return { dx: x, dy: y < 0 ? y - height - 1 : y + JOINT, side: 0.5, lead };
  return { dx: x + Math.sign(x) * JOINT, dy: y - height / 2, side: x > 0 ? 0 : 1, lead };
}

/** Boxes along a leader, from outside its dot on. */
export function leadBoxes({ x, y }: { x: number; y: number }, { lead }: Pick<Spot, "lead">): Box[] {
  if (!lead) return [];
  // Its own dot is none that it covers.
  const long = Math.hypot(...lead);
  const least = (2 * DOT) / long;
  const count = Math.ceil((long - 2 * DOT) / LOOK);
  return Array.from({ length: count + 1 }, (_, place) => {
    const part = least + (1 - least) * (place / count);
    return around(x + part * lead[0], y + part * lead[1], 2);
  });
}

/** A leader as drawn, from so many pixels off the middle of its dot on. */
export function leaderPath({ x, y }: { x: number; y: number }, lead: readonly [number, number] | null, off: number): string {
  if (!lead) return "";
  const part = off / Math.hypot(...lead);
  return `M${tenth(x + part * lead[0])},${tenth(y + part * lead[1])} L${tenth(x + lead[0])},${tenth(y + lead[1])}`;
}

/** A leader to words on their way, where it reaches them and does not run through them: they may be passing their dot. */
export function ledTo(
  dot: { x: number; y: number },
  lead: readonly [number, number],
  words: Box,
): readonly [number, number] | null {
  if (Math.hypot(...lead) < 2 * DOT) return null;
  // Its end is right beside them.
  const isThrough = leadBoxes(dot, { lead })
    .slice(0, -1)
    .some((each) => touch(each, words));
  return isThrough ? null : lead;
}

/** Where words lie at a spot. */
export function boxAt({ x, y, width, height }: Worded, { dx, dy, side }: Omit<Spot, "lead">): Box {
  const left = x + dx - side * width;
  return { left, right: left + width, top: y + dy, bottom: y + dy + height };
}

/** Whether lines leave a box free. */
export type IsFree = (box: Box) => boolean;

/** The first free spot for words; the one where they are comes before all others. Null where none is free. */
export function spotFor(
  one: Worded,
  before: Spot | null,
  room: Box,
  taken: readonly Box[],
  isFree: IsFree,
  rings = RINGS,
): Spot | null {
  const all = [...(before ? [before] : []), ...spots(one.height, rings)];
  const isClear = (box: Box) => !taken.some((each) => touch(box, each));
  return (
    all.find((spot) => {
      const box = boxAt(one, spot);
      return (
        isInside(box, room) &&
        isClear(padded(box)) &&
        leadBoxes(one, spot).every((each) => isInside(each, room) && isClear(each)) &&
        isFree(padded(box))
      );
    }) ?? null
  );
}

/** Spots for words in an order, each covering neither a dot nor the words before it. */
export function spotsFor(
  all: readonly (Worded & { before: Spot | null })[],
  room: Box,
  taken: readonly Box[],
  isFree: IsFree,
): (Spot | null)[] {
  const full = [...taken];
  return all.map((one) => {
    const spot = spotFor(one, one.before, room, full, isFree);
    if (spot) full.push(boxAt(one, spot), ...leadBoxes(one, spot));
    return spot;
  });
}

/** Of dots, what words may not cover. */
export function dotBoxes(pixels: readonly (readonly [number, number])[]): Box[] {
  return pixels.map(([x, y]) => around(x, y, DOT));
}

/** A box of words with the room that a stroke beside them takes. */
export function padded({ left, right, top, bottom }: Box): Box {
  return { left: left - PAD, right: right + PAD, top, bottom: bottom + PAD };
}
