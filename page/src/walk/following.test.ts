// A rack goes along with the bill of its step's picture: its times, its KV cache, and what it says.

import { describe, expect, it } from "vitest";

import type { RackPicture, View } from "../documents";
import { following } from "./following";

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
