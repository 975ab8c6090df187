// Which numbers stand at an axis: of those that a document gives the ones that fit, and more where the axis goes on.

import type { Axis } from "../documents";
import { at } from "./numbers";

type Steps = Pick<Axis, "is_logarithmic">;

/** Part by which an end may be off and still have its tick. */
const ROUNDING = 1e-9;

/** Of the ticks that a document gives, the most that fit beside each other, in even steps of the list. */
export function ticksThatFit(
  values: readonly number[],
  place: (value: number) => number,
  length: (value: number) => number,
  gap: number,
): number[] {
  const isFree = (chosen: readonly number[]) =>
    chosen.every((value, which) => {
      const next = chosen[which + 1];
      return next === undefined || Math.abs(place(next) - place(value)) >= (length(value) + length(next)) / 2 + gap;
    });
  const choices = [values, ...decades(values)];
  for (let step = 2; step <= values.length; step += 1) choices.push(values.filter((_, which) => which % step === 0));
  return [...(choices.find(isFree) ?? values.slice(0, 1))];
}

/** Of ticks at 1, 2 and 5 the powers of ten alone, and every so many of them: rounder than what stepping through gives. */
function decades(values: readonly number[]): number[][] {
  const isRound = (value: number, digits: string) =>
    value > 0 && digits.includes(value.toExponential(6).charAt(0)) && /^.\.0*e/.test(value.toExponential(6));
  if (!values.every((value) => isRound(value, "125"))) return [];
  const powers = values.filter((value) => isRound(value, "1"));
  return [1, 2, 3].map((step) => powers.filter((_, which) => which % step === 0)).filter((some) => some.length > 1);
}

/** Ticks of a shorter axis, and on beyond them as they go, up to an end; where those would be too many, every second, fifth, tenth and so on. */
export function ticksUpTo(axis: Steps, ticks: readonly number[], end: number): number[] {
  const all = [...ticks];
  if (all.length < 2 || !Number.isFinite(end)) return all;
  const [first, before, last] = [at(all, 0), at(all, all.length - 2), at(all, all.length - 1)];
  if (axis.is_logarithmic) {
    // Of 1, 2 and 5 those of the next power of ten; where that is far up, powers alone.
    const decades = Math.max(0, Math.floor(Math.log10((end * (1 + ROUNDING)) / last)));
    const apart = widened(decades * all.length);
    const powers = ticks.filter((tick) => apart === 1 || tick === last).filter((tick) => tick * 10 > last * (1 + ROUNDING));
    for (let up = apart; up <= decades + 1; up += apart) {
      all.push(...powers.map((tick) => tick * 10 ** up).filter((tick) => tick <= end * (1 + ROUNDING)));
    }
    return all;
  }
  const step = last - before;
  if (!(step > 0)) return all;
  const apart = widened((end - last) / step);
  const [from, by] = apart === 1 ? [last, step] : [first, step * apart];
  const begun = apart === 1 ? all : [first];
  for (let many = 1; from + many * by <= end * (1 + ROUNDING); many += 1) begun.push(from + many * by);
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
