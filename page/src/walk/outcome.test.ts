import { expect, test } from "vitest";

import { farthestOf, isGood, nearestOf, offOf, scoreOf, type Told } from "./outcome";

const told = (place: number, value: number | null, truth: number): Told => ({
  place,
  value,
  truth,
  isRight: true,
  mark: "right",
  words: "",
});

test("guesses lie by their ratio, even in powers of ten, and what is exact in the middle", () => {
  const three = [told(1, 10, 10), told(2, 30, 3), told(3, 1, 100)];
  const off = offOf(three);
  expect(off?.ends).toBe(100);
  expect(off?.dots.map(({ place, at }) => [place, at])).toEqual([
    [3, 0],
    [1, 0.5],
    [2, 0.75],
  ]);
  // Of three there is no middle worth telling.
  expect(off?.middle).toBeNull();
  expect(offOf([...three, told(4, 5, 1)])?.middle).toBe("5.0×");
});

test("dots that would lie over each other stand one above another", () => {
  const off = offOf([told(1, 1, 1), told(2, 1.01, 1), told(3, 1.02, 1), told(4, 1.03, 1)]);
  expect(off?.dots.map(({ level }) => level)).toEqual([0, 1, 2, 3]);
  expect(off?.middle).toBe("1 %");
});

test("where nothing can be compared there is no line", () => {
  expect(offOf([told(1, null, 1), told(2, 0, 1), told(3, 1, 0)])).toBeNull();
});

test("a score is good where at least half of several guesses were right", () => {
  const wrong = { ...told(9, 1, 5), isRight: false };
  const right = told(1, 1, 1);
  expect(scoreOf([right, wrong, told(3, null, 1)])).toEqual({ right: 1, of: 2 });
  expect(isGood(scoreOf([right]))).toBe(false);
  expect(isGood(scoreOf([right, right, wrong, wrong]))).toBe(true);
  expect(isGood(scoreOf([right, wrong, wrong, wrong]))).toBe(false);
});

test("the best guess is the nearest by its ratio among the right ones", () => {
  const wrong = { ...told(9, 1.001, 1), isRight: false };
  expect(nearestOf([told(1, 2, 1), wrong, told(2, 0.9, 1), told(3, null, 1)])?.place).toBe(2);
  expect(nearestOf([wrong])).toBeNull();
});

test("an answer that was chosen counts, and is neither near nor far", () => {
  const chosen = { ...told(4, 1, Number.NaN), isRight: true };
  const missed = { ...chosen, place: 5, isRight: false };
  expect(scoreOf([chosen, missed])).toEqual({ right: 1, of: 2 });
  expect(nearestOf([chosen])).toBeNull();
  expect(nearestOf([chosen, told(1, 2, 1)])?.place).toBe(1);
  expect(farthestOf([missed])).toBeNull();
  expect(offOf([chosen, missed])).toBeNull();
});
