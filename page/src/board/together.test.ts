import { expect, test } from "vitest";

import { toCome, together } from "./together";

const formula = (...tex: string[]) => tex.map((one) => ({ tex: one, colour: null }));

function whatComes(terms: number, ...tex: string[]): string[] {
  return together(formula(...tex)).map((group) => toCome(group, terms));
}

test("an equation that is shown in part ends in dots and closes its brackets", () => {
  const sum = ["t", "\\;\\geq\\;\\max(\\;", "a", ",\\;\\;", "b", "\\;)"];
  expect(whatComes(2, ...sum)).toEqual(["\\;\\dots\\;)"]);
  expect(whatComes(3, ...sum)).toEqual([",\\;\\;\\dots\\;)"]);
  expect(whatComes(3, "c", "=", "d", "\\;+\\;", "e")).toEqual(["\\;+\\;\\dots\\;"]);
  expect(whatComes(6, ...sum)).toEqual([""]);
  expect(whatComes(0, ...sum)).toEqual([""]);
  expect(whatComes(1, "n(\\{x", "\\})")).toEqual(["\\;\\dots\\;\\})"]);
  expect(whatComes(2, "c", "=", "d", "+", "e")).toEqual(["\\;\\dots\\;"]);
});

test("one that is whole ends as it is, whatever equation follows", () => {
  expect(whatComes(1, "a = b", ";\\qquad c = d")).toEqual(["", ""]);
  expect(whatComes(2, "c", "= 1,\\quad d = ", "e")).toEqual(["", "\\;\\dots\\;"]);
});
