// The axis up as it follows a hand: in steps, each of which doubles its range or halves it, so that it stays between them.

import type { Axis } from "../documents";
import { even, uneven } from "./frame";

type Along = readonly [low: number, high: number];
type Steps = Pick<Axis, "is_logarithmic">;

/** Of the best range for a picture: a height that is read further up makes all else flat, and has an arrow. */
const FARTHEST = 8;

/** From the low end that is best for a picture, so far that it has room for what is best and, up to a part of it, for a height that is read. */
export function followed(axis: Steps, was: Along, fresh: Along, read: number, part = 1): [low: number, high: number] {
  const [low, high] = fresh;
  const before = even(axis, was[1]) - even(axis, was[0]);
  const best = even(axis, high) - even(axis, low);
  const asked = Number.isFinite(read) ? (even(axis, read) - even(axis, low)) / part : best;
  const needed = Math.max(best, Math.min(asked, FARTHEST * best));
  if (!(before > 0) || !(needed > 0)) return [low, high];
  return [low, uneven(axis, even(axis, low) + before * 2 ** Math.ceil(Math.log2(needed / before) - NOTHING))];
}

/** A doubling that is more than whole by no more than rounding is whole. */
const NOTHING = 1e-9;
