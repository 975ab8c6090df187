// The course of a line in even steps, where a step is as far on the screen as any other.

import type { Axes, Line } from "../documents";
import { even } from "./frame";
import { along, at, lastUpTo } from "./numbers";

/** Of one line in even steps. */
export interface Course {
  x: Float64Array;
  y: Float64Array;
  high: Float64Array | null;
}

/** Of the frame's width: nearer ends are the same. */
const SAME = 1e-9;

/**
 * A course that fills its own frame, drawn on as far as the one before it went in a frame that is still on the screen.
 *
 * What a hand lets go of was asked for over that frame with the same numbers; else the way on begins where the course ends.
 */
export function reaching(asked: Course, before: Course, axes: Axes, across: readonly [number, number]): Course {
  const [low, high] = (axes.x.ends ?? []).map((end) => even(axes.x, end)) as [number, number];
  const last = asked.x.length - 1;
  const same = SAME * (high - low);
  const isFull = last > 0 && at(asked.x, 0) <= low + same && at(asked.x, last) >= high - same;
  if (!isFull || Boolean(asked.high) !== Boolean(before.high)) return asked;
  const [first, end] = [at(asked.x, 0), at(asked.x, last)];
  const places = [...before.x.keys()];
  // While the frame glides its edges lie between two known points: the one beyond belongs to what is seen, too.
  const [lowest, highest] = [Math.max(0, lastUpTo(before.x, across[0] + same)), firstFrom(before.x, across[1] - same)];
  const under = places.filter((place) => at(before.x, place) < first - same && place >= lowest);
  const over = places.filter((place) => at(before.x, place) > end + same && place <= highest);
  if (!under.length && !over.length) return asked;
  const joined = (ours: Float64Array, theirs: Float64Array) => {
    const was = along(before.x, theirs);
    const [aside, beside] = [at(ours, 0) - was(first), at(ours, last) - was(end)];
    return Float64Array.from([
      ...under.map((place) => at(theirs, place) + aside),
      ...ours,
      ...over.map((place) => at(theirs, place) + beside),
    ]);
  };
  return {
    x: Float64Array.from([
      ...under.map((place) => at(before.x, place)),
      ...asked.x,
      ...over.map((place) => at(before.x, place)),
    ]),
    y: joined(asked.y, before.y),
    high: asked.high && before.high && joined(asked.high, before.high),
  };
}

/** Place of the first of some rising numbers that is not below a value; beyond the last where all are. */
function firstFrom(rising: Float64Array, value: number): number {
  const found = rising.findIndex((each) => each >= value);
  return found < 0 ? rising.length : found;
}

export function courseOf(axes: Axes, line: Line, x: readonly number[]): Course {
  return {
    x: Float64Array.from(x, (value) => even(axes.x, value)),
    y: Float64Array.from(line.y, (value) => even(axes.y, value)),
    high: line.high ? Float64Array.from(line.high, (value) => even(axes.y, value)) : null,
  };
}
