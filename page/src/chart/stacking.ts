// Places for words: below each other in a margin, or beside each other over rows.

import { apart } from "./apart";
import { at, clamp } from "./numbers";

/** Between two names. */
const GAP = 3;

/** Middles of names from where their lines end, kept in an order from the top; null where all do not fit. */
export function stacked(
  ends: readonly number[],
  heights: readonly number[],
  order: readonly number[],
  top: number,
  bottom: number,
): number[] | null {
  const half = (place: number) => at(heights, at(order, place)) / 2;
  const found = apart(
    order.map((place) => at(ends, place)),
    order.map((_, which) => top + half(which)),
    order.map((_, which) => bottom - half(which)),
    (one, other) => half(one) + GAP + half(other),
  );
  if (!found) return null;
  const middles = ends.map(() => Number.NaN);
  order.forEach((place, which) => {
    middles[place] = at(found, which);
  });
  return middles;
}

/** From the top down by where lines end; of those that end alike the first comes first. */
export function fromTop(ends: readonly number[]): number[] {
  return ends.map((_, place) => place).sort((a, b) => at(ends, a) - at(ends, b) || a - b);
}

/** Where an end beyond the plot is pointed at. */
export function within(end: number, top: number, bottom: number): number {
  return Number.isFinite(end) ? clamp(end, top, bottom) : bottom;
}

/** Left edges and rows of things that flow over lines of a width. */
export function flowed(widths: readonly number[], width: number, gap: number): { x: number; row: number }[] {
  let [x, row] = [0, 0];
  return widths.map((wide) => {
    if (x > 0 && x + wide > width) [x, row] = [0, row + 1];
    const found = { x, row };
    x += wide + gap;
    return found;
  });
}
