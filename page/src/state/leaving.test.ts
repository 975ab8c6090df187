import { expect, test, vi } from "vitest";

import type { Views } from "../documents";
import { isLeaving, placesOf } from "./leaving";

// Of one picture the large one is that.
vi.mock("./frames", () => ({ placeIn: () => 0 }));

/** A picture with one mark, or none, between ends along. */
function views(x: number | null, ends = [0, 100]): Views {
  const marks = x === null ? [] : [{ name: "optimum", x }];
  return {
    modes: ["lecture"],
    views: [{ kind: "curves", axes: { x: { ends, is_logarithmic: false } }, pictures: { lecture: { marks } } }],
  } as unknown as Views;
}

const leaves = (before: Views, found: Views, stood = before) =>
  isLeaving(placesOf(stood), before, found, ({ name }) => name === "optimum");

test.each([
  ["what moves in the middle stays", 50, 60, false],
  ["what comes near to an end leaves", 50, 97, true],
  ["at the low end, too", 50, 3, true],
  ["what is beyond the end is gone", 50, 120, true],
  ["what is not there any more is gone", 50, null, true],
  ["what stood near to an end may come a little nearer", 96, 97, false],
  ["but not by half", 96, 99, true],
  ["what was not in the frame leaves nothing", 120, 130, false],
])("%s", (_, before, now, isGone) => {
  expect(leaves(views(before), views(now))).toBe(isGone);
});

test("how near it comes is counted from where it stood as a hand took hold", () => {
  expect(leaves(views(96), views(97.5))).toBe(false);
  expect(leaves(views(97.5), views(98.5), views(96))).toBe(true);
  expect(leaves(views(97.5), views(98.5))).toBe(false);
});

test("in the frame that the other answer has", () => {
  expect(leaves(views(985, [0, 1000]), views(990, [0, 1000]), views(985, [0, 2000]))).toBe(false);
  expect(leaves(views(985, [0, 1000]), views(995, [0, 1000]), views(985, [0, 2000]))).toBe(true);
});

test("to ask changes nothing", () => {
  const stood = placesOf(views(96));
  const ask = () => isLeaving(stood, views(97.5), views(98.5), () => true);
  expect([ask(), isLeaving(stood, views(50), views(60, [0, 70]), () => true), ask()]).toEqual([true, false, true]);
});

test("what is not read may leave", () => {
  expect(isLeaving(placesOf(views(50)), views(50), views(120), () => false)).toBe(false);
});
