// All chips by their load, the busiest first.

import { type Attributes, element } from "../chart/svg";
import type { Racks } from "../documents";
import type { Wiring } from "./wiring";

const SMALL = 13;
const FONT = 14;
/** From the upper edge of the bars down to the mean's line at least: its name stands between. */
const NAMED = 12;

export class Profile {
  readonly line = element("g");
  /** Numbers of chips in the order of their bars. */
  private order: number[] = [];
  private loads: number[] = [];
  private left = 0;
  private step = 1;
  private upper = 0;
  private high = 0;
  private most = 1;

  fit(picture: Racks, { places, isAlike, loads: { left, top, width, high } }: Wiring): void {
    const chips = [...places.values()].map(({ chip }) => chip).sort((one, other) => other.load - one.load);
    this.order = chips.map(({ number }) => number);
    this.loads = chips.map(({ load }) => load);
    [this.left, this.upper, this.high] = [left, top + 24, high];
    this.most = Math.max(high / (high - NAMED), this.loads[0] ?? 1);
    this.step = Math.min(26, width / chips.length);
    if (!high) {
      this.loads = [];
      this.line.replaceChildren();
      return;
    }
    const end = left + chips.length * this.step;
    const mean = this.up(1);
    const text = (x: number, y: number, said: string, more: Attributes) =>
      element("text", { x, y, "font-size": SMALL, ...more }, said);
    const bars = this.order.map((_, place) => this.barAt(place)).join("");
    this.line.replaceChildren(
      element("path", { d: bars, fill: "var(--compute)", "fill-opacity": 0.75 }),
      element("path", { d: isAlike ? "" : this.barAt(0), fill: "var(--ink)" }),
      element("line", { x1: left, x2: end, y1: mean, y2: mean, stroke: "var(--ink)", "stroke-dasharray": "3 3" }),
      text(left, top + 14, picture.busiest_text, { "font-size": FONT, "font-weight": 600, fill: "var(--ink)" }),
      text(end, mean - 5, "mean", { "text-anchor": "end", fill: "var(--ink)" }),
      text(left, this.upper + high + 18, isAlike ? "visits to each chip" : "visits to each chip, the busiest first", {
        fill: "var(--muted)",
      }),
    );
  }

  /** Outline of a chip's bar. */
  bar(chip: number): string {
    return this.barAt(this.order.indexOf(chip));
  }

  /** Number of the chip whose bar stands at a place, as high as the highest. */
  chipAt(x: number, y: number): number | undefined {
    if (y < this.upper || y > this.upper + this.high) return undefined;
    return this.order[Math.floor((x - this.left) / this.step)];
  }

  private up(load: number): number {
    return this.upper + this.high * (1 - load / this.most);
  }

  private barAt(place: number): string {
    const { left, step } = this;
    const load = this.loads[place];
    if (load === undefined) return "";
    const gap = step > 4 ? 1.5 : step > 2 ? 0.5 : 0;
    const foot = (this.upper + this.high).toFixed(1);
    const x = (left + place * step).toFixed(2);
    return `M${x} ${foot}V${this.up(load).toFixed(1)}h${(step - gap).toFixed(2)}V${foot}z`;
  }
}
