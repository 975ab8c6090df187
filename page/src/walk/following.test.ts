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
  words: [
    { text: "1 chip, " },
    { text: "as it came", colour: "kv" },
    { text: " of " },
    { text: "80 GB" },
    { text: " a chip." },
  ],
  follows_bill: true,
  kv_of_one: 0.002,
  tokens: [],
  is_resting: false,
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
      "1 chip, batch 100: weight fetch 75 %, KV fetch 25 % of the step, compute 50 %. Memory: weights 10 %, KV 20 % of 80 GB a chip.",
    );
  });

  it("stays as it came where nothing is read, of the other mode, and where it follows nothing", () => {
    expect(following(RACK, VIEW, "careful", null)).toBe(RACK);
    expect(following(RACK, VIEW, "lecture", 100)).toBe(RACK);
    const still = { ...RACK, follows_bill: false };
    expect(following(still, VIEW, "careful", 100)).toBe(still);
  });

  it("tells of no memory where none is told of", () => {
    const { kv_of_one: _, cabinets, ...others } = RACK;
    const bare = { ...others, cabinets: cabinets.map((one) => ({ ...one, memory: [] })) };
    expect(following(bare, VIEW, "careful", 100).words.at(-1)?.text).toBe(". ");
  });
});

describe("a rack that follows a token", () => {
  const [cabinet] = RACK.cabinets;
  const two = {
    ...RACK,
    cabinets: [cabinet, cabinet].map((one) => ({ ...one, chips: 4, painted: [{ colour: "links", chips: [0] }] })),
    tokens: [
      { chips: [[0], [3]], words: [{ text: "Token 1" }] },
      { chips: [[1], [0, 1]], words: [{ text: "Token 2" }] },
    ],
  } as RackPicture;

  it("lights the chips that it visits, in all racks", () => {
    const { cabinets, words } = visited(two, 1);
    expect(cabinets.map(({ painted }) => painted)).toEqual([
      [{ colour: "links", chips: [1] }],
      [{ colour: "links", chips: [0, 1] }],
    ]);
    expect(words).toEqual([{ text: "Token 2" }]);
  });

  it("stays as it came where there is no such token", () => {
    expect(visited(RACK, 0)).toBe(RACK);
    expect(visited(two, 2)).toBe(two);
  });
});
