// What drawings beside charts say to whoever does not see them.

import { expect, test } from "vitest";

import type { Axes, Companion, Curves } from "../documents";
import { countOf, saidOfGrids } from "./grids";
import { saidOfPrices } from "./pricelist";
import { saidOfStores } from "./stores";
import { saidOfVessels } from "./vessels";

const AXES = {
  x: { caption: "active parameters", dimension: "", is_logarithmic: true, ends: [1, 3] },
  y: { caption: "cost", dimension: "", is_logarithmic: true },
} as Axes;

function shown(companion: Companion, curves: Partial<Curves> = {}) {
  const none: Curves = { x: [1, 2, 3], lines: [], marks: [], dots: [], is_whole: false, bill: [] };
  return { curves: { ...none, ...curves, companion }, companion, axes: AXES, whose: "", asked: "" };
}

test("vessels say the share of each part where they are read, and how far all of them are from the least", () => {
  const bill = [
    [
      { name: "falls", colour: "muted", y: [8, 4, 1] },
      { name: "rises", colour: "also", y: [1, 4, 7] },
    ],
  ] as Curves["bill"];
  const vessels = { vessels: [], filler_text: "model", text: "Two bills" };
  const said = saidOfVessels(shown(vessels, { bill }), 1);
  expect(said).toBe("Two bills. a model of 1 active parameters: falls 89 %, rises 11 %; all 9×, the least 8×");
});

test("stores name the one whose line is lowest there", () => {
  const line = (name: string, y: number[]) => ({ name, colour: "kv", is_bold: false, is_floor: false, y, high: null });
  const lines = [line("memory", [1, 5, 9]), line("disk", [4, 4, 4])] as Curves["lines"];
  const store = (name: string) => ({ line: name, cost_text: "", when_text: "", is_kept: true });
  const stores = { stores: [store("memory"), store("disk")], thing_text: "cache", text: "Where it waits" };
  expect(saidOfStores(shown(stores, { lines }), 1)).toBe("Where it waits. After 1: memory. memory 1, disk 4");
  expect(saidOfStores(shown(stores, { lines }), 3)).toBe("Where it waits. After 3: disk. memory 9, disk 4");
});

test("of what is read next to nothing is said to be so", () => {
  const kind = { name: "input", pass_text: "", listed: 1 };
  const compute = [{ name: "compute", colour: "compute" as const, cost: 1 }];
  const memory = (weights: number, kv: number) => [
    { name: "weights", colour: "weights" as const, cost: weights },
    { name: "KV", colour: "kv" as const, cost: kv },
  ];
  const list = (weights: number, kv: number) => ({ kinds: [{ ...kind, compute, memory: memory(weights, kv) }], text: "List" });
  const said = (weights: number, kv: number) => saidOfPrices(shown(list(weights, kv)));
  expect(said(2, 0.5)).toBe("List. input: listed 1×, computing 1×, memory 2.5×: weights 2 + KV 0.5");
  expect(said(2, 0.001)).toBe("List. input: listed 1×, computing 1×, memory 2×");
  expect(said(0.001, 0.001)).toBe("List. input: listed 1×, computing 1×, memory under 0.005×");
});

test("grids say how many of their bits differ and the mean of the chart, and of what is asked nothing", () => {
  const line = (name: string, y: number[]) => ({ name, colour: "ink", is_bold: false, is_floor: false, y, high: null });
  const grid = (name: string, changed: string[]) => ({
    line: name,
    name,
    bits: 64,
    changed,
    substituted: "",
  });
  const digits = ["8000000000000000", "f300000000000000", "ffffffff00000000", "0000000000000001"];
  expect(digits.map(countOf)).toEqual([1, 6, 32, 1]);
  const grids = { grids: [grid("one", digits), grid("other", digits)], change_text: "first bit flipped", text: "What differs" };
  const lines = [line("one", [0.25, 0.5, 0.75]), line("other", [0.2, 0.2, 0.2])] as Curves["lines"];
  const seen = shown(grids, { lines });
  expect(saidOfGrids(seen, 1)).toBe(
    "What differs. after 1 round: one 6 of 64 differ, mean 0.25; other 6 of 64 differ, mean 0.2",
  );
  expect(saidOfGrids({ ...seen, asked: "other" }, 2)).toBe(
    "What differs. after 2 rounds: one 32 of 64 differ, mean 0.5; other is asked",
  );
});
