// Quantities over the same numbers, each in a small frame of its own: which fall, which stay, which rise.

import type { Measure } from "../chart/measure";
import { at, clamp } from "../chart/numbers";
import { type Attributes, element, tenth } from "../chart/svg";
import type { Axes, Facet, Facets } from "../documents";
import type { Drawing } from "./drawing";

const SMALL = 12;
const FONT = 13;
const VALUE = 16;
const NARROW = 560;
const HEAD = 40;
const BELOW = 20;
const CAPTION = 18;
const GAP = 28;
const LEAST_HIGH = 44;
const MOST_HIGH = 300;

interface Frame {
  left: number;
  top: number;
  wide: number;
  high: number;
}

export class FacetsDrawing implements Drawing<Facets> {
  readonly svg = element("svg", { role: "img" });
  private picture: Facets | null = null;
  private caption = "";

  seconds(): number {
    return 0;
  }

  show(picture: Facets, axes: Axes): void {
    this.picture = picture;
    this.caption = axes.x.caption;
  }

  fit(width: number, room: number, measure: Measure): number {
    const picture = this.picture;
    if (!picture) return 0;
    const columns = width < NARROW ? 2 : 3;
    const gap = width < NARROW ? GAP / 2 : GAP;
    const rows = Math.ceil(picture.facets.length / columns);
    const wide = (width - (columns - 1) * gap) / columns;
    const high = clamp((room - CAPTION) / rows - HEAD - BELOW, LEAST_HIGH, MOST_HIGH);
    this.svg.replaceChildren();
    picture.facets.forEach((facet, place) => {
      const frame = {
        left: (place % columns) * (wide + gap),
        top: Math.floor(place / columns) * (HEAD + high + BELOW) + HEAD,
        wide,
        high,
      };
      this.svg.append(this.frame(picture, facet, frame, measure));
    });
    const end = rows * (HEAD + high + BELOW);
    this.svg.append(element("text", { x: 0, y: end + 12, "font-size": SMALL, fill: "var(--muted)" }, `${this.caption} →`));
    return end + CAPTION;
  }

  draw(): void {}

  now(): string {
    return "";
  }

  described(): string {
    const picture = this.picture;
    if (!picture) return "";
    const values = picture.facets.map(({ name, text }) => `${name}: ${text}`);
    return `${picture.text}. At ${at(picture.x, picture.chosen)} ${this.caption}: ${values.join("; ")}`;
  }

  private frame(picture: Facets, facet: Facet, { left, top, wide, high }: Frame, measure: Measure): SVGGElement {
    const { x: all, chosen } = picture;
    const [low, most] = [at(all, 0), at(all, all.length - 1)];
    const across = (x: number) => left + 8 + ((wide - 16) * (x - low)) / (most - low);
    const up = (y: number) => top + high * (1 - y / facet.top);
    const colour = `var(--${facet.colour})`;
    const group = element("g");
    const text = (x: number, y: number, said: string, more: Attributes = {}) => {
      group.append(element("text", { x: tenth(x), y: tenth(y), "font-size": SMALL, fill: "var(--muted)", ...more }, said));
    };
    const line = (x1: number, y1: number, x2: number, y2: number, more: Attributes) => {
      group.append(element("line", { x1: tenth(x1), y1: tenth(y1), x2: tenth(x2), y2: tenth(y2), ...more }));
    };
    group.append(element("rect", { x: left, y: top, width: wide, height: high, fill: "var(--beyond)", "fill-opacity": 0.5 }));
    text(left, top - 24, this.fitted(facet.name, wide, measure), { "font-size": FONT, fill: "var(--ink)" });
    text(left, top - 6, facet.text, { "font-size": VALUE, "font-weight": 600, fill: colour });
    text(left + wide, top - 6, `↑ ${facet.top_text}`, { "text-anchor": "end" });
    const here = across(at(all, chosen));
    line(here, top, here, top + high, { stroke: "var(--ink)", "stroke-opacity": 0.5, "stroke-dasharray": "3 3" });
    line(left, top + high, left + wide, top + high, { stroke: "var(--muted)" });
    const points = facet.y.map((y, place) => `${tenth(across(at(all, place)))} ${tenth(up(y))}`);
    group.append(
      element("path", {
        d: `M${points.join("L")}`,
        fill: "none",
        stroke: colour,
        "stroke-width": 2.5,
        "stroke-linejoin": "round",
      }),
    );
    facet.y.forEach((y, place) => {
      const isHere = place === chosen;
      const dot = { cx: tenth(across(at(all, place))), cy: tenth(up(y)), r: isHere ? 5.5 : 2, fill: colour };
      group.append(element("circle", isHere ? { ...dot, stroke: "var(--background)", "stroke-width": 1.5 } : dot));
    });
    for (const tick of picture.x_ticks) text(across(tick.at), top + high + 15, tick.text, { "text-anchor": "middle" });
    return group;
  }

  /** As much of a name as there is room for. */
  private fitted(name: string, wide: number, measure: Measure): string {
    let shown = name;
    while (shown.length > 4 && measure(shown, FONT) > wide) shown = `${shown.slice(0, -2)}…`;
    return shown;
  }
}
