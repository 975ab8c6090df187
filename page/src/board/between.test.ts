import { expect, test } from "vitest";

import type { Views } from "../documents";
import { between } from "./between";

function answer(y: number[], text: string, kind = "curves", more: object[] = []): Views {
  const lines = [{ name: `floor ${text}`, y, high: null }];
  const marks = [{ name: "balance", x: y[0], y: y[1], text: `at 8: ${text}` }, ...more];
  const picture = { x: [1, 2, 3], lines, marks, is_whole: false };
  const views = [{ kind, heading: "", axes: { x: { ends: [1, 3] } }, pictures: { lecture: picture } }];
  const found = { modes: ["lecture"], controls: { lecture: { width: 2, chips: 8 } }, letters: { lecture: { t: text } } };
  return {
    ...found,
    refused: {},
    ignored: {},
    clamped: {},
    views,
    opened: {},
    fewest_chips: {},
    live: null,
  } as unknown as Views;
}

function drawn(found: Views | null) {
  const [view] = found?.views ?? [];
  if (view?.kind !== "curves" || !view.pictures.lecture) throw new Error("no curves");
  return view.pictures.lecture;
}

const HALF = { part: 0.5, isInRatios: false };

test("lines, marks, letters and words lie between, and what is turned where it is", () => {
  const found = between(answer([1, 4, 9], "2.00 ms"), answer([3, 6, 27], "4.00 ms"), HALF, 0, { width: 3 });
  const { lines, marks } = drawn(found);
  expect(lines[0]?.y).toEqual([2, 5, 18]);
  expect(marks[0]).toMatchObject({ x: 2, y: 5, text: "at 8: 3.00 ms" });
  expect(found?.controls.lecture).toEqual({ width: 3, chips: 8 });
  expect(found?.letters.lecture).toEqual({ t: "3.00 ms" });
});

test("in ratios a power is exact", () => {
  const found = between(answer([1, 4, 16], "1.00 ms"), answer([4, 64, 1], "4.00 ms"), { ...HALF, isInRatios: true }, 0, {});
  expect(drawn(found).lines[0]?.y).toEqual([2, 16, 4]);
});

test("a number between has as many digits as the answers have, whichever is nearer", () => {
  const between8and9 = (from: string, to: string, part = 0.5) =>
    drawn(between(answer([1], from), answer([1], to), { ...HALF, part }, 0, {})).marks[0]?.text;
  expect(between8and9("8 times, from 64,800", "6.9 times, from 67,300")).toBe("at 8: 7.5 times, from 66,100");
  expect(between8and9("4.05 times", "5 times", 0.9)).toBe("at 8: 4.91 times");
  expect(between8and9("256 experts", "260 experts")).toBe("at 8: 258 experts");
  expect(between8and9("0.99 s", "1.01 s")).toBe("at 8: 1.00 s");
});

test("other words, and what only one has, are the nearer answer's", () => {
  const one = answer([1, 4, 9], "900 µs");
  const other = answer([3, 6, 27], "1.10 ms", "curves", [{ name: "memory full", x: 3, y: 3, text: "full" }]);
  expect(drawn(between(one, other, { ...HALF, part: 0.25 }, 0, {})).marks).toHaveLength(1);
  const { lines, marks } = drawn(between(one, other, { ...HALF, part: 0.75 }, 0, {}));
  expect(lines[0]?.name).toBe("floor 1.10 ms");
  expect(lines[0]?.y).toEqual([2.5, 5.5, 22.5]);
  expect(marks.map(({ name }) => name)).toEqual(["balance", "memory full"]);
});

test("of scenes nobody knows what is between", () => {
  expect(between(answer([1], "1", "gantt"), answer([2], "2", "gantt"), HALF, 0, {})).toBeNull();
});
