import { expect, test } from "vitest";

import type { Axes } from "../../documents";
import type { Ends } from "../frame";
import type { Lines } from "../lines";
import { Watch } from "../lost";

const AXES = { x: { is_logarithmic: false }, y: { is_logarithmic: false } } as Axes;
const WAS: Ends = { x: [0, 10], y: [0, 10] };

/** Straight lines from nothing, each up to a height at the end of the frame. */
function lines(isBold: boolean, ...heights: number[]): Lines {
  const seen = heights.map((height) => ({
    line: { is_bold: isBold },
    drawnAt: (x: number) => (x * height) / 10,
    highest: () => height,
    standing: () => ({ inside: Math.min(1, 10 / height), reach: Math.min(1, height / 10) }),
  }));
  return { seen } as unknown as Lines;
}

function followed(isBold: boolean, before: number[], now: number[], best: number): number {
  const watch = new Watch();
  watch.hold([], null, lines(isBold, ...before), AXES, WAS, new Map());
  return watch.follows(AXES, lines(isBold, ...now), WAS, { x: [0, 40], y: [0, best] }, new Map(), false).y[1];
}

test.each([
  ["lines that sink low have half of the range", [8, 5], [3, 2], 3.2, 5],
  ["lines that sink a little keep it", [8, 5], [5, 4], 5.2, 10],
  ["lines that were as low before keep it", [3, 2], [2.9, 2], 3.2, 10],
  ["what leaves the frame has room", [8, 5], [35, 5], 40, 40],
  ["the best range of a picture that goes on for longer is not the frame's", [8, 5], [35, 5], 140, 40],
])("%s", (_, before, now, best, end) => {
  expect(followed(true, before, now, best)).toBeCloseTo(end, 9);
});

test("a picture without a bold line is followed, too", () => {
  expect(followed(false, [6, 1], [450, 90], 470)).toBe(640);
});

test("a frame along is another where it was asked for, not where its ends are written anew; and never under a mark in hand", () => {
  const watch = new Watch();
  const [before, point] = [lines(true, 8), { mark: { name: "here", x: 5 }, mode: "lecture" }] as const;
  watch.hold([], null, before, AXES, WAS, new Map());
  expect(watch.isElsewhere(AXES, before, WAS, { x: [0, 10 + 1e-9], y: [0, 10] }, new Map())).toBe(false);
  expect(watch.isElsewhere(AXES, before, WAS, { x: [20, 40], y: [0, 10] }, new Map())).toBe(true);
  watch.hold([point as never], point as never, before, AXES, WAS, new Map());
  expect(watch.isElsewhere(AXES, before, WAS, { x: [20, 40], y: [0, 10] }, new Map())).toBe(false);
});
