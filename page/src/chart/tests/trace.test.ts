import { expect, test } from "vitest";

import { at } from "../numbers";
import { Trace } from "../trace";
import { chance } from "./chance";

function points(path: string): [number, number][] {
  return path
    .slice(1)
    .split("L")
    .map((point) => point.split(",").map(Number) as [number, number]);
}

test("a straight line is its two ends", () => {
  const trace = new Trace(false);
  for (let x = 0; x <= 600; x += 2) trace.add(x, 300 - x / 3);
  expect(trace.path()).toBe("M0,300L600,100");
});

test("what is left out lies on what is drawn", () => {
  for (let seed = 0; seed < 50; seed += 1) {
    const next = chance(seed);
    const [a, b, c] = [next(), next(), next()];
    const curve = (x: number) => 200 + 100 * a * Math.sin(x / (20 + 200 * b)) + (x > 300 ? 60 * c : 0);
    const trace = new Trace(false);
    const all = Array.from({ length: 301 }, (_, place) => 2 * place);
    for (const x of all) trace.add(x, curve(x));
    const kept = points(trace.path());
    expect(kept.length).toBeLessThan(all.length);
    for (const x of all) {
      const after = Math.max(
        1,
        kept.findIndex(([other]) => other >= x),
      );
      const [[x0, y0], [x1, y1]] = [at(kept, after - 1), at(kept, after)];
      expect(Math.abs(y0 + ((y1 - y0) * (x - x0)) / (x1 - x0) - curve(x))).toBeLessThan(0.3);
    }
  }
});
