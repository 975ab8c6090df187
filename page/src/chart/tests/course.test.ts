import { describe, expect, test } from "vitest";
import type { Axes } from "../../documents";
import { courseOf, reaching } from "../course";

const axis = { caption: "", dimension: "count", is_logarithmic: false };
const axes = (low: number, high: number): Axes => ({ x: { ...axis, ends: [low, high] }, y: axis });
const line = { name: "", colour: "ink" as const, is_bold: true, is_floor: false, high: null };
/** Twice as high as it is far. */
const twice = (x: number[]) => courseOf(axes(0, 1), { ...line, y: x.map((each) => 2 * each) }, x);

describe("a line on its way into another frame", () => {
  test("goes on as it went before, as far as the frame that is still on the screen", () => {
    const found = reaching(twice([0, 2, 4]), twice([0, 3, 6, 9, 12]), axes(0, 4), [0, 9]);
    expect([...found.x]).toEqual([0, 2, 4, 6, 9]);
    expect([...found.y]).toEqual([0, 4, 8, 12, 18]);
  });

  test("reaches both edges of a frame that has glided to between two known points", () => {
    const found = reaching(twice([4, 5, 6]), twice([0, 3, 6, 9, 12]), axes(4, 6), [1, 8]);
    expect([...found.x]).toEqual([0, 3, 4, 5, 6, 9]);
    expect([...found.y]).toEqual([0, 6, 8, 10, 12, 18]);
  });

  test("goes on from where it ends now", () => {
    const higher = courseOf(axes(0, 4), { ...line, y: [10, 14, 18] }, [0, 2, 4]);
    expect([...reaching(higher, twice([0, 4, 8]), axes(0, 4), [0, 8]).y]).toEqual([10, 14, 18, 26]);
  });

  test("is itself in a larger frame, and where it ends before its own", () => {
    const [long, short] = [twice([0, 5, 10]), twice([0, 1, 2])];
    expect(reaching(long, short, axes(0, 10), [0, 2])).toBe(long);
    expect(reaching(short, long, axes(0, 4), [0, 10])).toBe(short);
  });
});
