import { expect, test } from "vitest";

import { begun, verdict } from "../verdict";

const upright = (guess: number, truth: number, tolerance: number) => verdict(guess, truth, tolerance, "y", String);

test("a guess within a tenth is right, and the answer stands beside it", () => {
  expect(upright(694, 686, 1.5)).toEqual({
    text: "right: you said 694, it is 686",
    off: "you said 694, it is 686",
    brief: "right",
    isRight: true,
  });
  // A tenth less is as near as a tenth more.
  expect(upright(630, 686, 1.5).text).toBe("right: you said 630, it is 686");
});

test("what is written alike is not written twice", () => {
  const rounded = verdict(2.001, 2, 1.5, "y", (value) => value.toFixed(1));
  expect(rounded).toEqual({ text: "right: it is 2.0", off: "it is 2.0", brief: "right", isRight: true });
  expect(upright(0, 0, 1.5).text).toBe("right: it is 0");
});

test("a guess farther off that counts is near enough, by its ratio to the answer", () => {
  expect(upright(900, 686, 1.5)).toEqual({
    text: "near enough: you said 900, 1.3 times 686",
    off: "you said 900, 1.3 times 686",
    brief: "1.3×",
    isRight: true,
    isNear: true,
  });
  expect(upright(500, 686, 1.5).text).toBe("near enough: you said 500, 0.73 times 686");
});

test("one that is too far off says by how much, and which way", () => {
  expect(upright(1.5, 2, 1.2)).toMatchObject({ text: "1.3× too low", off: "1.3× too low", isRight: false });
  expect(upright(1, 3, 1.5)).toMatchObject({ text: "3× too low", isRight: false });
  expect(upright(46, 2, 1.5)).toMatchObject({ text: "23× too high", brief: "23×", isRight: false });
  // Where only the exact number counts, a little is too much.
  expect(upright(1001, 1000, 1).text).toBe("a little too high");
});

test("along the other axis it is too far to a side", () => {
  expect(verdict(3100, 2400, 1.2, "x", String).text).toBe("1.3× too far right");
  expect(verdict(10, 2400, 1.2, "x", String).text).toBe("240× too far left");
});

test("a verdict stands after other words, or begins a sentence", () => {
  expect(begun(upright(2, 2, 1.5).text)).toBe("Right: it is 2");
  expect(begun(upright(0, 2, 1.5).text)).toBe("Too low");
  expect(begun(upright(3, 2, 1.2).text)).toBe("1.5× too high");
});
