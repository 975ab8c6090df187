import { expect, test } from "vitest";

import type { Batch } from "../documents";
import { spots } from "./circling";

/** Two stages of a turn each: the second batch follows the first; a third waits at the first stage until both have begun. */
const three: Batch[] = [0, 1, 2].map((number) => ({
  starts: [0, 1, 3, 4].map((start) => start + number),
  ends: [1, 2, 4, 5].map((end) => end + number),
}));

test("a batch is in one stage or waits before the next one", () => {
  const [first, second, third] = spots(three, 2, 0.5);
  expect(first).toMatchObject({ visit: 0, stage: 0, part: 0.5, inRing: 1 });
  expect(second).toMatchObject({ visit: 0, stage: 0, part: 0, inRing: 0, ahead: 0 });
  expect(third).toMatchObject({ stage: 0, inRing: 0, ahead: 1 });
  // Through both stages, it waits a turn for the third batch to have begun.
  expect(spots(three, 2, 2.9)[0]).toMatchObject({ visit: 2, stage: 0, part: 0, inRing: 0, ahead: 0 });
  expect(spots(three, 2, 3.5)[0]).toMatchObject({ visit: 2, stage: 0, part: 0.5, inRing: 1 });
});

test("who steps out of the queue makes room bit by bit", () => {
  const aheads = [0.999, 1.05, 1.15, 1.25, 1.35].map((time) => spots(three, 2, time)[2]?.ahead ?? Number.NaN);
  expect(aheads[0]).toBe(1);
  expect(aheads[4]).toBe(0);
  expect([...aheads].sort((one, other) => other - one)).toEqual(aheads);
  expect(new Set(aheads).size).toBe(5);
});

test("where nobody waits a batch goes round without a step aside", () => {
  const alone: Batch[] = [{ starts: [0, 1, 2, 3], ends: [1, 2, 3, 4] }];
  for (let time = 0.01; time <= 4; time += 0.11) {
    const [spot] = spots(alone, 2, time);
    expect(spot?.inRing).toBe(1);
    expect((spot?.visit ?? 0) + (spot?.part ?? 0)).toBeCloseTo(time, 9);
  }
});
