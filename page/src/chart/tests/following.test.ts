import { expect, test } from "vitest";

import { followed } from "../following";
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
