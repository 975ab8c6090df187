import { expect, test } from "vitest";

import type { Axes } from "../../documents";
import type { Ends } from "../frame";
import { FrameKeeper } from "../keeper";
import type { Lines } from "../lines";

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
  const keeper = new FrameKeeper();
  keeper.hold([], null, lines(isBold, ...before), AXES, WAS, new Map());
  return keeper.underHand(AXES, lines(isBold, ...now), WAS, { x: [0, 40], y: [0, best] }, new Map(), false).y[1];
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

test.each([
  ["what comes to the upper edge has room", 5, 9.6, 12, 20],
  ["what is less near to it keeps the frame", 5, 9.4, 12, 10],
  ["what comes to the lower edge, too", 5, 0.4, 4, 5],
  ["what stood at the edge keeps it until it is nearer", 9.7, 9.65, 12, 10],
  ["what stood beyond the frame is not brought into it", 14, 20, 12, 10],
])("beside an answer a height that is read is followed: %s", (_, before, now, best, end) => {
  const keeper = new FrameKeeper();
  const [seen, axes] = [lines(true, 3), AXES];
  keeper.hold([], null, seen, axes, WAS, new Map([["now", before]]));
  const { y } = keeper.underHand(axes, seen, WAS, { x: WAS.x, y: [0, best] }, new Map([["now", now]]), true);
  expect(y[1]).toBeCloseTo(end, 9);
});

test("a line that ends before the handle, where it has no height, does not keep the axis from another that is read", () => {
  const keeper = new FrameKeeper();
  const seen = lines(true, 3);
  const reads = (one: number, other: number) => new Map([["ends", one] as const, ["rises", other] as const]);
  const under = (one: number, other: number) =>
    keeper.underHand(AXES, seen, WAS, { x: WAS.x, y: [0, 12] }, reads(one, other), true).y[1];
  keeper.hold([], null, seen, AXES, WAS, reads(5, 5));
  expect(under(Number.NaN, 5)).toBe(10);
  expect(under(Number.NaN, 35)).toBe(40);
});

test("a frame along is another where it was asked for, not where its ends are written anew; and never under a mark in hand", () => {
  const keeper = new FrameKeeper();
  const [before, point] = [lines(true, 8), { mark: { name: "here", x: 5 }, mode: "lecture" }] as const;
  keeper.hold([], null, before, AXES, WAS, new Map());
  expect(keeper.hasAnotherAlong(AXES, before, WAS, { x: [0, 10 + 1e-9], y: [0, 10] }, new Map())).toBe(false);
  expect(keeper.hasAnotherAlong(AXES, before, WAS, { x: [20, 40], y: [0, 10] }, new Map())).toBe(true);
  keeper.hold([point as never], point as never, before, AXES, WAS, new Map());
  expect(keeper.hasAnotherAlong(AXES, before, WAS, { x: [20, 40], y: [0, 10] }, new Map())).toBe(false);
});
