import { expect, test } from "vitest";

import { farthestOf, isGood, middleOf, nearestOf, scoreOf, type Told } from "./outcome";

const told = (place: number, value: number | null, truth: number): Told => ({
  place,
  value,
  truth,
  isRight: true,
  mark: "right",
  words: "",
});

test("of several guesses half were off by less than the middle one", () => {
  const three = [told(1, 10, 10), told(2, 30, 3), told(3, 1, 100)];
  // Of three there is no middle worth telling, nor of what cannot be compared.
  expect(middleOf(three)).toBeNull();
  expect(middleOf([...three, told(4, 0, 1), told(5, null, 1)])).toBeNull();
  expect(middleOf([...three, told(4, 5, 1)])).toBe("5.0×");
  expect(middleOf([told(1, 1, 1), told(2, 1.01, 1), told(3, 1.02, 1), told(4, 1.03, 1)])).toBe("1 %");
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
  expect(middleOf([chosen, missed, chosen, missed])).toBeNull();
});
