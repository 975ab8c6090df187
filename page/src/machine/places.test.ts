import { expect, test } from "vitest";

import { ticksOf } from "./clock";
import { type Box, cellsOf, columnsOf, heap, MOST_CHIPS, placesOf, strips } from "./places";

/** Area of a path of rectangles. */
function area(path: string): number {
  return [...path.matchAll(/h([\d.]+)v([\d.]+)h/g)].reduce((sum, [, wide, high]) => sum + Number(wide) * Number(high), 0);
}

function isInside(inner: Box, outer: Box): boolean {
  return inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom;
}

test.each([
  [905, 270, false],
  [610, 220, false],
  [358, 240, false],
  [765, 150, true],
  [555, 136, true],
  [425, 330, true],
  [558, 460, true],
  [358, 176, true],
])("all parts have room at %i by %i", (width, height, isFlat) => {
  const { chip, memory, tank, block, pipe, clock, rack } = placesOf(width, height, isFlat);
  const all = { left: 0, top: 0, right: width, bottom: height };
  for (const one of [chip, clock, ...(rack ? [rack] : [])]) expect(isInside(one, all)).toBe(true);
  for (const one of [memory, tank]) expect(isInside(one, chip)).toBe(true);
  expect(memory.right).toBeLessThan(tank.left);
  expect(tank.right).toBeLessThan(block.x - block.most / 2);
  expect(block.x + block.most / 2).toBeLessThan(chip.right);
  expect(pipe.middle).toBeGreaterThan(tank.top);
  // The clock is below the chip or right of it, and the rack above the clock.
  expect(clock.top > chip.bottom || clock.left > chip.right).toBe(true);
  if (rack) expect([rack.left > chip.right, rack.bottom < clock.top]).toEqual([true, true]);
});

test("a heap has the area of its sequences, and full rows below what is left", () => {
  const cells = cellsOf(40, 100, 32);
  expect(cells.bundle).toBe(1);
  expect(cells.width * cells.height).toBeCloseTo(40);
  for (const count of [0, 1, 17, 32, 33.5]) expect(area(heap(count, cells, 0, 200))).toBeCloseTo(40 * count, 0);
  expect(heap(2 * cells.columns, cells, 0, 200).match(/M/g)).toHaveLength(1);
});

test("a cell stands for as many sequences however large it is drawn: for ten where there are thousands", () => {
  for (const area of [0.1, 1, 40]) {
    expect(cellsOf(area, 100, 32).bundle).toBe(1);
    expect(cellsOf(area, 100, 1001).bundle).toBe(10);
  }
});

test("weights that are read in part are read in as much of their width", () => {
  const room = { left: 10, top: 0, right: 106, bottom: 50 };
  for (const part of [0.055, 0.5, 0.655, 1]) expect(area(strips(room, part, 0, 50))).toBeCloseTo(part * 96 * 50, -1);
  expect(strips(room, 1, 0, 50).match(/M/g)).toHaveLength(1);
});

test("chips stand in trays of four, none outside and none on another", () => {
  const room = { left: 5, top: 7, right: 440, bottom: 190 };
  for (const chips of [1, 8, 72, 1000]) {
    const columns = columnsOf(chips, room);
    expect(columns).toHaveLength(Math.min(chips, MOST_CHIPS));
    for (const one of columns) {
      expect(isInside(one, room)).toBe(true);
      expect(one.right - one.left).toBeGreaterThan(1);
    }
    expect(new Set(columns.map(({ left, top }) => `${left} ${top}`)).size).toBe(columns.length);
  }
});

test("a step's time has at most seven ticks, however wide it is", () => {
  for (const most of [1.25e-3, 1.29e-3, 3.65e-3, 0.9, 1.4, 1.42, 3.2, 7.1])
    for (const about of [1, 4, 7, 9.2, 20]) {
      const all = ticksOf(most, about);
      expect(all.length).toBeGreaterThan(1);
      expect(all.length).toBeLessThanOrEqual(7);
    }
});
