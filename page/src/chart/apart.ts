// Things on one line that may not touch: each as near to its place as the others let it.

import { at, clamp } from "./numbers";

/**
 * Places in the given order, `least(i, j)` or more from an earlier to a later one, between each one's own bounds.
 *
 * Those pushed forward alone and those pushed backward alone both keep all distances, and so does their middle. It moves no
 * farther than what is wished for moves: nothing hops. Null where there is no room.
 */
export function apart(
  wished: readonly number[],
  lows: readonly number[],
  highs: readonly number[],
  least: (earlier: number, later: number) => number,
): number[] | null {
  const count = wished.length;
  const forward = (from: readonly number[]): number[] => {
    const places = [...from];
    for (let later = 0; later < count; later += 1)
      for (let earlier = 0; earlier < later; earlier += 1)
        places[later] = Math.max(at(places, later), at(places, earlier) + least(earlier, later));
    return places;
  };
  const backward = (from: readonly number[]): number[] => {
    const places = [...from];
    for (let earlier = count - 1; earlier >= 0; earlier -= 1)
      for (let later = earlier + 1; later < count; later += 1)
        places[earlier] = Math.min(at(places, earlier), at(places, later) - least(earlier, later));
    return places;
  };
  const lowest = forward(lows);
  const highest = backward(highs);
  if (lowest.some((low, place) => low > at(highest, place) + 1e-6)) return null;
  const pushed = forward(wished);
  const pulled = backward(wished);
  return pushed.map((place, which) => clamp((place + at(pulled, which)) / 2, at(lowest, which), at(highest, which)));
}
