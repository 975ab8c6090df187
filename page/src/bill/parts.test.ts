import { expect, test } from "vitest";

import type { Axis } from "../documents";
import { isOn, keyed, partAt, placeOn } from "./parts";

const AXIS: Axis = { caption: "batch", dimension: "count", is_logarithmic: true, is_whole: true, ends: [1, 100] };
const FLOP: Axis = { caption: "training FLOP", dimension: "count", is_logarithmic: false, ends: [6, 8] };

test("a value stays where the axis has other ends, a first place is a part of whatever axis", () => {
  expect(placeOn(AXIS, 10, 0.6)).toEqual({ x: 10, part: expect.closeTo(0.5, 9) });
  const longer: Axis = { ...AXIS, ends: [1, 1e4] };
  expect(placeOn(longer, 10, 0.6)).toEqual({ x: expect.closeTo(10, 9), part: expect.closeTo(0.25, 9) });
  expect(placeOn(longer, null, 0.5).x).toBeCloseTo(100, 9);
});

test("what lies beyond the axis is shown at its end", () => {
  expect(placeOn(AXIS, 1e6, 0.6)).toEqual({ x: expect.closeTo(100, 9), part: 1 });
  const odd: Axis = { ...AXIS, ends: [1, 12255.537452712959] };
  expect(placeOn(odd, 12260, 0.6).x).toBe(12255);
  expect(placeOn({ ...FLOP, ends: [1, 12255.5] }, 12260, 0.6).x).toBe(12255.5);
  expect(partAt(AXIS, 0.1)).toBe(0);
});

test("ends are on the axis, what lies beyond them is not, and of an axis without ends there is no beyond", () => {
  expect([0.9, 1, 50, 100, 101].map((x) => isOn(AXIS, x))).toEqual([false, true, true, true, false]);
  const { ends: _, ...endless } = AXIS;
  expect(isOn(endless as Axis, 1e9)).toBe(true);
});

test("what cannot be divided is whole, another number is not, wherever its axis begins", () => {
  expect(placeOn(AXIS, 7.72, 0.6).x).toBe(8);
  expect(placeOn(FLOP, 7.6, 0.6)).toEqual({ x: 7.6, part: expect.closeTo(0.8, 9) });
});

test("a key comes to the next whole number where steps are finer, and is a step elsewhere", () => {
  const at = (x: number) => partAt(AXIS, x);
  expect(keyed(AXIS, at(1), 0.001)).toBeCloseTo(at(2), 9);
  expect(keyed(AXIS, at(3), -0.001)).toBeCloseTo(at(2), 9);
  expect(keyed({ ...AXIS, ends: [1, 1e9] }, 0.9, 0.001)).toBeCloseTo(0.901, 9);
});
