// Where on a chart lies what is asked, while an answer is chosen: a guide along it, and a question mark where no line is, nor words, nor the answer.

import type { Sketch } from "../documents";
import type { Box } from "./boxes";
import type { Projection } from "./frame";
import type { Lines } from "./lines";
import { halo, part, put } from "./svg";

/** Of the plot: where the mark lies along where nothing says it, and heights at which it may lie. */
const ASIDE = 0.5;
const HEIGHTS = [0.5, 0.35, 0.65, 0.2, 0.8];
/** Half of its height, in pixels. */
const HALF = 14;

export class Unknown {
  private readonly group: SVGGElement;
  private readonly guide: SVGPathElement;
  private readonly mark: SVGTextElement;
  private sketch: Sketch | null = null;

  constructor(parent: SVGGElement) {
    this.group = part(parent, "g", { class: "unknown", "aria-hidden": "true", "pointer-events": "none" });
    this.guide = part(this.group, "path", { stroke: "var(--muted)", "stroke-dasharray": "2 4", fill: "none" });
    this.mark = part(this.group, "text", { ...halo(8), "text-anchor": "middle", fill: "var(--muted)" });
    this.mark.textContent = "?";
  }

  ask(sketch: Sketch | null): void {
    this.sketch = sketch;
    put(this.group, { visibility: sketch ? "inherit" : "hidden" });
  }

  draw(projection: Projection, lines: Lines, words: readonly Box[]): void {
    if (!this.sketch) return;
    const { x, evenX, evenY, room } = projection;
    const { asked_at: asked } = this.sketch;
    const place = asked === null ? room.left + ASIDE * (room.right - room.left) : x(asked);
    // Beside it a line may be steep.
    const alongs = [-HALF, 0, HALF].map((by) => evenX.invert(place + by));
    const crossed = lines.clear.map((line) => {
      const [from, to] = line.reach;
      const height = line.heights(0);
      const heights = alongs.map((one) => (one < from || one > to ? Number.NaN : evenY(height(one))));
      return heights.filter(Number.isFinite);
    });
    const written = words.filter(({ left, right }) => left < place + HALF && right > place - HALF);
    crossed.push(...written.map(({ top, bottom }) => [top, bottom]));
    const away = (y: number) =>
      crossed.map((all) => (all.length ? Math.max(Math.min(...all) - y, y - Math.max(...all)) : Infinity));
    const free = (y: number) => Math.min(2 * HALF, ...away(y));
    const spots = HEIGHTS.map((part) => room.top + part * (room.bottom - room.top));
    const y = spots.reduce((best, spot) => (free(spot) > free(best) ? spot : best));
    put(this.guide, { d: asked === null ? "" : `M${place} ${room.top}V${room.bottom}` });
    put(this.mark, { x: place, y: y + HALF });
  }
}
