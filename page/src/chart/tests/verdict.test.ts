import { expect, test } from "vitest";

import { begun, verdict } from "../verdict";

test("a guess is judged by its ratio to what is true", () => {
  const exact = { text: "spot on", off: "spot on", brief: "spot on", isRight: true };
  const near = { text: "1.2× too high; within 1.5× counts", off: "1.2× too high", brief: "1.2×", isRight: true };
  expect(verdict(2, 2, 1.5, "y")).toEqual(exact);
  expect(verdict(2.4, 2, 1.5, "y")).toEqual(near);
  expect(verdict(1.5, 2, 1.2, "y")).toMatchObject({ text: "1.3× too low", isRight: false });
  expect(verdict(1, 3, 1.5, "y")).toMatchObject({ text: "3× too low", isRight: false });
  expect(verdict(46, 2, 1.5, "y")).toMatchObject({ text: "23× too high", isRight: false });
});

test("along the other axis it is too far to a side", () => {
  expect(verdict(3100, 2400, 1.2, "x").text).toBe("1.3× too far right");
  expect(verdict(10, 2400, 1.2, "x").text).toBe("240× too far left");
});

test("a verdict stands after other words, or begins a sentence", () => {
  expect(begun(verdict(2, 2, 1.5, "y").text)).toBe("Spot on");
  expect(begun(verdict(0, 2, 1.5, "y").text)).toBe("Too low");
  expect(begun(verdict(3, 2, 1.2, "y").text)).toBe("1.5× too high");
});
