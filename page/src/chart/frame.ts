// The frame of a picture of lines: its ends, its place, its ticks.

import { type ScaleLinear, scaleLinear } from "d3-scale";
import type { Axes, Axis, CurvesView } from "../documents";
import { mixed } from "./numbers";

/** Least and largest values of both axes. */
export interface Ends {
  x: [number, number];
  y: [number, number];
}

/** Where the plot lies, in pixels. */
export interface Room {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

type Steps = Pick<Axis, "is_logarithmic">;

/** Below it a logarithmic axis has nothing. */
const LEAST = 1e-300;

/** A value in even steps: equal differences are equally far on the screen. */
export function even(axis: Steps, value: number): number {
  return axis.is_logarithmic ? Math.log10(Math.max(value, LEAST)) : value;
}

/** The value at a step. */
export function uneven(axis: Steps, step: number): number {
  return axis.is_logarithmic ? 10 ** step : step;
}

/** From values to pixels and back; of each also from even steps. */
export interface Projection {
  room: Room;
  /** Ends in even steps. */
  across: [number, number];
  up: [number, number];
  x: (value: number) => number;
  y: (value: number) => number;
  evenX: ScaleLinear<number, number>;
  evenY: ScaleLinear<number, number>;
  xAt: (pixel: number) => number;
  yAt: (pixel: number) => number;
}

export function project(axes: Axes, ends: Ends, room: Room): Projection {
  const across = ends.x.map((end) => even(axes.x, end)) as [number, number];
  const up = ends.y.map((end) => even(axes.y, end)) as [number, number];
  const evenX = scaleLinear(across, [room.left, room.right]);
  const evenY = scaleLinear(up, [room.bottom, room.top]);
  return {
    room,
    across,
    up,
    evenX,
    evenY,
    x: (value) => evenX(even(axes.x, value)),
    y: (value) => evenY(even(axes.y, value)),
    xAt: (pixel) => uneven(axes.x, evenX.invert(pixel)),
    yAt: (pixel) => uneven(axes.y, evenY.invert(pixel)),
  };
}

/** A scale as a sum and a product, for the many points of a frame; from an end of its own, for nought may be far away. */
export function straight(scale: ScaleLinear<number, number>): (step: number) => number {
  const [[from, to], [begin, end]] = [scale.domain(), scale.range()] as [[number, number], [number, number]];
  if (to === from) return scale;
  const slope = (end - begin) / (to - from);
  return (step) => begin + slope * (step - from);
}

/** Ends on the way from some to others, in even steps. */
export function endsBetween(axes: Axes, from: Ends, to: Ends, part: number): Ends {
  if (part === 1) return to;
  const of = (name: "x" | "y"): [number, number] => {
    const axis = axes[name];
    const step = (which: 0 | 1) => uneven(axis, mixed(even(axis, from[name][which]), even(axis, to[name][which]), part));
    return [step(0), step(1)];
  };
  return { x: of("x"), y: of("y") };
}

/** Whether two pairs of ends are one. */
export function isSame(one: readonly number[], other: readonly number[]): boolean {
  return one.every((end, which) => end === other[which]);
}

/** Ends in even steps, along and up. */
export function evenEnds(axes: Axes, { x, y }: Ends): [along: [number, number], up: [number, number]] {
  const of = (axis: Axis, [low, high]: [number, number]): [number, number] => [even(axis, low), even(axis, high)];
  return [of(axes.x, x), of(axes.y, y)];
}

/** A place on the way from one to another. */
export function roomBetween(from: Room, to: Room, part: number): Room {
  return {
    left: mixed(from.left, to.left, part),
    right: mixed(from.right, to.right, part),
    top: mixed(from.top, to.top, part),
    bottom: mixed(from.bottom, to.bottom, part),
  };
}

/** Whether one view's lines may turn into another's. */
export function isSameFrame(one: CurvesView, other: CurvesView): boolean {
  return (
    (["x", "y"] as const).every(
      (name) =>
        one.axes[name].caption === other.axes[name].caption &&
        one.axes[name].is_logarithmic === other.axes[name].is_logarithmic,
    ) && one.heading === other.heading
  );
}
