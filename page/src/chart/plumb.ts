// A line from the bold lines down to what lies on the axis along: where a bill is read.

import type { Box } from "./boxes";
import type { Projection } from "./frame";
import type { Lines } from "./lines";
import { at } from "./numbers";
import { colourOf, matched, move, part, put, tenth } from "./svg";

/** Words keep so far away from it. */
const NEAR = 4;

export class Plumb {
  private readonly group: SVGGElement;
  private readonly line: SVGPathElement;
  private readonly beads: SVGGElement;
  /** Where along; null where nothing is read. */
  x: number | null = null;
  /** What it covers as drawn; null where nothing. */
  covered: Box | null = null;

  constructor(parent: SVGGElement) {
    this.group = part(parent, "g", { class: "plumb", "data-passing": "", "aria-hidden": "true", "pointer-events": "none" });
    this.line = part(this.group, "path", { stroke: "var(--ink)", "stroke-width": 1, fill: "none" });
    this.beads = part(this.group, "g");
  }

  /** Where it will run down to the axis, and from which height. */
  guideAt({ x, evenX, evenY, room }: Projection, lines: Lines): { x: number; top: number }[] {
    if (this.x === null) return [];
    const place = x(this.x);
    const bold = lines.seen.filter((stroke) => stroke.line.is_bold);
    const heights = bold.map((stroke) => evenY(stroke.drawnAt(evenX.invert(place), 0))).filter(Number.isFinite);
    return [{ x: place, top: Math.max(room.top, Math.min(room.bottom, ...heights) - NEAR) }];
  }

  /** Over so many pixels between the axis and its numbers. */
  draw({ x, evenX, evenY, room }: Projection, lines: Lines, left: number, gap: number): void {
    const place = this.x === null ? Number.NaN : x(this.x);
    const isSeen = place >= room.left - 1 && place <= room.right + 1;
    put(this.group, { visibility: isSeen ? "inherit" : "hidden" });
    this.covered = null;
    if (!isSeen) return;
    const points = lines.seen
      .filter((stroke) => stroke.line.is_bold)
      .map((stroke) => ({ stroke, y: evenY(stroke.drawnAt(evenX.invert(place), left)) }))
      .filter(({ y }) => y >= room.top - 1 && y <= room.bottom + 1);
    const top = Math.min(room.bottom, ...points.map(({ y }) => y));
    put(this.line, { d: `M${tenth(place)},${tenth(top)} L${tenth(place)},${tenth(room.bottom + gap)}` });
    this.covered = { left: place - NEAR, right: place + NEAR, top: top - NEAR, bottom: room.bottom };
    const beads = matched(this.beads, points.length, () => part(this.beads, "circle", { r: 4.6, "stroke-width": 1.6 }));
    beads.forEach((bead, which) => {
      const { stroke, y } = at(points, which);
      const colour = colourOf(stroke.line.colour);
      const isHollow = stroke.mode === "lecture" && points.length > 1;
      put(bead, { fill: isHollow ? "var(--background)" : colour, stroke: isHollow ? colour : "var(--background)" });
      move(bead, place, y);
    });
  }
}
