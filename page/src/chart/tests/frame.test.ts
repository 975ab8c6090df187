import { describe, expect, test } from "vitest";
import type { Axes } from "../../documents";
import { endsBetween, project, straight } from "../frame";

const LINEAR = { caption: "", dimension: "", is_logarithmic: false };
const LOGARITHMIC = { ...LINEAR, is_logarithmic: true };
const ROOM = { left: 50, right: 650, top: 40, bottom: 340 };

describe("a frame", () => {
  test("takes values to pixels and back", () => {
    const axes: Axes = { x: LOGARITHMIC, y: LINEAR };
    const { x, y, xAt, yAt } = project(axes, { x: [1, 1000], y: [0, 20] }, ROOM);
    expect([x(1), x(1000), y(0), y(20)]).toEqual([50, 650, 340, 40]);
    expect(x(10)).toBeCloseTo(250, 9);
    expect(xAt(x(37))).toBeCloseTo(37, 9);
    expect(yAt(y(3.7))).toBeCloseTo(3.7, 9);
  });

  test("has the same scale as a sum and a product, however vast or far from nought values are", () => {
    for (const up of [
      [0, 4e15],
      [-3e-13, 8e-13],
      [1e15, 1e15 + 64],
    ] as [number, number][]) {
      const { evenY } = project({ x: LINEAR, y: LINEAR }, { x: [0, 1], y: up }, ROOM);
      const quick = straight(evenY);
      for (const part of [0, 0.25, 0.5, 1, 1.5]) {
        const step = up[0] + part * (up[1] - up[0]);
        expect(quick(step)).toBeCloseTo(evenY(step), 6);
      }
    }
  });

  test("has a place for zero and less on a logarithmic axis, far below", () => {
    const { y } = project({ x: LINEAR, y: LOGARITHMIC }, { x: [0, 1], y: [1, 100] }, ROOM);
    expect(y(0)).toBeGreaterThan(ROOM.bottom);
    expect(Number.isFinite(y(0))).toBe(true);
  });

  test("glides in even steps", () => {
    const middle = endsBetween({ x: LOGARITHMIC, y: LINEAR }, { x: [1, 100], y: [0, 10] }, { x: [1, 10000], y: [0, 30] }, 0.5);
    expect(middle.x[1]).toBeCloseTo(1000, 6);
    expect(middle.y[1]).toBe(20);
  });
});
