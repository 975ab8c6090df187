import { expect, test } from "vitest";

import { type Named, stairs } from "./stairs";

/** No leader runs through another's words, and no two names lie over each other. */
function check(named: Named[], end: number): void {
  const found = stairs(named, end, 4);
  const boxes = named.map(({ x, width }, which) => {
    const { isRight, row } = found[which] ?? { isRight: true, row: -1 };
    return { x, row, from: isRight ? x : x - width, to: isRight ? x + width : x };
  });
  boxes.forEach((one, which) => {
    boxes.forEach((other, place) => {
      if (which === place) return;
      if (one.row === other.row) expect(one.to <= other.from || other.to <= one.from).toBe(true);
      if (one.row < other.row) expect(other.x > one.from && other.x < one.to).toBe(false);
    });
  });
}

test("names beside a line's left end rise to the left, those beside its right end to the right", () => {
  const left = [0, 50, 70].map((x) => ({ x, width: 200 }));
  const right = [800, 850, 930, 940].map((x) => ({ x, width: 250 }));
  expect(stairs([...left, ...right], 1000, 4)).toEqual([
    ...[2, 1, 0].map((row) => ({ row, isRight: true })),
    ...[0, 1, 2, 3].map((row) => ({ row, isRight: false })),
  ]);
  check([...left, ...right], 1000);
});

test("a name in the middle leaves the leaders on both sides free", () => {
  check(
    [100, 480, 500, 700, 900].map((x) => ({ x, width: 180 })),
    1000,
  );
});

test("what has room stays down", () => {
  expect(
    stairs(
      [0, 300, 600].map((x) => ({ x, width: 100 })),
      1000,
      4,
    ).map(({ row }) => row),
  ).toEqual([0, 0, 0]);
});
