// The course of a line in even steps, where a step is as far on the screen as any other.

import type { Axes, Line } from "../documents";
import { even } from "./frame";
import { along, at } from "./numbers";

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
  const under = places.filter((place) => at(before.x, place) < first - same && at(before.x, place) >= across[0] - same);
  const over = places.filter((place) => at(before.x, place) > end + same && at(before.x, place) <= across[1] + same);
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

export function courseOf(axes: Axes, line: Line, x: readonly number[]): Course {
  return {
    x: Float64Array.from(x, (value) => even(axes.x, value)),
    y: Float64Array.from(line.y, (value) => even(axes.y, value)),
    high: line.high ? Float64Array.from(line.high, (value) => even(axes.y, value)) : null,
  };
}
