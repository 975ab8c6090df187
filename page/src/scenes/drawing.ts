// What a scene asks of a drawing.

import type { Measure } from "../chart/measure";
import { clamp } from "../chart/numbers";
import type { Axes } from "../documents";
import type { Grip, Things } from "./things";

/** What a scene reports. */
export interface Handles {
  /** A model or a machine was chosen in it. */
  choose?: (facts: { model?: string; machine?: string }) => void;
  /** A control is turned in it, to a number. */
  turn?: (control: string, value: number, isFinal: boolean) => void;
  /** Tell whoever does not see it. */
  say?: (text: string) => void;
  /** Stand still at a part of the time; or play it from the start. */
  seek?: (fraction: number) => void;
  replay?: () => void;
}

export interface Drawing<Picture> {
  readonly svg: SVGSVGElement;
  /** How long it plays; 0 where it stands still. */
  seconds(): number;
  /** The part of the time at which it is first seen; the start where it has none. */
  opens?(): number;
  /** While something is asked it has only what is known before an answer. */
  show(picture: Picture, axes: Axes, isAsked: boolean): void;
  /** Lay out all parts in a width and, where they can, in the height that there is; returns the height that they take. */
  fit(width: number, room: number, measure: Measure): number;
  /** Move all parts to where they are at a part of the time, from 0 to 1. */
  draw(fraction: number): void;
  /** What lies at a place, in words, where a drawing has more to say than it writes. */
  at?(x: number, y: number): string | null;
  /** What can be pointed at and taken. */
  readonly things?: Things;
  /** What a hand at a place takes hold of. */
  grip?(x: number, y: number): Grip | null;
  /** It is played: what was stopped for a look goes on. */
  played?(): void;
  /** The same moment in words. */
  now(fraction: number): string;
  /** All of it in words. */
  described(): string;
}

/** How far along between two moments, slow at both ends. */
export function eased(value: number, start: number, end: number): number {
  const along = clamp((value - start) / (end - start));
  return along * along * (3 - 2 * along);
}
