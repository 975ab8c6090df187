// Whether a line runs through a box of words.

import type { Box } from "./boxes";
import type { Projection } from "./frame";
import type { Stroke } from "./stroke";

/** A line that is drawn, or was. */
export type Drawn = Pick<Stroke, "heights" | "reach"> & { course: Pick<Stroke["course"], "x"> };

/** Pixels between two points at which lines are looked at. */
const LOOK = 4;
/** The same in every frame of a movement. */
const QUICK_LOOK = 8;

/** Whether any of some lines, as drawn on its way or (0) as asked for, runs through a box. */
export function isCrossed(box: Box, { evenX, evenY, room }: Projection, strokes: readonly Drawn[], left: number): boolean {
  const look = left ? QUICK_LOOK : LOOK;
  const from = evenX.invert(box.left);
  const step = (evenX.invert(box.right) - from) / Math.max(1, Math.ceil((box.right - box.left) / look));
  if (!(step > 0)) return false;
  const end = evenX.invert(Math.min(box.right + look, room.right));
  return strokes.some((stroke) => {
    const height = stroke.heights(left);
    const { x: known } = stroke.course;
    const [low, high] = stroke.reach;
    // A line that ends in the box is looked at where it ends, too.
    const stop = Math.min(end, known[known.length - 1] ?? end);
    let last = Number.NaN;
    const count = Math.ceil((stop - from) / step);
    for (let place = 0; place <= count; place += 1) {
      const x = Math.min(from + place * step, stop);
      const y = x < low || x > high ? Number.NaN : evenY(height(x));
      // Between two points a steep line may pass through.
      if ((y > box.top && y < box.bottom) || (last < box.top && y > box.bottom) || (last > box.bottom && y < box.top))
        return true;
      last = y;
    }
    return false;
  });
}
