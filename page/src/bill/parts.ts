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

/** Of an axis the value at a part: of what cannot be divided, a whole number. */
export function valueAt(axis: Axis, part: number): number {
  const [low, high] = evenEnds(axis);
  const [least, most] = axis.ends ?? [1, 1];
  const value = uneven(axis, low + (high - low) * part);
  // Within the ends: what is rounded may lie beyond one, where nothing is drawn.
  return axis.is_whole ? clamp(Math.round(value), Math.ceil(least), Math.floor(most)) : clamp(value, least, most);
}

/** The part that a key leads to: a step of a slider's steps, or to the next whole number where that is farther. */
export function keyed(axis: Axis, part: number, step: number): number {
  const [here, there] = [valueAt(axis, part), valueAt(axis, part + step)];
  return here === there ? partAt(axis, here + Math.sign(step)) : part + step;
}

/** Of an axis the part at which a value lies; beyond its ends it is shown at the nearer one. */
export function partAt(axis: Axis, x: number): number {
  const [low, high] = evenEnds(axis);
  return high > low ? clamp((even(axis, x) - low) / (high - low)) : 0;
}

/** Whether a value lies on an axis, its ends included. */
export function isOn({ ends }: Axis, x: number): boolean {
  return !ends || (ends[0] <= x && x <= ends[1]);
}

function evenEnds(axis: Axis): [number, number] {
  return (axis.ends ?? [1, 1]).map((end) => even(axis, end)) as [number, number];
}

/** As the address has it, or (null) a value, else a part of the axis. */
export function placeOn(axis: Axis, at: number | null, first: number): Place {
  const part = at === null ? first : partAt(axis, at);
  return { x: valueAt(axis, part), part };
}
