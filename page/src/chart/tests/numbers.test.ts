import { expect, test } from "vitest";

import { along, heightAt, lastUpTo } from "../numbers";
import { chance } from "./chance";

test("the last that is not above a value", () => {
  const rising = [0, 1, 1, 4];
  expect([-1, 0, 0.5, 1, 3.9, 4, 9].map((value) => lastUpTo(rising, value))).toEqual([-1, 0, 0, 2, 2, 3, 3]);
  expect(lastUpTo([], 1)).toBe(-1);
});

test("between points a line is straight, in whatever order it is asked", () => {
  const [xs, ys] = [
    [0, 1, 10, 100, 101],
    [5, 7, 7, -2, 0],
  ];
  const inOrder = along(xs, ys);
  const next = chance(1);
  expect([-1, 0, 0.5, 5, 55, 100.5, 200].map(inOrder)).toEqual([5, 5, 6, 7, 2.5, -1, 0]);
  for (let round = 0; round < 200; round += 1) {
    const x = 110 * next() - 5;
    expect(inOrder(x)).toBe(along(xs, ys)(x));
  }
});

test("beyond its ends a drawn line has no height", () => {
  expect([0.9, 1, 1.5, 2, 2.1].map((x) => heightAt([1, 2], [10, 20], x))).toEqual([null, 10, 15, 20, null]);
  expect(heightAt([], [], 1)).toBe(null);
});
