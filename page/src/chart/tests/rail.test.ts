import { describe, expect, test } from "vitest";

import { at } from "../numbers";
import { type Arrangement, arrange, lean, type Reach, rowHeights, settle, type Wanted } from "../rail";
import { chance } from "./chance";

const LINE = 16;

interface Case {
  wanted: Wanted[];
  width: number;
}

function someMarks(seed: number): Case {
  const next = chance(seed);
  const width = 280 + 1120 * next();
  const count = 1 + Math.floor(9 * next());
  const wanted = Array.from({ length: count }, () => ({
    x: width * next(),
    width: 30 + 150 * next(),
    height: next() < 0.2 ? 2 * LINE : LINE,
    weight: Math.floor(3 * next()),
  }));
  return { wanted, width };
}

function all(width: number): Reach {
  return { low: 0, high: width, from: 0, to: width };
}

const CASES = Array.from({ length: 300 }, (_, seed) => someMarks(seed));

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Labels as boxes over the plot, whose upper edge is at zero. */
function boxes(wanted: readonly Wanted[], held: Arrangement, x: readonly number[]): (Box & { stem: number })[] {
  const rows = rowHeights(wanted, held);
  return held.seats.flatMap((seat, place) => {
    if (!seat) return [];
    const { width, height } = at(wanted, place);
    const bottom = -rows.slice(0, seat.row).reduce((sum, each) => sum + each, 0);
    const left = at(x, place) - seat.side * width;
    return [{ left, right: left + width, top: bottom - height, bottom, stem: at(x, place) }];
  });
}

function settled(wanted: readonly Wanted[], held: Arrangement, width: number): number[] {
  const x = settle(wanted, held, all(width));
  if (!x) throw new Error("no room");
  return x;
}

describe("labels of a rail", () => {
  test("touch neither each other nor a leader that passes, and stay on the picture", () => {
    for (const { wanted, width } of CASES) {
      const held = arrange(wanted, all(width), 6 * LINE);
      const found = boxes(wanted, held, settled(wanted, held, width));
      found.forEach((one, place) => {
        expect(one.left).toBeGreaterThanOrEqual(-0.01);
        expect(one.right).toBeLessThanOrEqual(width + 0.01);
        for (const other of found.slice(place + 1))
          expect(one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom).toBe(
            false,
          );
        for (const other of found)
          if (other.bottom < one.bottom) expect(other.stem > one.left && other.stem < one.right).toBe(false);
      });
    }
  });

  test("keep to the height that they are given", () => {
    for (const { wanted, width } of CASES)
      for (const lines of [1, 2, 4]) {
        const held = arrange(wanted, all(width), lines * LINE);
        expect(rowHeights(wanted, held).reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(lines * LINE);
      }
  });

  test("all find a seat where there are rows enough", () => {
    for (const { wanted, width } of CASES.filter((one) => one.width > 600)) {
      const held = arrange(wanted, all(width), 12 * LINE);
      expect(held.seats.every((seat) => seat !== null)).toBe(true);
      expect(lean(wanted, held, all(width))).toBeLessThan(Infinity);
    }
  });

  test("the heavier ones are kept where there is room for few", () => {
    const wanted = [0, 1, 2, 3].map((weight) => ({ x: 100 + weight, width: 250, height: LINE, weight }));
    const held = arrange(wanted, all(300), LINE);
    expect(held.seats.map((seat) => seat !== null)).toEqual([false, false, false, true]);
  });

  test("move with their marks: a hundredth of the plot moves none by 12 px against its mark", () => {
    for (const [seed, { wanted, width }] of CASES.entries()) {
      const next = chance(seed + 1000);
      const held = arrange(wanted, all(width), 6 * LINE);
      const way = wanted.map(() => (next() < 0.5 ? -1 : 1) * Math.min(600, width) * 0.01);
      let now = wanted;
      let before = settled(now, held, width);
      // Far enough for marks to pass each other, and for labels to be pushed to the edges.
      for (let step = 0; step < 40; step += 1) {
        const moved = now.map((one, place) => ({ ...one, x: Math.min(width, Math.max(0, one.x + at(way, place))) }));
        const after = settled(moved, held, width);
        held.seats.forEach((seat, place) => {
          if (!seat) return;
          const against = at(after, place) - at(before, place) - (at(moved, place).x - at(now, place).x);
          expect(Math.abs(against)).toBeLessThan(12.01);
        });
        [now, before] = [moved, after];
      }
    }
  });

  test("what fades out gives its room back bit by bit", () => {
    const wanted = [
      { x: 100, width: 100, height: LINE, weight: 0 },
      { x: 110, width: 100, height: LINE, weight: 0 },
    ];
    const held = {
      seats: [
        { row: 0, side: 0.5 },
        { row: 0, side: 0.5 },
      ],
      order: [0, 1],
    };
    const free = (presence: number) => at(settled([{ ...at(wanted, 0), presence }, at(wanted, 1)], held, 400), 1);
    const places = Array.from({ length: 101 }, (_, step) => free(1 - step / 100));
    expect(places[0]).toBeGreaterThan(150);
    expect(places[100]).toBe(110);
    for (const [step, place] of places.slice(1).entries()) expect(Math.abs(place - at(places, step))).toBeLessThan(6);
  });
});
