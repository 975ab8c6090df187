// Words of a drawing beside a chart: the longest that have room.

import { FONT } from "../chart/measure";
import { put, say, tenth } from "../chart/svg";
import type { Curves } from "../documents";
import type { Given } from "./played";

/** Where they stand, and how wide they may be. */
export interface Spot {
  x: number;
  y: number;
  room: number;
  size?: number;
  weight?: number;
}

/** Colour of a line; that of what is beside the subject where there is none. */
export function colourIn({ lines }: Curves, name: string): string {
  return lines.find((one) => one.name === name)?.colour ?? "muted";
}

/** "3 times his guess"; what is one time as much is as much. */
export function multiple(number: string, of: string): string {
  if (number !== "1") return `${number} times ${of}`;
  return of.startsWith("as ") ? of : `as much as ${of}`;
}

/** Of texts that say the same, from the longest on; without room for any, the last one or nothing. */
export function write(
  text: Element,
  all: readonly string[],
  { x, y, room, size = FONT, weight = 600 }: Spot,
  { measure }: Given,
  last = "",
): void {
  put(text, { x: tenth(x), y: tenth(y) });
  say(text, all.find((one) => measure(one, size, weight) < room) ?? last);
}
