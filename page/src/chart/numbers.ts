// Numbers between others, and things in lists.

/** The nearest number within bounds; the lower one where they are crossed. */
export function clamp(value: number, low = 0, high = 1): number {
  return Math.max(low, Math.min(high, value));
}

/** The number at a part of the way; exact at its end. */
export function mixed(from: number, to: number, part: number): number {
  return part === 1 ? to : from + (to - from) * part;
}

/** An element that is known to be there. */
export function at<Thing>(list: ArrayLike<Thing>, place: number): Thing {
  return list[place] as Thing;
}

/** Place of the last of some rising numbers that is not above a value; -1 where all are. */
export function lastUpTo(rising: ArrayLike<number>, value: number): number {
  let [low, high] = [0, rising.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at(rising, middle) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Straight from point to point, level beyond the ends; quick where it is asked from left to right. */
export function along(xs: ArrayLike<number>, ys: ArrayLike<number>): (x: number) => number {
  const last = xs.length - 1;
  let place = 0;
  return (x) => {
    if (last < 0) return Number.NaN;
    if (x <= at(xs, 0)) return at(ys, 0);
    if (x >= at(xs, last)) return at(ys, last);
    if (at(xs, place) > x || x - at(xs, place) > 8 * (at(xs, place + 1) - at(xs, place))) place = lastUpTo(xs, x);
    while (at(xs, place + 1) < x) place += 1;
    const [low, high] = [at(xs, place), at(xs, place + 1)];
    return at(ys, place) + ((at(ys, place + 1) - at(ys, place)) * (x - low)) / (high - low);
  };
}

/** How high a drawn line lies at a place; null where it is not drawn. */
export function heightAt(xs: readonly number[], ys: readonly number[], x: number): number | null {
  return xs.length && x >= at(xs, 0) && x <= at(xs, xs.length - 1) ? along(xs, ys)(x) : null;
}

/** By how much multiples of a power of ten grow, coarse and fine. */
const FOLDS = [
  [1, 2, 5],
  [1, 1.5, 2, 3, 5, 7],
];

/** Round numbers between two ends, as fine as it takes for so many. */
export function folds(low: number, high: number, least: number): number[] {
  const [from, to] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const powers = Array.from({ length: to - from + 1 }, (_, place) => from + place);
  const among = (parts: readonly number[]) =>
    powers.flatMap((power) => parts.map((part) => Number(`${part}e${power}`))).filter((one) => low <= one && one <= high);
  return FOLDS.map(among).find((ticks) => ticks.length >= least) ?? among(FOLDS[1] ?? []);
}
