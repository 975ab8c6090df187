// Chips have room, times are as long under every cabinet, and what lies in memory has its area.

import { describe, expect, it } from "vitest";

import type { RackPicture } from "../documents";
import { between, doing, drawn, filled, LARGE, ruling, SLIM, strips } from "./cells";

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
    follows_bill: false,
    tokens: [],
    is_resting: false,
  };
}

/** Area of a path of rectangles with upright sides, each turned the same way, but for those that are left out. */
function area(path: string): number {
  return [...path.matchAll(/M([\d.]+) ([\d.]+)H([\d.]+)V([\d.]+)H/g)]
    .map(([, left, top, right, foot]) => Math.abs((Number(right) - Number(left)) * (Number(foot) - Number(top))))
    .reduce((sum, one) => sum + one, 0);
}

describe("cells", () => {
  const sizes = [LARGE, SLIM];
  const counts = [[72], [8, 72, 144], [64, 64, 64, 64], [1], [576], Array(16).fill(36)];
  it.each(counts.flatMap((chips) => sizes.map((size) => [chips, size] as const)))("have room for %j in %j", (chips, size) => {
    const { cells, beds } = drawn(rack(...chips), size);
    expect(cells).toHaveLength(chips.reduce((sum, one) => sum + one, 0));
    for (const one of cells) {
      expect(Math.min(one.x, one.y, one.size)).toBeGreaterThanOrEqual(0);
      expect(one.x + one.size).toBeLessThanOrEqual(size.width + ROOM);
      expect(one.y + one.size).toBeLessThan(size.upper + ROOM);
    }
    const squares = cells.map(({ x, y, size }) => `${x.toFixed(2)} ${y.toFixed(2)} ${size.toFixed(2)}`);
    expect(new Set(squares).size).toBe(cells.length);
    expect(new Set(beds.map(([, , width]) => width.toFixed(6))).size).toBe(1);
  });

  it.each(sizes)("have two bars below them in %j", (size) => {
    const { tracks, ...one } = rack(72).cabinets[0] as RackPicture["cabinets"][0];
    const { beds } = drawn({ ...rack(72), cabinets: [{ ...one, tracks: [...tracks, ...tracks] }] }, size);
    const feet = [...strips(beds, size).matchAll(/V([\d.]+)/g)].map(([, foot]) => Number(foot));
    expect(feet).toHaveLength(2);
    expect(Math.max(...feet)).toBeLessThanOrEqual(size.height);
  });

  it("fill as much of a chip as of its memory, one colour around another", () => {
    const { cells } = drawn(rack(2), LARGE);
    const [chip] = cells as [(typeof cells)[0]];
    const [weights, both] = [filled([chip], "weights"), filled([chip], "kv")];
    const rounding = 0.02 * chip.size; // of a hundredth of a pixel at either side
    expect(Math.abs(area(weights) - 0.25 * chip.size ** 2)).toBeLessThan(rounding);
    // The whole, and the part that is left out of it.
    expect(Math.abs(area(both) - 1.25 * chip.size ** 2)).toBeLessThan(2 * rounding);
    expect(Object.keys(cells[1]?.fills ?? {})).toEqual(["links"]);
  });

  it("go from one rack to another and end there", () => {
    const [one, other] = [drawn(rack(72), LARGE), drawn(rack(64, 64), LARGE)];
    expect(between(one, other, 1)).toBe(other);
    const half = between(one, other, 0.5);
    expect(half.cells).toHaveLength(128);
    expect(half.cells[100]?.size).toBeCloseTo((other.cells[100]?.size ?? 0) / 2);
  });

  it("tell what a cabinet does at a time", () => {
    expect(doing(rack(8, 8), 0.5)).toEqual(["compute", "compute"]);
    expect(doing(rack(8), 0.75)).toEqual([null]);
  });

  it("tell what takes most of a cabinet's time, where its chips show nothing else", () => {
    const [one] = rack(8).cabinets as [RackPicture["cabinets"][0]];
    const busy = [
      { colour: "weights", start: 0, end: 0.2 },
      { colour: "kv", start: 0.2, end: 0.9 },
    ] as const;
    const bare = { ...one, memory: [], painted: [], tracks: [...one.tracks, { busy: [...busy] }] };
    expect(ruling({ ...rack(8), cabinets: [bare, one, { ...bare, tracks: [] }] })).toEqual(["kv", null, null]);
  });
});
