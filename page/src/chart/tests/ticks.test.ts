import { describe, expect, test } from "vitest";

import { at } from "../numbers";
import { ticksThatFit, ticksUpTo } from "../ticks";
import { chance } from "./chance";

const [LINEAR, LOGARITHMIC] = [false, true].map((is_logarithmic) => ({ is_logarithmic })) as [
  { is_logarithmic: boolean },
  { is_logarithmic: boolean },
];

describe("ticks", () => {
  const fitting = (values: number[], width: number, length: number) => {
    const [low, high] = [at(values, 0), at(values, values.length - 1)];
    const place = (value: number) => (Math.log(value / low) / Math.log(high / low)) * width;
    return { found: ticksThatFit(values, place, () => length, 10), place };
  };

  test("never touch each other", () => {
    for (let seed = 0; seed < 200; seed += 1) {
      const next = chance(seed);
      const values = Array.from({ length: 2 + Math.floor(20 * next()) }, () => 10 ** (6 * next())).sort((a, b) => a - b);
      const length = 10 + 60 * next();
      const { found, place } = fitting(values, 230 + 1000 * next(), length);
      for (const [which, value] of found.slice(1).entries())
        expect(place(value) - place(at(found, which))).toBeGreaterThanOrEqual(length + 10 - 1e-6);
    }
  });

  test("are two at least wherever two have room", () => {
    for (let seed = 0; seed < 200; seed += 1) {
      const next = chance(seed);
      const values = Array.from({ length: 2 + Math.floor(12 * next()) }, () => 10 ** (3 * next())).sort((a, b) => a - b);
      const [width, length] = [60 + 500 * next(), 8 + 50 * next()];
      const { found } = fitting(values, width, length);
      expect(found.length >= 2).toBe(width >= length + 10);
    }
  });

  test("are powers of ten before anything less round", () => {
    const values = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
    expect(fitting(values, 2000, 40).found).toEqual(values);
    expect(fitting(values, 300, 40).found).toEqual([1, 10, 100, 1000]);
  });

  test("of times, which have no powers, are every so many", () => {
    expect(fitting([60, 600, 3600, 36000, 86400], 150, 40).found).toEqual([60, 3600, 86400]);
  });
});

test.each([LINEAR, LOGARITHMIC])("ticks of an axis that goes on for long are few", (axis) => {
  for (const end of [1e3, 1e9, 1e200, Number.POSITIVE_INFINITY]) {
    const found = ticksUpTo(axis, axis.is_logarithmic ? [1, 2, 5, 10] : [0, 5, 10], end);
    expect(found.length).toBeLessThan(24);
    expect([...found].sort((one, other) => one - other)).toEqual(found);
    expect(found.at(-1)).toBeLessThanOrEqual(end * (1 + 1e-9)); // rounding
  }
});

test.each([
  [LINEAR, [0, 5, 10], 22, [0, 5, 10, 15, 20]],
  [LINEAR, [0, 5, 10], 12, [0, 5, 10]],
  [LOGARITHMIC, [1, 2, 5, 10], 120, [1, 2, 5, 10, 20, 50, 100]],
  [LOGARITHMIC, [1, 10, 100], 20000, [1, 10, 100, 1000, 10000]],
  [LINEAR, [5], 100, [5]],
])("ticks go on as they went", (axis, ticks, end, all) => {
  const found = ticksUpTo(axis, ticks, end);
  expect(found).toHaveLength(all.length);
  found.forEach((tick, place) => {
    expect(tick).toBeCloseTo(all[place] as number, 9);
  });
});
