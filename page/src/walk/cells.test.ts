// Chips have room, times are as long under every cabinet, and what lies in memory has its area.

import { describe, expect, it } from "vitest";

import type { RackPicture } from "../documents";
import { between, doing, drawn, filled, HEIGHT, WIDTH } from "./cells";

const ROOM = 1e-6;

function rack(...chips: number[]): RackPicture {
  return {
    cabinets: chips.map((count) => ({
      chips: count,
      memory: [
        { colour: "weights", fraction: 0.25 },
        { colour: "kv", fraction: 0.75 },
      ],
      tracks: [{ busy: [{ colour: "compute", start: 0.25, end: 0.75 }] }],
      painted: [{ colour: "links", chips: [1] }],
    })),
    words: [],
    asked: [],
    is_before: false,
  };
}

/** Area of a path of rectangles with upright sides, each turned the same way, but for those that are left out. */
function area(path: string): number {
  return [...path.matchAll(/M([\d.]+) ([\d.]+)H([\d.]+)V([\d.]+)H/g)]
    .map(([, left, top, right, foot]) => Math.abs((Number(right) - Number(left)) * (Number(foot) - Number(top))))
    .reduce((sum, one) => sum + one, 0);
}

describe("cells", () => {
  it.each([[[72]], [[8, 72, 144]], [[64, 64, 64, 64]], [[1]], [[576]], [Array(8).fill(72)]])("have room for %j", (chips) => {
    const { cells, beds } = drawn(rack(...chips));
    expect(cells).toHaveLength(chips.reduce((sum, one) => sum + one, 0));
    for (const { x, y, size } of cells) {
      expect(Math.min(x, y, size)).toBeGreaterThanOrEqual(0);
      expect(x + size).toBeLessThanOrEqual(WIDTH + ROOM);
      expect(y + size).toBeLessThan(HEIGHT);
    }
    const squares = cells.map(({ x, y, size }) => `${x.toFixed(2)} ${y.toFixed(2)} ${size.toFixed(2)}`);
    expect(new Set(squares).size).toBe(cells.length);
    expect(new Set(beds.map(([, , width]) => width.toFixed(6))).size).toBe(1);
  });

  it("fill as much of a chip as of its memory, one colour around another", () => {
    const { cells } = drawn(rack(2));
    const [chip] = cells as [(typeof cells)[0]];
    const [weights, both] = [filled([chip], "weights"), filled([chip], "kv")];
    const rounding = 0.02 * chip.size; // of a hundredth of a pixel at either side
    expect(Math.abs(area(weights) - 0.25 * chip.size ** 2)).toBeLessThan(rounding);
    // The whole, and the part that is left out of it.
    expect(Math.abs(area(both) - 1.25 * chip.size ** 2)).toBeLessThan(2 * rounding);
    expect(Object.keys(cells[1]?.fills ?? {})).toEqual(["links"]);
  });

  it("go from one rack to another and end there", () => {
    const [one, other] = [drawn(rack(72)), drawn(rack(64, 64))];
    expect(between(one, other, 1)).toBe(other);
    const half = between(one, other, 0.5);
    expect(half.cells).toHaveLength(128);
    expect(half.cells[100]?.size).toBeCloseTo((other.cells[100]?.size ?? 0) / 2);
  });

  it("tell what a cabinet does at a time", () => {
    expect(doing(rack(8, 8), 0.5)).toEqual(["compute", "compute"]);
    expect(doing(rack(8), 0.75)).toEqual([null]);
  });
});
