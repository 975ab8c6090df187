import { expect, test } from "vitest";

import { toCome } from "./together";

function whatComes(terms: number, ...tex: string[]): string {
  return toCome(
    tex.map((one, place) => ({ place, tex: one, colour: null })),
    terms,
  );
}

test("an equation that is shown in part ends in dots and closes its brackets", () => {
  const sum = ["t", "\\;\\geq\\;\\max(\\;", "a", ",\\;\\;", "b", "\\;)"];
  expect(whatComes(2, ...sum)).toEqual("\\;\\dots\\;)");
  expect(whatComes(3, ...sum)).toEqual(",\\;\\;\\dots\\;)");
  expect(whatComes(3, "c", "=", "d", "\\;+\\;", "e")).toEqual("\\;+\\;\\dots\\;");
  expect(whatComes(6, ...sum)).toEqual("");
  expect(whatComes(0, ...sum)).toEqual("");
  expect(whatComes(1, "n(\\{x", "\\})")).toEqual("\\;\\dots\\;\\})");
  expect(whatComes(2, "c", "=", "d", "+", "e")).toEqual("\\;\\dots\\;");
});

test("what ends an equation is not waited for", () => {
  expect(whatComes(1, "a = b", ";")).toEqual("");
});
