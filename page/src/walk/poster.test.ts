import { expect, test } from "vitest";

import { inWords, LARGE, LETTER, NUMBER, posterOf, type Result } from "./poster";

const one = (name: string, number: string, instead = ""): Result => ({ name, number, instead });
const PARTS: Result[][] = [
  [one("sparse-attention exponent", "0.983", "not 0.5")],
  [one("step at the balance batch", "1.23 ms", "not 20 ms")],
  [one("DeepSeek's balance batch", "5,440", "not 2,400")],
  [one("memory of a rack", "14.3 TB")],
  [one("bubble that 1F1B leaves", "all of it", "not none")],
  [
    one("to read a disk", "30 hours", "not 1 hour"),
    one("to read a flash drive", "9.1 min", "not 1 min"),
    one("to read DDR", "6 s"),
  ],
  [one("a million input tokens", "$0.056", "not $5"), one("decode over prefill cost", "1×", "not 5×"), one("output", "5×")],
  [one("tokens to train on", "180 trillion"), one("FLOP per param and token", "6"), one("tokens in its life", "259")],
];
/** As many as a part of the second row tells of. */
const MOST = 3;

test("a share that is all or nothing has words, and others stay numbers", () => {
  expect(inWords("100 %", "0 %")).toEqual(["all of it", "none"]);
  expect(inWords("100 %", "43 %")).toEqual(["100 %", "43 %"]);
  expect(inWords("1.23 ms", "20 ms")).toEqual(["1.23 ms", "20 ms"]);
});

test("a wide picture is filled to its foot", () => {
  const { height, cells } = posterOf(PARTS, false);
  for (const { lines } of cells.slice(-3)) expect(Math.max(...lines.map(({ y }) => y))).toBeGreaterThan(0.8 * height);
});

for (const isNarrow of [false, true])
  test(`on a ${isNarrow ? "narrow" : "wide"} picture nothing lies over another or beyond it`, () => {
    const { width, height, size, pitch, cells } = posterOf(PARTS, isNarrow);
    expect(cells.map(({ lines }) => lines.length)).toEqual(PARTS.map(({ length }) => (isNarrow ? 1 : Math.min(MOST, length))));
    for (const { art, title, lines, left, right } of cells) {
      expect(left).toBeGreaterThan(0);
      expect(right).toBeLessThan(width);
      expect(art.left).toBeGreaterThanOrEqual(0);
      expect(title.y > art.bottom || art.right < title.x).toBe(true);
      let last = title.y;
      for (const { result, y } of lines) {
        expect(y - last).toBeGreaterThanOrEqual(pitch * (1 - 1e-9));
        last = y + NUMBER * pitch;
        expect(LETTER * size * result.name.length).toBeLessThan(right - left - 0.9 * size);
        const long = LARGE * result.number.length + (result.instead ? result.instead.length + 2 : 0);
        expect(LETTER * size * long).toBeLessThan(right - left - 0.9 * size);
      }
      expect(last).toBeLessThan(height);
      const below = cells.filter((other) => other.art.top > art.bottom);
      for (const other of below) expect(other.art.top).toBeGreaterThan(last);
    }
  });
