// Whether a line runs through a box of words.

import type { Box } from "./boxes";
import type { Projection } from "./frame";
import type { Stroke } from "./stroke";

/** Pixels between two points at which lines are looked at. */
const LOOK = 4;

/** Whether any of some lines, as drawn on its way or (0) as asked for, runs through a box. */
export function isCrossed(box: Box, { evenX, evenY, room }: Projection, strokes: readonly Stroke[], left: number): boolean {
  const from = evenX.invert(box.left);
  const step = (evenX.invert(box.right) - from) / Math.max(1, Math.ceil((box.right - box.left) / LOOK));
  if (!(step > 0)) return false;
  return strokes.some((stroke) => {
    let last = Number.NaN;
    for (let x = from; evenX(x) <= box.right + LOOK && evenX(x) <= room.right; x += step) {
      const y = evenY(stroke.drawnAt(x, left));
      // Between two points a steep line may pass through.
      if ((y > box.top && y < box.bottom) || (last < box.top && y > box.bottom) || (last > box.bottom && y < box.top))
        return true;
      last = y;
    }
    return false;
  });
}
