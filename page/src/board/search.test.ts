import { describe, expect, test } from "vitest";

import { Search } from "./search";

/** Parts that a search tries until a mark lies within a thousandth of a target, where the slider takes the mark somewhere. */
function tried(place: (part: number) => number, from: number, target: number, reach = 0.06): number[] {
  const nudge = 0.02;
  const search = new Search(nudge / (place(from + nudge) - place(from)), reach);
  search.learn(from, place(from));
  search.learn(from + nudge, place(from + nudge));
  const parts: number[] = [];
  for (let last = from; parts.length < 30 && Math.abs(place(last) - target) > 1e-3; ) {
    last = search.part(target);
    parts.push(last);
    search.learn(last, place(last));
  }
  return parts;
}

describe("where a slider must stand", () => {
  test("is found at once where a mark follows evenly", () => {
    expect(tried((part) => 3 * part, 0.4, 1.3)).toEqual([expect.closeTo(1.3 / 3, 9)]);
  });

  test.each([
    ["rising", (part: number) => 100 ** part / 100],
    ["falling", (part: number) => 1 / (0.2 + part)],
  ])("is walked to and found where the way is crooked: %s", (_, place) => {
    const parts = tried(place, 0.2, place(0.7));
    expect(parts.length).toBeLessThan(15);
    expect(parts.at(-1)).toBeCloseTo(0.7, 1);
    // Nothing is leapt over: each step beyond what is known is short, and one that went too far is the last of its kind.
    expect(Math.max(...parts)).toBeLessThan(0.7 + 0.06);
  });

  test.each([
    ["rising", (part: number) => Math.floor(10 * Math.sqrt(part))],
    ["falling", (part: number) => -Math.floor(10 * Math.sqrt(part))],
  ])("is found where a mark goes from one whole number to the next: %s", (_, place) => {
    const parts = tried(place, 0.24, place(0.7));
    expect(parts.length).toBeLessThan(15);
    expect(place(parts.at(-1) ?? 0)).toBe(place(0.7));
  });

  test("is between two that are known, never beyond", () => {
    const search = new Search(1, 1);
    search.learn(0.2, 0);
    search.learn(0.3, 10);
    expect(search.part(5)).toBeCloseTo(0.25, 9);
    search.learn(0.25, 9);
    expect(search.part(5)).toBeCloseTo(0.2 + (0.05 * 5) / 9, 9);
  });

  test("is at the last place that has a mark where a target lies beyond the picture, and at once where it is back", () => {
    const [edge, place] = [0.6, (part: number) => 100 * part * part];
    const search = new Search(0.02, 0.06);
    search.learn(0.4, place(0.4));
    search.learn(0.42, place(0.42));
    let part = 0.42;
    for (let tries = 0; tries < 20; tries += 1) {
      part = search.part(60, 0.1);
      // An answer has rounded numbers.
      part = Number(part.toFixed(4));
      search.learn(part, part <= edge ? place(part) : null);
    }
    expect(part).toBeCloseTo(edge, 2);
    expect(part).toBeLessThanOrEqual(edge);
    expect(search.part(60, Infinity)).toBe(part);
    for (let tries = 0; tries < 3; tries += 1) {
      part = search.part(place(0.5), 0.1);
      search.learn(part, place(part));
    }
    expect(part).toBeCloseTo(0.5, 2);
  });

  test("stays where what is known is near enough", () => {
    const search = new Search(1, 1);
    search.learn(0.2, 0);
    search.learn(0.3, 10);
    expect(search.part(9.5, 1)).toBe(0.3);
    expect(search.part(9.5, 0.1)).toBeCloseTo(0.295, 9);
  });

  test("ends at the slider's end", () => {
    const search = new Search(1, 2);
    search.learn(0.9, 0.9);
    expect(search.part(3)).toBe(1);
  });
});
