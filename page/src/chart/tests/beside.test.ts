import { describe, expect, test } from "vitest";
import { boxAt, dotBoxes, leadBoxes, spotsFor } from "../beside";
import { type Box, isInside, touch } from "../boxes";
import { chance } from "./chance";

const ROOM: Box = { left: 0, top: 0, right: 600, bottom: 300 };

describe("places of words beside dots", () => {
  const scattered = (seed: number) => {
    const next = chance(seed);
    return Array.from({ length: 6 }, () => ({
      x: 600 * next(),
      y: 300 * next(),
      width: 40 + 100 * next(),
      height: next() > 0.5 ? 16 : 32,
      before: null,
    }));
  };

  test("cover no other words, no dot, no leader, and lie inside", () => {
    let found = 0;
    for (let seed = 0; seed < 60; seed += 1) {
      const all = scattered(seed);
      const dots = dotBoxes(all.map(({ x, y }) => [x, y] as const));
      const spots = spotsFor(all, ROOM, dots, () => true);
      const drawn = all.flatMap((one, place) => {
        const spot = spots[place];
        return spot ? [{ words: boxAt(one, spot), leader: leadBoxes(one, spot) }] : [];
      });
      found += drawn.length;
      for (const [place, { words, leader }] of drawn.entries()) {
        expect(isInside(words, ROOM)).toBe(true);
        expect(dots.some((dot) => touch(dot, words))).toBe(false);
        for (const other of drawn.slice(0, place)) {
          expect(touch(words, other.words)).toBe(false);
          expect(other.leader.some((each) => touch(each, words))).toBe(false);
          expect(leader.some((each) => touch(each, other.words))).toBe(false);
        }
      }
    }
    // Nearly all find one: of six on so much room.
    expect(found).toBeGreaterThan(0.95 * 60 * 6);
  });

  test("stay where they are as long as that is free", () => {
    const [one] = scattered(1);
    if (!one) throw new Error("there is none");
    const [first] = spotsFor([one], ROOM, [], () => true);
    const before = first ?? null;
    expect(spotsFor([{ ...one, before }], ROOM, [], () => true)).toEqual([before]);
    const isTaken = before && boxAt(one, before);
    const [other] = spotsFor([{ ...one, before }], ROOM, isTaken ? [isTaken] : [], () => true);
    expect(other).not.toEqual(before);
  });

  test("are none where lines lie everywhere", () => {
    expect(spotsFor(scattered(2), ROOM, [], () => false)).toEqual([null, null, null, null, null, null]);
  });
});
