import { expect, test } from "vitest";

import { offOf, type Told } from "./outcome";

const told = (place: number, value: number | null, truth: number): Told => ({
  place,
  value,
  truth,
  isRight: true,
  words: "",
});

test("guesses lie by their ratio, even in powers of ten, and what is exact in the middle", () => {
  const off = offOf([told(1, 10, 10), told(2, 30, 3), told(3, 1, 100)]);
  expect(off?.ends).toBe(100);
  expect(off?.dots.map(({ place, at }) => [place, at])).toEqual([
    [3, 0],
    [1, 0.5],
    [2, 0.75],
  ]);
  expect(off?.middle).toBe("10×");
});

test("dots that would lie over each other stand one above another", () => {
  const off = offOf([told(1, 1, 1), told(2, 1.01, 1), told(3, 1.02, 1)]);
  expect(off?.dots.map(({ level }) => level)).toEqual([0, 1, 2]);
  expect(off?.middle).toBe("1 %");
});

test("where nothing can be compared there is no line", () => {
  expect(offOf([told(1, null, 1), told(2, 0, 1), told(3, 1, 0)])).toBeNull();
});
