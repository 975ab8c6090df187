import { expect, test } from "vitest";

import { followed, ticksUpTo } from "../following";
import { chance } from "./chance";

const [LINEAR, LOGARITHMIC] = [false, true].map((is_logarithmic) => ({ is_logarithmic })) as [
  { is_logarithmic: boolean },
  { is_logarithmic: boolean },
];

test("the range is doubled or halved, as often as needed and no more, and comes back to where it was", () => {
  const random = chance(1);
  for (let round = 0; round < 500; round += 1) {
    const was: [number, number] = [0, 10 ** (4 * random() - 2)];
    const fresh: [number, number] = [0, 10 ** (4 * random() - 2)];
    const [low, high] = followed(LINEAR, was, fresh, Number.NaN);
    const doublings = Math.log2(high / was[1]);
    expect(low).toBe(0);
    expect(doublings).toBeCloseTo(Math.round(doublings), 9);
    expect(fresh[1] / high).toBeGreaterThan(1 / 2 - 1e-6);
    expect(fresh[1] / high).toBeLessThanOrEqual(1 + 1e-6);
    expect(followed(LINEAR, [low, high], was, Number.NaN)[1]).toBeCloseTo(was[1], 9);
  }
});

test("on a logarithmic axis it is decades that double, from the new low end", () => {
  const [low, high] = followed(LOGARITHMIC, [1, 10], [0.1, 50], Number.NaN);
  expect(low).toBe(0.1);
  expect(high).toBeCloseTo(0.1 * 10 ** 4, 6);
});

test("what is read has room, also above what is best for the picture", () => {
  expect(followed(LINEAR, [0, 10], [0, 10], 35)).toEqual([0, 40]);
  expect(followed(LINEAR, [0, 10], [0, 10], 5)).toEqual([0, 10]);
});

test("what is read beyond all measure makes nothing else flat", () => {
  expect(followed(LINEAR, [0, 10], [0, 10], 1e12)).toEqual([0, 80]);
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
