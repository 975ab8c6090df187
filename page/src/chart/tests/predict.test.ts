import { expect, test } from "vitest";

import { verdict } from "../predict";

test("a guess is judged by its ratio to what is true", () => {
  expect(verdict(2, 2, 1.5)).toEqual({ text: "spot on", isRight: true });
  expect(verdict(2.4, 2, 1.5)).toEqual({ text: "20 % too high, near enough at 1.5×", isRight: true });
  expect(verdict(1.5, 2, 1.2)).toEqual({ text: "25 % too low", isRight: false });
  expect(verdict(1, 3, 1.5)).toEqual({ text: "3× too low", isRight: false });
  expect(verdict(46, 2, 1.5)).toEqual({ text: "23× too high", isRight: false });
});
