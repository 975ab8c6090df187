// A rack goes along with the bill of its step's picture: its times, its KV cache, and what it says.

import { describe, expect, it } from "vitest";

import type { RackPicture, View } from "../documents";
import { following, visited } from "./following";

const RACK: RackPicture = {
  cabinets: [
    {
      chips: 1,
      memory: [
        { colour: "weights", fraction: 0.1 },
        { colour: "kv", fraction: 0.4 },
      ],
      tracks: [],
      painted: [],
    },
  ],
  words: [{ text: "as it came" }],
  asked: [],
  kv_of_one: 0.002,
  is_before: false,
};
const VIEW = {
  kind: "curves",
  axes: { x: { caption: "batch: sequences", dimension: "count", ends: null, is_logarithmic: false } },
  pictures: {
    careful: {
      x: [0, 200],
      bill: [
        [
          { name: "weight fetch", colour: "weights", y: [6, 6] },
          { name: "KV fetch", colour: "kv", y: [0, 4] },
        ],
        [{ name: "compute", colour: "compute", y: [4, 4] }],
      ],
    },
  },
} as unknown as View;

describe("a rack that follows a bill", () => {
  it("has its times, and as much cache as the batch has", () => {
    const { cabinets, words } = following(RACK, VIEW, "careful", 100);
    expect(cabinets[0]?.memory.map(({ fraction }) => fraction)).toEqual([0.1, 0.2]);
    expect(cabinets[0]?.tracks).toEqual([
      {
        busy: [
          { colour: "weights", start: 0, end: 0.75 },
          { colour: "kv", start: 0.75, end: 1 },
        ],
      },
      { busy: [{ colour: "compute", start: 0, end: 0.5 }] },
    ]);
    expect(words.map(({ text }) => text).join("")).toBe(
      "At batch 100: weight fetch 75 % and KV fetch 25 % of the step; meanwhile compute 50 %. KV cache fills 20 % of the memory.",
    );
  });

  it("stays as it came where nothing is read, of the other mode, and where it follows nothing", () => {
    expect(following(RACK, VIEW, "careful", null)).toBe(RACK);
    expect(following(RACK, VIEW, "lecture", 100)).toBe(RACK);
    const { kv_of_one: _, ...still } = RACK;
    expect(following(still, VIEW, "careful", 100)).toBe(still);
  });
});

const RACKS = {
  kind: "racks",
  pictures: {
    lecture: {
      racks: [{ chips: [{ number: 0 }, { number: 2 }] }, { chips: [{ number: 1 }, { number: 3 }] }],
      tokens: [
        { rack: 0, near: 1, beyond: 1, visits: [{ chip: 0 }, { chip: 3 }] },
        { rack: 1, near: 2, beyond: 1, visits: [{ chip: 1 }, { chip: 2 }, { chip: 3 }] },
      ],
    },
  },
} as unknown as View;

describe("a rack that follows a token", () => {
  const [cabinet] = RACK.cabinets;
  const two = {
    ...RACK,
    cabinets: [cabinet, cabinet].map((one) => ({ ...one, chips: 2 })),
    words: [{ text: ". On average." }],
  };

  it("lights the chips that it visits, in its own rack and beyond", () => {
    const { cabinets, words } = visited(two as RackPicture, RACKS, "lecture", 1);
    expect(cabinets.map(({ painted }) => painted)).toEqual([
      [{ colour: "also", chips: [1] }],
      [{ colour: "links", chips: [0, 1] }],
    ]);
    expect(words.map(({ text }) => text).join("")).toBe("Token 2 makes 2 visits in its rack and 1 beyond. On average.");
  });

  it("stays as it came beside another picture, and where there is no such token", () => {
    expect(visited(RACK, VIEW, "careful", 0)).toBe(RACK);
    expect(visited(RACK, RACKS, "lecture", 2)).toBe(RACK);
    expect(visited({ ...RACK, is_before: true }, RACKS, "lecture", 0).cabinets).toBe(RACK.cabinets);
  });
});
