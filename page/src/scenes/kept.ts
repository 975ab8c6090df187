// What a stage keeps at a moment, as a bar beside its row, and the most that it has kept up to then.

import { at, lastUpTo } from "../chart/numbers";
import { element, put, say } from "../chart/svg";
import type { Colour, Kept } from "../documents";

const SMALL = 13;
const PALE = 0.3;
/** Colour of what is kept: memory as a whole. */
export const KEPT: Colour = "muted";

/** Where the bar stands, and how much of the most any stage keeps fills it. */
export interface Bar {
  left: number;
  width: number;
  y: number;
  height: number;
  most: number;
}

export class KeptBar {
  private readonly bar: SVGRectElement;
  /** As far as the bar has come, pale. */
  private readonly come: SVGRectElement;
  private readonly peak: SVGLineElement;
  private readonly number: SVGTextElement;

  constructor(
    back: Element,
    front: Element,
    private readonly place: Bar,
    hasNumber: boolean,
  ) {
    const { left, width, y, height } = place;
    back.append(element("rect", { x: left, y, width, height, fill: "var(--beyond)" }));
    this.bar = element("rect", { x: left, y, width: 0, height, fill: `var(--${KEPT})` });
    this.come = element("rect", { x: left, y, width: 0, height, fill: `var(--${KEPT})`, opacity: PALE });
    this.peak = element("line", { y1: y, y2: y + height, stroke: `var(--${KEPT})`, "stroke-width": 2 });
    const middle = y + height / 2 + 4;
    this.number = element("text", { x: left + width + 6, y: middle, "font-size": SMALL, fill: "var(--ink)" });
    front.append(this.come, this.bar, this.peak);
    if (hasNumber) front.append(this.number);
  }

  /** What is kept at a time, and the most up to there. */
  draw({ at: changes, level }: Kept, time: number): void {
    const { left, width, most } = this.place;
    const last = lastUpTo(changes, time);
    const present = level[last] ?? 0;
    let peak = 0;
    for (let change = 0; change <= last; change++) peak = Math.max(peak, at(level, change));
    const x = left + (width * peak) / most;
    put(this.bar, { width: (width * present) / most });
    put(this.come, { width: (width * peak) / most });
    put(this.peak, { x1: x - 1, x2: x - 1, opacity: peak ? 1 : 0 });
    // Once nothing is kept any more, the most that was.
    say(this.number, String(last < changes.length - 1 ? present : peak));
  }
}
