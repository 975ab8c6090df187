// Words of a drawing beside a chart: the longest that have room.

import { FONT } from "../chart/measure";
import { put, say, tenth } from "../chart/svg";
import type { Given } from "./played";

/** Where they stand, and how wide they may be. */
export interface Spot {
  x: number;
  y: number;
  room: number;
  size?: number;
}

/** Of texts that say the same, from the longest on; without room for any, the last one or nothing. */
export function write(
  text: Element,
  all: readonly string[],
  { x, y, room, size = FONT }: Spot,
  { measure }: Given,
  last = "",
): void {
  put(text, { x: tenth(x), y: tenth(y) });
  say(text, all.find((one) => measure(one, size, 600) < room) ?? last);
}
