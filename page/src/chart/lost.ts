// When a frame that is held under a hand shows no more what the board is about.

import type { Axes } from "../documents";
import { type Ends, evenEnds } from "./frame";
import type { Lines } from "./lines";

/** Of a bold line, what must lie inside the frame. */
const LEAST_INSIDE = 0.5;
/** Of the frame's height, up to where a bold line must reach. */
const LEAST_REACH = 0.15;
/** How much more another frame must show: without that it would be changed for nothing. */
const BETTER = { inside: 1.5, reach: 2 };

/** Whether most of a bold line has left the held frame, or it lies flat on the axis, and in the fresh one it would not. */
export function isLost(lines: Lines, axes: Axes, held: Ends, fresh: Ends): boolean {
  // Lines come over the ends that were asked for: others are what was asked for since.
  if (held.x.some((end, which) => end !== fresh.x[which])) return true;
  const [across, up] = evenEnds(axes, held);
  const [, then] = evenEnds(axes, fresh);
  return lines.seen.some((stroke) => {
    if (!stroke.line.is_bold) return false;
    const [now, next] = [up, then].map((ends) => stroke.standing(across, ends, !axes.y.is_logarithmic));
    if (!now || !next) return false;
    const isGone = now.inside < LEAST_INSIDE && next.inside >= BETTER.inside * now.inside && next.inside > LEAST_INSIDE;
    const isFlat = now.reach < LEAST_REACH && next.reach >= BETTER.reach * now.reach && next.reach > LEAST_REACH;
    return isGone || isFlat;
  });
}
