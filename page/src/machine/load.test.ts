import { expect, test } from "vitest";

import type { OpenedChip } from "../documents";
import { doneAt, loadAt, stepS } from "./load";

const CHIP: OpenedChip = {
  chips: 72,
  hbm_bytes: 100,
  hbm_bytes_per_s: 10,
  flop_per_s: 1000,
  weight_bytes: 40,
  kv_bytes: 0.5,
  weights_s: 4,
  kv_s: 0.05,
  compute_s: 0.1,
  batches: [1, 10, 20],
  read: [0.25, 0.75, 1],
  most: 120,
};
const ALL = ["compute", "weights", "kv"] as const;

test("what is read and what is computed grow with the batch, and the longer of both is the step", () => {
  const load = loadAt(CHIP, 20, ALL, null);
  expect([load.weightsS, load.kvS, load.computeS]).toEqual([4, 1, 2]);
  expect(stepS(load)).toBe(5);
  expect(stepS(loadAt(CHIP, 100, ALL, null))).toBe(10);
  // Of few sequences few experts are read, though all lie in memory.
  const few = loadAt(CHIP, 10, ALL, null);
  expect([few.weights, few.read, few.weightsS]).toEqual([40, 0.75, 3]);
});

test("what is not told yet takes no time and no room", () => {
  const load = loadAt(CHIP, 20, ["compute"], 40);
  expect([load.weights, load.kv, load.weightsS, load.kvS]).toEqual([0, 0, 0, 0]);
  expect([load.computeS, load.mostS, load.mostBytes]).toEqual([2, 4, 0]);
});

test("what is drawn fills its room, or that of the largest batch", () => {
  const alone = loadAt(CHIP, 20, ALL, null);
  expect([alone.mostBytes, alone.mostS]).toEqual([alone.weights + alone.kv, stepS(alone)]);
  const among = loadAt(CHIP, 20, ALL, 100);
  expect([among.mostBytes, among.mostS]).toEqual([90, 10]);
});

test("weights are read first, then the cache, while the arithmetic goes on", () => {
  const load = loadAt(CHIP, 20, ALL, null);
  expect(doneAt(load, 0)).toEqual({ weights: 0, kv: 0, compute: 0, flows: "weights" });
  expect(doneAt(load, 0.4)).toEqual({ weights: 0.5, kv: 0, compute: 1, flows: "weights" });
  expect(doneAt(load, 0.9)).toMatchObject({ weights: 1, compute: 1, flows: "kv" });
  expect(doneAt(load, 1)).toEqual({ weights: 1, kv: 1, compute: 1, flows: null });
  // Nothing flows while memory waits for the arithmetic.
  expect(doneAt(loadAt(CHIP, 100, ALL, null), 0.95)).toMatchObject({ weights: 1, kv: 1, flows: null });
});
