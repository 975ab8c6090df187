// The upright scale once more, at the place where a height is asked for, while hardly a line is drawn that tells it.

import type { CurvesView } from "../documents";
import { tickText } from "./axes";
import { type Box, touch } from "./boxes";
import { isCrossed } from "./crossing";
import type { Projection } from "./frame";
import type { Lines } from "./lines";
import { measure, SMALL } from "./measure";
import { at } from "./numbers";
import type { Shown } from "./stage";
import { matched, move, part, put, say } from "./svg";
import { ticksThatFit } from "./ticks";

/** Half a mark's length, from it to its number, between numbers, and around the dot. */
const MARK = 5;
const NEAR = 10;
const GAP = 12;
const CLEAR = 24;
/** Nearer to the axis that has the same numbers it says nothing new. */
const LEAST_AWAY = 140;
/** In a narrower plot it would stand among labels. */
export const LEAST_WIDE = 480;
/** More lines than that tell the scale themselves. */
const MOST_LINES = 2;

/** Where the scale stands, in even steps along, and what is there already. */
export interface Ruled {
  x: number;
  /** The dot's height in pixels; null before it is put. */
  dot: number | null;
  /** Words beside the dot. */
  words: Box | null;
}

export class Ruler {
  private readonly group: SVGGElement;

  constructor(parent: SVGGElement) {
    this.group = part(parent, "g", { class: "ruler", fill: "var(--muted)", "font-size": SMALL, "aria-hidden": "true" });
  }

  hide(): void {
    put(this.group, { visibility: "hidden" });
  }

  draw(ruled: Ruled, projection: Projection, { view, units }: Shown & { view: CurvesView }, lines: Lines): void {
    const { room } = projection;
    const x = projection.evenX(ruled.x);
    const hasDots = Object.values(view.pictures).some(({ dots }) => dots.length > 0);
    const isAlone = !hasDots && lines.seen.length <= MOST_LINES;
    const isRuled = isAlone && x - room.left > LEAST_AWAY && room.right - room.left > LEAST_WIDE;
    put(this.group, { visibility: isRuled ? "inherit" : "hidden" });
    if (!isRuled) return;
    const axis = view.axes.y;
    const values = ticksThatFit(axis.ticks ?? [], projection.y, () => SMALL, GAP);
    const isLeft = x > (room.left + room.right) / 2;
    matched(this.group, values.length, () => {
      const group = part(this.group, "g");
      part(group, "path", { stroke: "var(--muted)", fill: "none", d: `M${-MARK},0 L${MARK},0` });
      part(group, "text");
      return group;
    }).forEach((mark, which) => {
      const value = at(values, which);
      const y = projection.y(value);
      const text = tickText(axis, value, units);
      const wide = measure(text, SMALL);
      const left = isLeft ? x - NEAR - wide : x + NEAR;
      const box = { left, right: left + wide, top: y - SMALL / 2 - 2, bottom: y + SMALL / 2 + 2 };
      const isBehind =
        (ruled.dot !== null && Math.abs(y - ruled.dot) < CLEAR) || (ruled.words !== null && touch(box, ruled.words));
      const isInside = y >= room.top && y < room.bottom - SMALL;
      const isFree = isInside && !isBehind && !isCrossed(box, projection, lines.covering, 0);
      const words = at(mark.children, 1);
      say(words, text);
      put(words, {
        x: isLeft ? -NEAR : NEAR,
        y: SMALL / 3,
        "text-anchor": isLeft ? "end" : "start",
        visibility: isFree ? "inherit" : "hidden",
      });
      put(mark, { visibility: y >= room.top - 1 && y <= room.bottom + 1 ? "inherit" : "hidden" });
      move(mark, x, y);
    });
  }
}
