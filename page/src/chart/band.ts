// Around a guess what counts: from so many times less to so many times more along the asked axis.

import type { Box } from "./boxes";
import { part, put } from "./svg";

/** To each side of the dot, in pixels. */
const HALF = 8;

export class Band {
  private readonly body: SVGPathElement;
  private readonly ends: SVGPathElement;

  constructor(parent: SVGGElement) {
    this.body = part(parent, "path", { stroke: "var(--estimate)", "stroke-opacity": 0.18 });
    this.ends = part(parent, "path", { stroke: "var(--estimate)", "stroke-width": 1.5, fill: "none" });
  }

  /** Through a dot, between two places in pixels along its axis, none of it over the numbers left of the plot; what it covers. */
  draw(axis: "x" | "y", { x, y }: { x: number; y: number }, from: number, to: number, edge: number): Box {
    for (const each of [this.body, this.ends]) put(each, { visibility: "inherit" });
    if (axis === "y") {
      const [left, right] = [Math.max(x - HALF, edge), x + HALF];
      put(this.body, { d: `M${(left + right) / 2},${from}V${to}`, "stroke-width": right - left });
      put(this.ends, { d: `M${left},${from}H${right}M${left},${to}H${right}` });
      return { left, right, top: Math.min(from, to), bottom: Math.max(from, to) };
    }
    put(this.body, { d: `M${from},${y}H${to}`, "stroke-width": 2 * HALF });
    put(this.ends, { d: `M${from},${y - HALF}v${2 * HALF}M${to},${y - HALF}v${2 * HALF}` });
    return { left: from, right: to, top: y - HALF, bottom: y + HALF };
  }

  hide(): void {
    for (const each of [this.body, this.ends]) put(each, { visibility: "hidden" });
  }
}
