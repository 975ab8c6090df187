import { expect, test } from "vitest";

import { best, type Heights, WAYS } from "./ways";

const HEIGHTS: Heights = { spare: 0, formula: 50, picture: 120, rest: 30 };
const named = (kind: keyof typeof WAYS, spare: number) => {
  const { found, left } = best(WAYS[kind], { ...HEIGHTS, spare });
  const words = [found.hasFormula && "formula", found.hasPicture && "picture", found.isBrief && "brief"];
  return [words.filter(Boolean).join(" "), left];
};

test("before a guess the formula stands there first, and no line of the sentence makes way", () => {
  expect([170, 169, 50, 49, -1].map((spare) => named("asked", spare))).toEqual([
    ["formula picture", 0],
    ["formula", 119],
    ["formula", 0],
    ["", 49],
    ["", -1],
  ]);
});

test("after an answer the drawing stands there first, and lines that were read make way before it does", () => {
  expect([170, 120, 90, 89, 20, 19, 0, -1].map((spare) => named("answered", spare))).toEqual([
    ["formula picture", 0],
    ["picture", 0],
    ["picture brief", 0],
    ["formula", 39],
    ["formula brief", 0],
    ["", 19],
    ["", 0],
    ["brief", 29],
  ]);
});

test("a step that asks for no dot has its formula there, or nothing", () => {
  expect([50, 49, -100].map((spare) => named("told", spare))).toEqual([
    ["formula", 0],
    ["", 49],
    ["", -100],
  ]);
});

test("on a low phone words are whole before a drawing has its room", () => {
  expect([170, 120, 90, 49, 0, -1, -31].map((spare) => named("low", spare))).toEqual([
    ["formula picture", 0],
    ["picture", 0],
    ["formula", 40],
    ["", 49],
    ["", 0],
    ["brief", 29],
    ["brief", -1],
  ]);
});
