// Numbers on the clock of a step.

import { expect, test } from "vitest";

import { ticksTo } from "./clock";

test("ticks are round, about as many as asked, and none lies beyond the end", () => {
  expect(ticksTo(4, 8)).toEqual([0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4]);
  expect(ticksTo(0.00163, 4)).toEqual([0, 0.0005, 0.001, 0.0015]);
  expect(ticksTo(70, 3)).toEqual([0, 20, 40, 60]);
  expect(ticksTo(0, 5)).toEqual([]);
  for (let end = 1e-6; end < 1e3; end *= 1.37) {
    const ticks = ticksTo(end, 6);
    expect(ticks.at(-1)).toBeLessThanOrEqual(end);
    expect(ticks.length).toBeGreaterThan(3);
    expect(ticks.length).toBeLessThan(11);
  }
});
