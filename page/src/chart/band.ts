// Around a guess what counts: from so many times less to so many times more along the asked axis. Before there is one, all
// places where it may be put.

import type { Box } from "./boxes";
import type { Room } from "./frame";
import { part, put } from "./svg";

/** To each side of the dot, in pixels. */
const HALF = 8;
/** Of what counts, and of all places where a dot may be put. */
const STRONG = 0.18;
const FAINT = 0.08;

export class Band {
  private readonly body: SVGPathElement;
  private readonly ends: SVGPathElement;

  constructor(parent: SVGGElement) {
    this.body = part(parent, "path", { stroke: "var(--estimate)" });
    this.ends = part(parent, "path", { stroke: "var(--estimate)", "stroke-width": 1.5, fill: "none" });
  }

  /** Through a dot, between two places in pixels along its axis; what it covers. */
  draw(axis: "x" | "y", { x, y }: { x: number; y: number }, from: number, to: number): Box {
    const box =
      axis === "y"
        ? { left: x - HALF, right: x + HALF, top: Math.min(from, to), bottom: Math.max(from, to) }
        : { left: from, right: to, top: y - HALF, bottom: y + HALF };
    this.fill(axis, box, STRONG);
    const { left, right, top, bottom } = box;
    const d =
      axis === "y"
        ? `M${left},${top}H${right}M${left},${bottom}H${right}`
        : `M${left},${top}V${bottom}M${right},${top}V${bottom}`;
    put(this.ends, { visibility: "inherit", d });
    return box;
  }

  /** All of the asked axis, along which a dot may be put; what it covers. */
  track(axis: "x" | "y", x: number, { left, right, top, bottom }: Room): Box {
    put(this.ends, { visibility: "hidden" });
    const box =
      axis === "y" ? { left: x - HALF, right: x + HALF, top, bottom } : { left, right, top: bottom - 2 * HALF, bottom };
    this.fill(axis, box, FAINT);
    return box;
  }

  private fill(axis: "x" | "y", { left, right, top, bottom }: Box, opacity: number): void {
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const d = axis === "y" ? `M${x},${top}V${bottom}` : `M${left},${y}H${right}`;
    put(this.body, { visibility: "inherit", "stroke-width": 2 * HALF, "stroke-opacity": opacity, d });
  }

  hide(): void {
    for (const each of [this.body, this.ends]) put(each, { visibility: "hidden" });
  }
}
