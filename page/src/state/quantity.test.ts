import { beforeAll, describe, expect, it } from "vitest";

import { format, parsed, units } from "./quantity";

const plain: [string, number] = ["", 1];

describe("numbers", () => {
  beforeAll(() => {
    units.value = {
      s: {
        factor: 1,
        prefixes: [plain, ["m", 1e-3], ["µ", 1e-6], ["n", 1e-9]],
        written: "{number} {prefix}s",
        least_digits: 1,
        is_grouped: true,
      },
      count: {
        factor: 1,
        prefixes: [["T", 1e12], ["B", 1e9], ["M", 1e6], ["k", 1e3], plain],
        written: "{number}{prefix}",
        least_digits: 1,
        is_grouped: true,
      },
      // biome-ignore lint/suspicious/noTemplateCurlyInString: dollars, and a number
      usd_per_token: { factor: 1e6, prefixes: [plain], written: "${number}/Mtok", least_digits: 1, is_grouped: true },
      year: { factor: 1, prefixes: [plain], written: "{number}", least_digits: 4, is_grouped: false },
    };
  });

  it.each([
    [5.13e-6, "s", "5.13 µs"],
    [1e-11, "usd_per_token", "$0.00001/Mtok"],
    [2.6e18, "count", "2,600,000T"],
    [2e24, "count", "2 × 10¹²T"],
    [9e-16, "s", "9 × 10⁻⁷ ns"],
    [1e-16, "s", "10⁻⁷ ns"],
    [2026, "year", "2026"],
    [0, "s", "0 s"],
    [0.5, "s", "500 ms"],
    [1234.5, "s", "1,230 s"],
    [5, "usd_per_token", "$5,000,000/Mtok"],
    [Number.POSITIVE_INFINITY, "s", "∞ s"],
  ])("are read without a program's exponents: %s %s", (value, dimension, text) => {
    expect(format(value, dimension)).toBe(text);
  });

  it.each([
    ["200k", "count", 200_000],
    ["1,230", "count", 1230],
    ["500 ms", "s", 0.5],
    ["5s", "s", 5],
    ["$5/Mtok", "usd_per_token", 5e-6],
    ["2026", "year", 2026],
    ["far", "count", null],
    ["200 kB", "count", null],
    ["2", "unheard of", null],
  ])("are read back as they are written: %s %s", (text, dimension, value) => {
    if (value === null) expect(parsed(text, dimension)).toBeNull();
    else expect(parsed(text, dimension)).toBeCloseTo(value, 12);
  });
});
