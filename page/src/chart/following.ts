// The axis up as it follows a hand: in steps, each of which doubles its range or halves it, so that it stays between them.

import type { Axis } from "../documents";
import { even, uneven } from "./frame";
import { at } from "./numbers";

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

/** Ticks of a shorter axis, and on beyond them as they go, up to an end; where those would be too many, every second, fifth, tenth and so on. */
export function ticksUpTo(axis: Steps, ticks: readonly number[], end: number): number[] {
  const all = [...ticks];
  if (all.length < 2 || !Number.isFinite(end)) return all;
  const [first, before, last] = [at(all, 0), at(all, all.length - 2), at(all, all.length - 1)];
  if (axis.is_logarithmic) {
    // Of 1, 2 and 5 those of the next power of ten; where that is far up, powers alone.
    const decades = Math.max(0, Math.floor(Math.log10((end * (1 + NOTHING)) / last)));
    const apart = widened(decades * all.length);
    const powers = ticks.filter((tick) => apart === 1 || tick === last).filter((tick) => tick * 10 > last * (1 + NOTHING));
    for (let up = apart; up <= decades + 1; up += apart) {
      all.push(...powers.map((tick) => tick * 10 ** up).filter((tick) => tick <= end * (1 + NOTHING)));
    }
    return all;
  }
  const step = last - before;
  if (!(step > 0)) return all;
  const apart = widened((end - last) / step);
  const [from, by] = apart === 1 ? [last, step] : [first, step * apart];
  const begun = apart === 1 ? all : [first];
  for (let many = 1; from + many * by <= end * (1 + NOTHING); many += 1) begun.push(from + many * by);
  return begun;
}

/** So many ticks are added as they go, at most. */
const MOST = 8;

/** Of 1, 2, 5, 10, 20 and so on the first by which so many are divided into few. */
function widened(many: number): number {
  for (let ten = 1; ; ten *= 10) {
    for (const one of [ten, 2 * ten, 5 * ten]) if (!(many / one > MOST)) return one;
  }
}
