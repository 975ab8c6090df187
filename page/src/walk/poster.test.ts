import { expect, test } from "vitest";

import { LETTER, posterOf, type Result } from "./poster";

const one = (name: string, number: string, instead = ""): Result => ({ name, number, instead });
const PARTS: Result[][] = [
  [one("sparse-attention exponent", "0.983", "not 0.5"), one("crossover context", "167,000")],
  [one("step at the balance batch", "1.23 ms", "not 20 ms"), one("weights read in", "1.23 ms")],
  [one("DeepSeek's balance batch", "5,440", "not 2,400"), one("attention doubles FLOP at", "54,800", "not 1 million")],
  [one("hops, chip to chip", "2")],
  [one("bubble that 1F1B leaves", "100 %", "not 0 %"), one("hop to the next", "0.694 ms")],
  [one("to read a flash drive", "9.14 minutes", "not 1 minute"), one("to read a disk", "29.8 hours", "not 1 hour")],
  [one("a million input tokens", "$0.0556", "not $5"), one("output over input price", "5×")],
  [one("tokens to train on", "180 trillion")],
];

for (const isNarrow of [false, true])
  test(`on a ${isNarrow ? "narrow" : "wide"} picture nothing lies over another or beyond it`, () => {
    const { width, height, size, pitch, cells } = posterOf(PARTS, isNarrow);
    expect(cells.map(({ lines }) => lines.length)).toEqual(PARTS.map(({ length }) => length));
    for (const { art, title, lines, left, right } of cells) {
      expect(left).toBeGreaterThan(0);
      expect(right).toBeLessThan(width);
      expect(art.left).toBeGreaterThanOrEqual(0);
      expect(title.y > art.bottom || art.right < title.x).toBe(true);
      let last = title.y;
      for (const { result, y, isTwo } of lines) {
        expect(y - last).toBeGreaterThanOrEqual(pitch * (1 - 1e-9));
        last = isTwo ? y + 0.86 * pitch : y;
        // What does not fit in one line does in two.
        const rows = isTwo ? [result.name, `${result.number}, ${result.instead}`] : [`${result.name} ${result.number}`];
        for (const row of rows) expect(LETTER * size * row.length).toBeLessThan(right - left - 0.9 * size);
      }
      expect(last).toBeLessThan(height);
      const below = cells.filter((other) => other.art.top > art.bottom);
      for (const other of below) expect(other.art.top).toBeGreaterThan(last);
    }
  });
