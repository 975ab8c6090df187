// Lines that leave a frame that a hand holds: an arrow at its edge, where each goes.

import { apart } from "./apart";
import type { Projection } from "./frame";
import { at, clamp } from "./numbers";
import type { Stroke } from "./stroke";
import { colourOf, matched, part, put, tenth } from "./svg";

/** Half of an arrow's width and its height, in pixels. */
const [HALF, HIGH] = [5, 9];
/** From one arrow to the next, so that none covers another. */
const WIDE = 2 * HALF + 2;

export class Beyond {
  private readonly group: SVGGElement;

  constructor(parent: SVGGElement) {
    this.group = part(parent, "g", { class: "beyond", "aria-hidden": "true" });
  }

  draw({ across, up, evenX, room }: Projection, strokes: readonly Stroke[]): void {
    const [bottom, top] = up;
    const found = strokes.flatMap((stroke) => {
      const { x } = stroke.course;
      const last = Math.min(at(x, x.length - 1), across[1]);
      const end = stroke.drawnAt(last, 0);
      if (!(end > top || end < bottom)) return [];
      const isUp = end > top;
      // One that has no point inside leaves where it ends.
      const exit = (isUp ? stroke.exit(across, up) : stroke.exit(across, [-top, -bottom], -1)) ?? last;
      return [{ stroke, isUp, x: clamp(evenX(exit), room.left + HALF, room.right - HALF) }];
    });
    // Lines that leave at one place have an arrow each.
    found.sort((one, other) => one.x - other.x);
    const wished = found.map(({ x }) => x);
    const ends = [room.left + HALF, room.right - HALF].map((end) => found.map(() => end)) as [number[], number[]];
    const least = (one: number, other: number) => (at(found, one).isUp === at(found, other).isUp ? WIDE : 0);
    const places = apart(wished, ...ends, least) ?? wished;
    matched(this.group, found.length, () => part(this.group, "path", { "stroke-width": 1.2 })).forEach((arrow, place) => {
      const { stroke, isUp } = at(found, place);
      const x = at(places, place);
      const [edge, way] = isUp ? [room.top, HIGH] : [room.bottom, -HIGH];
      const colour = colourOf(stroke.line.colour);
      const isThin = stroke.mode === "lecture" && strokes.some(({ mode }) => mode !== "lecture");
      put(arrow, {
        d: `M${tenth(x - HALF)},${tenth(edge + way)} L${tenth(x)},${tenth(edge)} L${tenth(x + HALF)},${tenth(edge + way)}Z`,
        fill: isThin ? "var(--background)" : colour,
        stroke: colour,
      });
    });
  }
}
