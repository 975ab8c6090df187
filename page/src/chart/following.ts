// The axis up as it follows a hand: in steps, each of which doubles its range or halves it, so that it stays between them.

import type { Axis } from "../documents";
import { even, uneven } from "./frame";
import { at } from "./numbers";

type Along = readonly [low: number, high: number];
type Steps = Pick<Axis, "is_logarithmic">;

/** From the low end that is best for a picture, so far that it has room for what is best and for a height that is read. */
export function followed(axis: Steps, was: Along, fresh: Along, read: number): [low: number, high: number] {
  const [low, high] = fresh;
  const before = even(axis, was[1]) - even(axis, was[0]);
  const needed = even(axis, Number.isFinite(read) ? Math.max(high, read) : high) - even(axis, low);
  if (!(before > 0) || !(needed > 0)) return [low, high];
  return [low, uneven(axis, even(axis, low) + before * 2 ** Math.ceil(Math.log2(needed / before) - NOTHING))];
}

/** A doubling that is more than whole by no more than rounding is whole. */
const NOTHING = 1e-9;

/** Ticks of a shorter axis, and on beyond them as they go, up to an end. */
export function ticksUpTo(axis: Steps, ticks: readonly number[], end: number): number[] {
  const all = [...ticks];
  if (all.length < 2) return all;
  const [before, last] = [at(all, all.length - 2), at(all, all.length - 1)];
  // Of 1, 2 and 5 those of the next power of ten; of even steps the next one.
  const powers = ticks.filter((tick) => tick * 10 > last * (1 + NOTHING)).map((tick) => tick * 10);
  for (let many = 1; ; many += 1) {
    const next = axis.is_logarithmic
      ? at(powers, (many - 1) % powers.length) * 10 ** Math.floor((many - 1) / powers.length)
      : last + many * (last - before);
    if (!(next <= end * (1 + NOTHING))) return all;
    all.push(next);
  }
}
