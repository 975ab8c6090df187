import { expect, test } from "vitest";

import { farthestOf, isGood, type Mark, nearestOf, scoreOf, type Told } from "./outcome";

/** A guess that is so many times as much as is true. */
const told = (place: number, times: number, mark: Mark = "right"): Told => ({
  place,
  mark,
  words: "",
  away: Math.abs(Math.log(times)),
});
/** A question without a guess. */
const open = told(5, Number.NaN, "open");

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
});
