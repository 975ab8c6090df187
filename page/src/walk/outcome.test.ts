import { expect, test } from "vitest";

import { farthestOf, isGood, type Mark, middleOf, nearestOf, scoreOf, type Told } from "./outcome";

/** A guess that is so many times as much as is true. */
const told = (place: number, times: number, mark: Mark = "right"): Told => ({
  place,
  mark,
  words: "",
  away: Math.abs(Math.log(times)),
});
/** A question without a guess. */
const open = told(5, Number.NaN, "open");

test("of several guesses half were off by less than the middle one", () => {
  const three = [told(1, 1), told(2, 10), told(3, 1 / 100)];
  // Of three there is no middle worth telling, nor of what cannot be compared.
  expect(middleOf(three)).toBeNull();
  expect(middleOf([...three, told(4, 0), open])).toBeNull();
  expect(middleOf([...three, told(4, 5)])).toBe("5.0×");
  expect(middleOf([told(1, 1), told(2, 1.01), told(3, 1.02), told(4, 1.03)])).toBe("1 %");
});

test("a score is good where at least half of several guesses were right", () => {
  const wrong = told(9, 1 / 5, "off");
  const right = told(1, 1);
  expect(scoreOf([right, wrong, told(2, 1.3, "near"), open])).toEqual({ right: 2, of: 3 });
  expect(isGood(scoreOf([right]))).toBe(false);
  expect(isGood(scoreOf([right, right, wrong, wrong]))).toBe(true);
  expect(isGood(scoreOf([right, wrong, wrong, wrong]))).toBe(false);
});

test("the best guess is the nearest by its ratio among the right ones", () => {
  const wrong = told(9, 1.001, "off");
  expect(nearestOf([told(1, 2), wrong, told(2, 0.9, "near"), open])?.place).toBe(2);
  expect(nearestOf([wrong])).toBeNull();
});

test("an answer that was chosen counts, and is neither near nor far", () => {
  const chosen = told(4, Number.NaN);
  const missed = told(5, Number.NaN, "off");
  expect(scoreOf([chosen, missed])).toEqual({ right: 1, of: 2 });
  expect(nearestOf([chosen])).toBeNull();
  expect(nearestOf([chosen, told(1, 2)])?.place).toBe(1);
  expect(farthestOf([missed])).toBeNull();
  expect(middleOf([chosen, missed, chosen, missed])).toBeNull();
});
