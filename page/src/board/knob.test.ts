import { beforeAll, expect, test } from "vitest";

import type { Control } from "../documents";
import { units } from "../state/quantity";
import { beside, isLogarithmic, keyed, partOf } from "./knob";

const CONTROL = { name: "bytes_per_param", dimension: "bytes", low: 0.5, high: 4, is_whole: false } as Control;

beforeAll(() => {
  const prefixes: [string, number][] = [
    ["k", 1e3],
    ["", 1],
  ];
  units.value = { bytes: { factor: 1, prefixes, written: "{number} {prefix}B", least_digits: 1, is_grouped: true } };
});

test("a key comes to the next number that is written otherwise where a step of the slider is less", () => {
  expect(keyed(CONTROL, 1, 0.001)).toBe("1.01 B");
  expect(keyed(CONTROL, 1, -0.001)).toBe("0.99 B");
  expect(keyed(CONTROL, 1, 0.01)).toBe("1.04 B");
  expect(keyed({ ...CONTROL, low: 1, high: 1e6 }, 20, 0.001)).toBe("20.3 B");
});

test("what is counted goes on by one, and nothing goes beyond an end", () => {
  expect(keyed({ ...CONTROL, low: 4, high: 256, is_whole: true }, 8, 0.001)).toBe("9 B");
  expect(keyed(CONTROL, 3.999, 0.001)).toBe("4 B");
  expect(keyed({ ...CONTROL, low: 0 }, 0, -0.001)).toBe("0 B");
  expect(keyed({ ...CONTROL, low: 0 }, 0, 0.001)).toBe("0.004 B");
});

test("a slider of many decades goes a tenth and ten times beside its numbers, in the same steps, and not beyond its range", () => {
  const wide = { ...CONTROL, low: 1, high: 1e9 };
  expect(beside(wide, [3e4, 5e3])).toMatchObject({ low: 500, high: 3e5 });
  const clipped = beside(wide, [2, 2]);
  expect(clipped).toMatchObject({ low: 1, high: 20 });
  expect(isLogarithmic(clipped)).toBe(true);
  expect(partOf(clipped, 1e6)).toBe(1);
  const whole = { ...wide, is_whole: true };
  expect(beside(whole, [37])).toBe(whole);
  expect(beside(wide, [])).toBe(wide);
  expect(beside(CONTROL, [1])).toBe(CONTROL);
});
