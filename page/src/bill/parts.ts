// Values on an axis, and which part of it they lie at.

import { even, uneven } from "../chart/frame";
import { clamp } from "../chart/numbers";
import type { Axis } from "../documents";

export interface Place {
  /** In base units, within the axis. */
  x: number;
  /** Of the axis. */
  part: number;
}

/** Of an axis the value at a part. */
export function valueAt(axis: Axis, part: number): number {
  const [low, high] = evenEnds(axis);
  // At an end exactly: what is rounded may lie beyond it, where nothing is drawn.
  return clamp(uneven(axis, low + (high - low) * part), ...(axis.ends ?? [1, 1]));
}

/** Of an axis the part at which a value lies; beyond its ends it is shown at the nearer one. */
export function partAt(axis: Axis, x: number): number {
  const [low, high] = evenEnds(axis);
  return high > low ? clamp((even(axis, x) - low) / (high - low)) : 0;
}

function evenEnds(axis: Axis): [number, number] {
  return (axis.ends ?? [1, 1]).map((end) => even(axis, end)) as [number, number];
}

/** As the address has it, or (null) a value, else a part of the axis. */
export function placeOn(axis: Axis, at: number | null, first: number): Place {
  const part = at === null ? first : partAt(axis, at);
  return { x: valueAt(axis, part), part };
}
