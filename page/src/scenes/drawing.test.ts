import { expect, test } from "vitest";

import type {
  BeliefsView,
  FacetsView,
  HalvesView,
  LoopView,
  MultiplesView,
  PassageView,
  Racks,
  RacksView,
  RoutesView,
} from "../documents";
import { eased } from "./drawing";
import { carsOf, laid, seatAt } from "./station";
import { within } from "./timeaxis";
import { isOneAtATime, isScene, sceneRows } from "./views";
import { wired } from "./wiring";

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

test("what flows is rows, too", () => {
  const axis = { caption: "", dimension: "count", is_logarithmic: false };
  const shared = { heading: "", axes: { x: axis, y: axis } };
  const messages = [{ row: 0, to_row: 1, start: 2, long: 3, latency: 4 }];
  const passage = {
    ...shared,
    kind: "passage",
    pictures: { careful: { strips: [{ name: "a hop", places: ["here", "there"], messages }] } },
  };
  expect(sceneRows(passage as unknown as PassageView, "careful")).toEqual([["a hop: here to there", 2, 9]]);
  const halves = { ...shared, kind: "halves", pictures: { careful: { left: [3, 14], right: [5, 3] } } };
  expect(sceneRows(halves as unknown as HalvesView, "careful")).toEqual([
    ["left half", 0, 3],
    ["right half", 0, 5],
    ["left half", 1, 14],
    ["right half", 1, 3],
  ]);
  const facets = { ...shared, kind: "facets", pictures: { careful: { x: [1, 2], facets: [{ name: "bubble", y: [0, 0.2] }] } } };
  expect(sceneRows(facets as unknown as FacetsView, "careful")).toEqual([
    ["bubble", 1, 0],
    ["bubble", 2, 0.2],
  ]);
  expect(isOneAtATime(facets as unknown as FacetsView, false)).toBe(true);
});

test("batches' visits and a token's parts of the way are rows", () => {
  const loop = { kind: "loop", pictures: { careful: { batches: [{ starts: [0, 1], ends: [1, 2] }] } } };
  expect(sceneRows(loop as unknown as LoopView, "careful")).toEqual([
    ["batch 0 enters", 1, 0],
    ["batch 0 leaves", 1, 1],
    ["batch 0 enters", 2, 1],
    ["batch 0 leaves", 2, 2],
  ]);
  const routes = {
    kind: "routes",
    pictures: { careful: { routes: [{ name: "token 1", legs: [{ text: "there", cables: [{}, {}] }] }] } },
  };
  expect(sceneRows(routes as unknown as RoutesView, "careful")).toEqual([["token 1: there", 1, 2]]);
  expect(isScene(routes as unknown as RoutesView)).toBe(true);
});

test.each([
  [1000, 440],
  [860, 296],
  [380, 420],
])("trains in %d by %d pixels stay inside them, and the histogram has room", (width, room) => {
  const { train, chart, height } = laid(width, room, 100, true);
  expect(height).toBeLessThanOrEqual(room);
  expect(train.left).toBeGreaterThanOrEqual(0);
  expect(train.left + train.width).toBeLessThanOrEqual(width < 720 || room >= 360 ? width : 0.6 * width + 1);
  expect(chart.height).toBeGreaterThanOrEqual(64);
  expect(chart.left + chart.width).toBeLessThanOrEqual(width);
});

test("words that have no room beside the clock have it over the train", () => {
  const over = (spoken: number) => {
    const { station, train } = laid(860, 296, 100, true, spoken);
    return train.top - station.top;
  };
  expect(over(500)).toBe(12);
  // A line of words, under the bar beside the clock, and air.
  expect(over(530)).toBe(30);
});

test("seats lie inside their carriages, which do not touch", () => {
  const layout = laid(1000, 440, 78, true);
  const cars = carsOf(layout);
  expect(cars.length).toBeGreaterThan(1);
  cars.slice(1).forEach(([, right], place) => {
    expect(right).toBeLessThan(cars[place]?.[0] ?? 0);
  });
  for (let seat = 0; seat < 78; seat++) {
    const [x, y] = seatAt(seat, layout);
    expect(cars.some(([left, right]) => x - layout.radius > left && x + layout.radius < right)).toBe(true);
    expect(y + layout.radius).toBeLessThan(layout.train.top + layout.train.height);
  }
});

test("the loads of racks stand beside them where that leaves chips larger", () => {
  const rack = (first: number) => ({
    chips: Array.from({ length: 72 }, (_, chip) => ({ number: first + chip, load: chip ? 1 : 2, experts: [] })),
  });
  const picture = { racks: [rack(0), rack(72)] } as unknown as Racks;
  const [low, high] = [wired(picture, 1000, 280, 0), wired(picture, 1000, 700, 0)];
  expect(low.loads.left).toBeGreaterThan(500);
  expect(high.loads.left).toBe(0);
  for (const one of [low, high]) {
    const ends = [...one.places.values()].map(({ x, size }) => x + size);
    expect(Math.max(...ends)).toBeLessThanOrEqual(one === low ? one.loads.left : 1000);
  }
  expect(low.height).toBeLessThanOrEqual(280 + 20);
});

test("loads that are alike have what the racks leave, and take nothing from them", () => {
  const rack = (load: number) => ({
    chips: Array.from({ length: 72 }, (_, number) => ({ number, load: number ? 1 : load, experts: [] })),
  });
  const of = (load: number, room: number) => wired({ racks: [rack(load)] } as unknown as Racks, 700, room, 0);
  expect(of(1, 400).loads.high).toBe(0);
  expect(of(1, 700).loads.high).toBeGreaterThan(0);
  for (const room of [400, 700]) expect(of(2, room).loads.high).toBeGreaterThan(0);
  expect(of(1, 400).pitch).toBeGreaterThan(of(2, 400).pitch);
});

test("racks of a single chip stand as far apart as their names are wide", () => {
  const chip = { number: 0, load: 1, experts: [] };
  const picture = { racks: [{ chips: [chip] }, { chips: [chip] }, { chips: [chip] }] } as unknown as Racks;
  const [first, second] = wired(picture, 344, 300, 48).frames.map(({ name }) => name[0]);
  expect((second ?? 0) - (first ?? 0)).toBeGreaterThan(48);
});

test("words of a time axis stay within its ends, and of two that would touch the later are said", () => {
  const words = (x: number, text: string) => ({ x, text, wide: 40 });
  const kept = within([words(0, "0 s"), words(50, "1 s"), words(100, "2 s")], 0, 100);
  expect(kept.map(({ x, text }) => [x, text])).toEqual([
    [20, "0 s"],
    [80, "2 s"],
  ]);
  expect(within([words(60, "0 s"), words(160, "1 s")], 0, 300).map(({ x }) => x)).toEqual([60, 160]);
});
