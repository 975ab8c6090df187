import { expect, test } from "vitest";

import type { Axis, Curves } from "../documents";
import { bands, billAt, percent, placed, spoken } from "./bill";

/** Compute costs 1; weights cost half of that, KV a tenth a step: they meet at 5. */
const XS = [1, 2, 4, 5, 6, 8, 10];
const PICTURE: Curves = {
  x: XS,
  lines: [],
  marks: [],
  dots: [],
  is_whole: false,
  bill: [
    [{ name: "compute", colour: "compute", y: XS.map(() => 1) }],
    [
      { name: "weights", colour: "weights", y: XS.map(() => 0.5) },
      { name: "KV", colour: "kv", y: XS.map((x) => x / 10) },
    ],
  ],
};
const AXIS: Axis = { caption: "context", dimension: "count", is_logarithmic: true, ends: [1, 10] };

test("the larger sum is paid, in shares of it, and the other is beside it", () => {
  expect(billAt(PICTURE, 3)).toEqual({
    total: 1,
    parts: [{ name: "compute", colour: "compute", part: 1 }],
    beside: [
      [
        { name: "weights", colour: "weights", part: 0.5 },
        { name: "KV", colour: "kv", part: expect.closeTo(0.3, 12) },
      ],
    ],
  });
  const beyond = billAt(PICTURE, 10);
  expect(beyond?.total).toBeCloseTo(1.5, 12);
  expect(beyond?.parts.map(({ name }) => name)).toEqual(["weights", "KV"]);
  expect(beyond?.parts.reduce((sum, { part }) => sum + part, 0)).toBeCloseTo(1, 12);
  expect(beyond?.beside[0]?.[0]?.part).toBeCloseTo(1 / 1.5, 12);
});

test("what binds changes where the sums are equal", () => {
  expect(billAt(PICTURE, 4.99)?.parts[0]?.name).toBe("compute");
  expect(billAt(PICTURE, 5.01)?.parts[0]?.name).toBe("weights");
});

test("there is no bill beyond the picture, nor of one without", () => {
  expect(billAt(PICTURE, 11)).toBeNull();
  expect(billAt({ ...PICTURE, bill: [] }, 3)).toBeNull();
});

test("bands fill the height between them, each as high as its share", () => {
  const drawn = bands(PICTURE, AXIS);
  const points = (corners: string) =>
    corners.split(",").map((corner) => corner.replaceAll("%", "").split(" ").map(Number) as [number, number]);
  const heights = drawn.map(({ corners }) => {
    const all = points(corners);
    return XS.map((_, place) => (all[2 * XS.length - 1 - place]?.[1] ?? 0) - (all[place]?.[1] ?? 0));
  });
  XS.forEach((x, place) => {
    const bill = billAt(PICTURE, x);
    drawn.forEach(({ name }, which) => {
      const part = bill?.parts.find((one) => one.name === name)?.part ?? 0;
      expect(heights[which]?.[place]).toBeCloseTo(100 * part, 1);
    });
  });
  expect(points(drawn[0]?.corners ?? "")[XS.length - 1]?.[0]).toBe(100);
});

test("shares are said in whole percents, what is left out as such", () => {
  expect([0, 0.001, 0.294, 0.999, 1].map(percent)).toEqual(["0 %", "<1 %", "29 %", ">99 %", "100 %"]);
  const bill = billAt(PICTURE, 10);
  expect(bill && spoken(bill)).toBe("weights 33 %, KV 67 %; meanwhile compute 67 %");
});

test("each share lies behind those before it", () => {
  const bill = billAt(PICTURE, 10);
  expect(placed(bill?.parts ?? []).map(({ share, from }) => [share.name, from])).toEqual([
    ["weights", 0],
    ["KV", 1 / 3],
  ]);
});
