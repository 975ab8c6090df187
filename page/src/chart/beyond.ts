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

/** How a line went that is known nowhere in the frame: to the right of it or to the left, and how high, in even steps. */
interface Gone {
  isRight: boolean;
  y: number;
}

export class Beyond {
  private readonly group: SVGGElement;
  private readonly aside: SVGGElement;
  /** Of lines that were known in a part of the frame alone, by key. */
  private readonly ways = new Map<string, Gone>();

  constructor(parent: SVGGElement) {
    this.group = part(parent, "g", { class: "beyond", "aria-hidden": "true" });
    this.aside = part(parent, "g", { class: "beyond", "aria-hidden": "true" });
  }

  draw(projection: Projection, strokes: readonly Stroke[]): void {
    const { across, up, evenX, room } = projection;
    const [bottom, top] = up;
    this.drawAside(projection, strokes);
    const found = strokes.flatMap((stroke) => {
      const { x } = stroke.course;
      if (!x.length) return [];
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
      put(arrow, {
        d: `M${tenth(x - HALF)},${tenth(edge + way)} L${tenth(x)},${tenth(edge)} L${tenth(x + HALF)},${tenth(edge + way)}Z`,
        ...looks(stroke, strokes),
      });
    });
  }

  /** Lines that are known from beyond an end along, or up to there: an arrow at that end. */
  private drawAside({ across: [from, to], evenY, room }: Projection, strokes: readonly Stroke[]): void {
    if (!strokes.length) this.ways.clear();
    const found = strokes.flatMap((stroke) => {
      const { x, y } = stroke.course;
      const [first, last] = [x[0] ?? Number.NaN, x.at(-1) ?? Number.NaN];
      const isRight = first - from > to - last;
      if (x.length && (first > from || last < to)) this.ways.set(stroke.key, { isRight, y: at(y, isRight ? 0 : y.length - 1) });
      else if (x.length) this.ways.delete(stroke.key);
      const way = this.ways.get(stroke.key);
      if (!way || (first <= to && last >= from)) return [];
      return [{ stroke, isRight: way.isRight, y: clamp(evenY(way.y), room.top + HALF, room.bottom - HALF) }];
    });
    found.sort((one, other) => one.y - other.y);
    const wished = found.map(({ y }) => y);
    const ends = [room.top + HALF, room.bottom - HALF].map((end) => found.map(() => end)) as [number[], number[]];
    const places = apart(wished, ...ends, () => WIDE) ?? wished;
    matched(this.aside, found.length, () => part(this.aside, "path", { "stroke-width": 1.2 })).forEach((arrow, place) => {
      const { stroke, isRight } = at(found, place);
      const y = at(places, place);
      const [edge, way] = isRight ? [room.right, -HIGH] : [room.left, HIGH];
      put(arrow, {
        d: `M${tenth(edge + way)},${tenth(y - HALF)} L${tenth(edge)},${tenth(y)} L${tenth(edge + way)},${tenth(y + HALF)}Z`,
        ...looks(stroke, strokes),
      });
    });
  }
}

function looks(stroke: Stroke, strokes: readonly Stroke[]): { fill: string; stroke: string } {
  const colour = colourOf(stroke.line.colour);
  const isThin = stroke.mode === "lecture" && strokes.some(({ mode }) => mode !== "lecture");
  return { fill: isThin ? "var(--background)" : colour, stroke: colour };
}
