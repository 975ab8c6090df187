import { expect, test } from "vitest";

import { verdict } from "../verdict";

test("a guess is judged by its ratio to what is true", () => {
  expect(verdict(2, 2, 1.5, "y")).toEqual({ text: "spot on", isRight: true });
  expect(verdict(2.4, 2, 1.5, "y")).toEqual({ text: "1.2× too high, near enough at 1.5×", isRight: true });
  expect(verdict(1.5, 2, 1.2, "y")).toEqual({ text: "1.3× too low", isRight: false });
  expect(verdict(1, 3, 1.5, "y")).toEqual({ text: "3× too low", isRight: false });
  expect(verdict(46, 2, 1.5, "y")).toEqual({ text: "23× too high", isRight: false });
});

test("along the other axis it is too far to a side", () => {
  expect(verdict(3100, 2400, 1.2, "x").text).toBe("1.3× too far right");
  expect(verdict(10, 2400, 1.2, "x").text).toBe("240× too far left");
});
