import { describe, expect, test } from "vitest";
import type { Mark } from "../../documents";
import { at } from "../numbers";
import { apart } from "../points";
import { compared, times } from "../ratio";
import { flowed, fromTop, stacked } from "../stacking";
import { chance } from "./chance";

function someEnds(seed: number): { ends: number[]; heights: number[]; height: number } {
  const next = chance(seed);
  const count = 1 + Math.floor(7 * next());
  const heights = Array.from({ length: count }, () => 16 * (1 + Math.floor(3 * next())));
  const height = heights.reduce((sum, each) => sum + each + 3, 0) + 300 * next();
  return { ends: heights.map(() => height * next()), heights, height };
}

const CASES = Array.from({ length: 300 }, (_, seed) => someEnds(seed));

function placed({ ends, heights, height }: ReturnType<typeof someEnds>, order: number[]): number[] {
  const middles = stacked(ends, heights, order, 0, height);
  if (!middles) throw new Error("no room");
  return middles;
}

describe("names at the right ends of lines", () => {
  test("do not touch, and stay beside the plot", () => {
    for (const one of CASES) {
      const order = fromTop(one.ends);
      const middles = placed(one, order);
      const edge = (place: number, side: number) => at(middles, place) + (side * at(one.heights, place)) / 2;
      order.forEach((place, which) => {
        expect(edge(place, -1)).toBeGreaterThanOrEqual(-0.01);
        expect(edge(place, 1)).toBeLessThanOrEqual(one.height + 0.01);
        if (which) expect(edge(place, -1)).toBeGreaterThanOrEqual(edge(at(order, which - 1), 1) - 0.01);
      });
    }
  });

  test("stand where their lines end if nothing is in the way", () => {
    expect(stacked([50, 150, 250], [16, 16, 16], [0, 1, 2], 0, 300)).toEqual([50, 150, 250]);
  });

  test("move no farther than the ends of lines move", () => {
    for (const [seed, one] of CASES.entries()) {
      const next = chance(seed + 2000);
      const order = fromTop(one.ends);
      const before = placed(one, order);
      const after = placed({ ...one, ends: one.ends.map((end) => end + 6 * (next() - 0.5)) }, order);
      for (const [place, middle] of after.entries()) expect(Math.abs(middle - at(before, place))).toBeLessThanOrEqual(3.01);
    }
  });

  test("say so where they do not fit", () => {
    expect(stacked([10, 20], [40, 40], [0, 1], 0, 60)).toBeNull();
  });

  test("flow over as many rows as a narrow screen needs", () => {
    expect(flowed([100, 100, 100], 220, 10)).toEqual([
      { x: 0, row: 0 },
      { x: 110, row: 0 },
      { x: 0, row: 1 },
    ]);
  });
});

test("ratios are written in few digits", () => {
  expect([0.0741, 0.5, 2.3, 15.2, 120.4, 3456].map(times)).toEqual(["0.074", "0.5", "2.3", "15", "120", "3,456"]);
});

test("ratios are said in words of their axis", () => {
  const axis = (caption: string, dimension: string) => ({ caption, dimension, is_logarithmic: false });
  expect(compared(1 / 57, axis("context, tokens", "count"))).toBe("57× shorter context");
  expect(compared(1.37, axis("time of a decode step", "s"))).toBe("1.4× longer");
  expect(compared(0.25, axis("cost of a million output tokens", "usd_per_token"))).toBe("4× cheaper");
  expect(compared(12.2, axis("tokens per second", "count"))).toBe("12× more tokens per second");
  expect(compared(0.5, axis("share of peak FLOP/s (MFU)", "fraction"))).toBe("2× lower");
  expect(compared(0.24, axis("size of a model as good, active parameters", "count"))).toBe("4.2× smaller");
  for (const nothing of [1.01, 0, -2, Number.NaN, Infinity]) expect(compared(nothing, axis("x", "count"))).toBe("");
});

test("marks of both modes are compared where they lie farther apart, but not in a unit of each mode's own", () => {
  const marked = (x: number, y: number) => ({ name: "here", x, y }) as Mark;
  const both = [
    { mark: marked(64, 64), mode: "lecture" as const, isBold: true },
    { mark: marked(72, 2592), mode: "careful" as const, isBold: true },
  ];
  const x = { caption: "chips of a domain", dimension: "count", is_logarithmic: true };
  const y = { caption: "cables in total", dimension: "count", is_logarithmic: true };
  expect(apart(both, { x, y })).toMatchObject({ axis: "y", ratio: "41× more cables in total" });
  expect(apart(both, { x, y: { ...y, is_relative: true } })).toMatchObject({ axis: "x", ratio: "1.1× more chips of a domain" });
});
