import { expect, test } from "vitest";

import type { BeliefsView, MultiplesView, RacksView } from "../documents";
import { eased } from "./drawing";
import { isScene, sceneRows } from "./views";

test("what moves stands still before and after, and is halfway in the middle", () => {
  expect([0, 2, 3, 4, 9].map((value) => eased(value, 2, 4))).toEqual([0, 0, 0.5, 1, 1]);
  expect(eased(Number.POSITIVE_INFINITY, 2, 4)).toBe(1);
});

test("a scene's numbers are rows", () => {
  const axis = { caption: "", dimension: "count", is_logarithmic: false };
  const shared = { heading: "", axes: { x: axis, y: axis } };
  const racks = {
    ...shared,
    kind: "racks",
    pictures: { lecture: { racks: [{ chips: [{ number: 3, load: 1.5, experts: [] }] }] } },
  };
  expect(isScene(racks as unknown as RacksView)).toBe(true);
  expect(sceneRows(racks as unknown as RacksView, "lecture")).toEqual([["rack 1", 3, 1.5]]);
  expect(sceneRows(racks as unknown as RacksView, "careful")).toEqual([]);
  const smalls = { ...shared, kind: "multiples", pictures: { careful: { x: [1, 2], smalls: [{ name: "one", y: [5, 6] }] } } };
  expect(sceneRows(smalls as unknown as MultiplesView, "careful")).toEqual([
    ["one", 1, 5],
    ["one", 2, 6],
  ]);
  const beliefs = {
    ...shared,
    kind: "beliefs",
    pictures: { lecture: { x: [1, 10], rows: [{ name: "before", heights: [1, 0] }] } },
  };
  expect(isScene(beliefs as unknown as BeliefsView)).toBe(true);
  expect(sceneRows(beliefs as unknown as BeliefsView, "lecture")).toEqual([
    ["before", 1, 1],
    ["before", 10, 0],
  ]);
});
