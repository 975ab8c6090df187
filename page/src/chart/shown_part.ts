// From where to where along a line is drawn: what is known of it before an answer, and after it all.

import type { Axis } from "../documents";
import { even, type Projection } from "./frame";
import { mixed } from "./numbers";

/** Ends along in even steps; beyond the axis where it is known from its start or to its end. */
export type Known = readonly [number, number];

/** Of a question; null where nothing of the line is known. */
export function knownOf(axis: Axis, from: number | null, to: number | null): Known | null {
  return from === null && to === null
    ? null
    : [from === null ? -Infinity : even(axis, from), to === null ? Infinity : even(axis, to)];
}

/** In pixels, at a part (from 0 to 1) of the way from what is known, or from the left edge, to the whole plot. */
export function shownPart(known: Known | null, part: number, { across, room, evenX }: Projection): [number, number] {
  const [from, to] = known
    ? [evenX(Math.max(known[0], across[0])), evenX(Math.min(known[1], across[1]))]
    : [room.left, room.left];
  return [mixed(from, room.left, part), mixed(to, room.right, part)];
}

/** Where what is known ends inside of the plot, in even steps: from there a guess goes on. */
export function tipsOf(known: Known, { across }: Projection): number[] {
  return [known[0] > across[0] ? known[0] : Number.NaN, known[1] < across[1] ? known[1] : Number.NaN].filter(Number.isFinite);
}
