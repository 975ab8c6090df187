import { expect, test } from "vitest";

import { ringIn } from "./loop";

test("a ring has no radius below zero, however little room there is", () => {
  for (let side = 0; side <= 400; side += 5)
    for (const stages of [1, 2, 4, 16, 64]) {
      const { outer, wide, size } = ringIn(side, stages);
      expect(Math.min(outer, outer - wide / 2, wide, size)).toBeGreaterThanOrEqual(0);
    }
  expect(ringIn(200, 4).size).toBeGreaterThan(5);
});
