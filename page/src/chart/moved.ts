// Where the line of a question runs now, once its answer is told: of other numbers it may run elsewhere.

import type { Mode } from "../documents";
import { around, type Box } from "./boxes";
import type { Projection } from "./frame";
import type { Lines } from "./lines";
import { clamp } from "./numbers";
import { type Point, Saying } from "./saying";
import { colourOf, move, part, put } from "./svg";

const RADIUS = 4.6;
/** Around its dot. */
const RING = 8;

/** Of one mode. */
export interface Running extends Point {
  mode: Mode;
  colour: string;
  text: string;
}

export class Moved {
  private readonly drawn: Record<Mode, { dot: SVGCircleElement; saying: Saying }>;
  /** What they cover. */
  covered: Box[] = [];

  constructor(parent: SVGGElement) {
    const made = () => ({ dot: part(parent, "circle", { r: RADIUS, class: "moved" }), saying: new Saying(parent) });
    this.drawn = { lecture: made(), careful: made() };
  }

  /** At what is taken words give way: whoever looks for the answer finds it alone. */
  draw(all: readonly Running[], projection: Projection, lines: Lines, taken: readonly Box[], isHeld: boolean): void {
    const { room } = projection;
    const dots = all.map(({ x, y }) => around(x, clamp(y, room.top, room.bottom), RING));
    this.covered = [...dots];
    for (const mode of ["lecture", "careful"] as const) {
      const { dot, saying } = this.drawn[mode];
      const one = all.find((each) => each.mode === mode);
      put(dot, { visibility: one ? "inherit" : "hidden" });
      if (!one) {
        saying.hush();
        continue;
      }
      const there = { x: one.x, y: clamp(one.y, room.top, room.bottom) };
      const isHollow = all.length > 1 && mode === "lecture";
      const colour = colourOf(one.colour);
      put(dot, { fill: isHollow ? "var(--background)" : colour, stroke: isHollow ? colour : "var(--background)" });
      put(dot, { opacity: there.y === one.y ? 1 : 0.4 });
      move(dot, there.x, there.y);
      const box = saying.beside(projection, lines, there, one.text, colour, [...taken, ...this.covered], isHeld);
      this.covered.push(box);
    }
  }
}
