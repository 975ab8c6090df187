// Words of a drawing beside a chart: the longest that have room.

import { FONT } from "../chart/measure";
import { put, say, tenth } from "../chart/svg";
import type { Curves } from "../documents";
import { format } from "../state/quantity";
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

/** "1/3"; null of what is one or more, written so. */
export function fraction(ratio: number, digits?: number): string | null {
  const less = format(1 / ratio, "count", digits);
  return ratio < 1 && less !== "1" ? `1/${less}` : null;
}

/** How many times something, or which part of it. */
export function timesOf(ratio: number, of: string, digits?: number): string {
  const part = fraction(ratio, digits);
  return part ? `${part} of ${of}` : multiple(format(ratio, "count", digits), of);
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
