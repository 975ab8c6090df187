import { expect, test } from "vitest";

import type { Node } from "../documents";
import { shortest } from "./paths";
import { beside } from "./things";

function grid(columns: number, rows: number) {
  const box = (thing: number) => ({ x: 10 * (thing % columns), y: 10 * Math.floor(thing / columns), width: 8, height: 8 });
  return { count: columns * rows, box };
}

test("arrows lead to the next thing on their side, and stay at an edge", () => {
  const things = grid(4, 3);
  expect(beside(things, 5, "ArrowRight")).toBe(6);
  expect(beside(things, 5, "ArrowLeft")).toBe(4);
  expect(beside(things, 5, "ArrowUp")).toBe(1);
  expect(beside(things, 5, "ArrowDown")).toBe(9);
  expect(beside(things, 3, "ArrowRight")).toBe(3);
});

test("keys pass over what is not seen at the moment", () => {
  const things = grid(4, 1);
  const box = (thing: number) => (thing === 1 ? { x: 0, y: 0, width: 0, height: 0 } : things.box(thing));
  expect(beside({ count: 4, box }, 0, "ArrowRight")).toBe(2);
});

/** So many chips, each with a cable to every switch. */
function rack(chips: number, switches: number): Node[] {
  const all = (count: number, first: number) => Array.from({ length: count }, (_, place) => first + place);
  return [
    ...all(chips, 0).map((box) => ({ name: "", box, neighbours: all(switches, chips), neighbours_text: "", is_end: true })),
    ...all(switches, chips).map((box) => ({ name: "", box, neighbours: all(chips, 0), neighbours_text: "", is_end: false })),
  ];
}

test("two chips of a rack are two hops apart, over all switches side by side", () => {
  const found = shortest(rack(72, 18), 3, 70);
  expect(found?.hops).toBe(2);
  expect(found?.side).toHaveLength(18);
  expect(found?.edges).toHaveLength(36);
});

test("in a ring a message goes the shorter way round, from chip to chip, one way alone", () => {
  const ring = Array.from({ length: 8 }, (_, box): Node => {
    return { name: "", box, neighbours: [(box + 1) % 8, (box + 7) % 8], neighbours_text: "", is_end: true };
  });
  expect(shortest(ring, 1, 7)).toEqual({
    hops: 2,
    edges: [
      [1, 0],
      [0, 7],
    ],
    side: [0],
  });
  expect(shortest(ring, 0, 4)?.edges).toHaveLength(4);
});

test("what no cable leads to has no way", () => {
  const apart = rack(2, 1).map((node) => (node.box === 1 ? { ...node, neighbours: [] } : node));
  expect(
    shortest(
      apart.map((node) => (node.box === 2 ? { ...node, neighbours: [0] } : node)),
      0,
      1,
    ),
  ).toBeNull();
});
