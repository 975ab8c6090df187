import { expect, test } from "vitest";

import type { Claim, View } from "../documents";
import { marksOf } from "./pointed";

const axis = (dimension: string) => ({ dimension });
const view = {
  kind: "curves",
  axes: { x: axis("count"), y: axis("s") },
  pictures: {
    lecture: { marks: [{ name: "balance", x: 2400, y: 0.00123 }] },
    careful: { marks: [{ name: "balance", x: 5571, y: 0.001165 }] },
  },
} as unknown as View;
const claim = { unit: "", lecture: 2400, ours_lecture_mode: 5441, ours_careful: 5570.7 } as unknown as Claim;

test("a claim finds the mark at its number, in each mode its own", () => {
  expect(marksOf(claim, view, ["lecture", "careful"])).toEqual(["lecture\nbalance", "careful\nbalance"]);
  expect(marksOf({ ...claim, lecture: 2000 }, view, ["lecture"])).toEqual([]);
});

test("a number lies on an axis of its own dimension alone", () => {
  expect(marksOf({ ...claim, unit: "bytes" }, view, ["lecture", "careful"])).toEqual([]);
  expect(marksOf({ ...claim, unit: "s", ours_lecture_mode: 0.00123 }, view, ["lecture"])).toEqual(["lecture\nbalance"]);
});

test("a small whole number stands on too many axes to point at one", () => {
  const one = { ...claim, lecture: 1, ours_lecture_mode: 1 };
  const there = { ...view, pictures: { lecture: { marks: [{ name: "here", x: 1, y: 1 }] } } } as unknown as View;
  expect(marksOf(one, there, ["lecture"])).toEqual([]);
});
