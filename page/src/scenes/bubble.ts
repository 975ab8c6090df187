// The bubble of a training step: a bracket over the gap in its schedule, and a bar of idle time for each number of
// micro-batches, along which a hand turns that number.

import type { Measure } from "../chart/measure";
import { at } from "../chart/numbers";
import { element, halo, part, put, say, tenth } from "../chart/svg";
import type { Axes, Bubble } from "../documents";
import { ABOVE, Bars, FOOT } from "./bars";
import type { Drawing, Handles } from "./drawing";
import { GanttDrawing } from "./gantt";
import type { Passes } from "./passes";
import type { Grip } from "./things";

const FONT = 14;
const NARROW = 720;
/** Of the width where the bars stand beside the schedule, and of the height where they stand below. */
const BESIDE = 0.28;
const BELOW = 0.3;
/** Of less height the schedule takes all, as on a phone. */
const LOW = 340;
const GAP = 32;
const LEAST = 40;
/** Ends of the bracket; and the height of a row with room for words above it. */
const END = 6;
const ROOMY = 30;
const HEADINGS = ["share of the time a stage idles", "share of time idle", "idle"];
const CAPTIONS = ["micro-batches: drag", "micro-batches"];

export class BubbleDrawing implements Drawing<Bubble> {
  readonly svg = element("svg", { role: "img" });
  private readonly gantt: GanttDrawing;
  private readonly bars = new Bars();
  private readonly bracket;
  private readonly gap;
  readonly things: Passes;
  private picture: Bubble | null = null;

  constructor(private readonly handles: Handles) {
    this.gantt = new GanttDrawing(handles);
    this.things = this.gantt.things;
    this.svg.append(this.bars.group, this.gantt.svg);
    this.gantt.svg.removeAttribute("role"); // its picture says it all
    const over = part(this.svg, "g", { "pointer-events": "none" });
    this.bracket = part(over, "path", { fill: "none", stroke: "var(--ink)", "stroke-width": 1.5 });
    this.gap = part(over, "text", {
      "font-size": FONT,
      "font-weight": 600,
      "text-anchor": "middle",
      fill: "var(--ink)",
      ...halo(),
    });
  }

  seconds(): number {
    return this.gantt.seconds();
  }

  show(picture: Bubble, axes: Axes): void {
    this.picture = picture;
    this.gantt.show(picture.gantt, axes);
  }

  fit(width: number, room: number, measure: Measure): number {
    const { picture } = this;
    if (!picture) return 0;
    const isBeside = width >= NARROW;
    const hasBars = isBeside || room >= LOW;
    const left = isBeside ? width - Math.round(width * BESIDE) : 0;
    const low = isBeside || !hasBars ? 0 : Math.max(ABOVE + LEAST + FOOT, BELOW * room);
    const high = this.gantt.fit(isBeside ? left - GAP : width, room - low, measure);
    put(this.gantt.svg, { width: tenth(isBeside ? left - GAP : width), height: tenth(high) });
    const height = high + low;
    const { counts, here, idle: heights, idle_text: texts } = picture;
    const barred = {
      counts,
      here,
      parts: [{ colour: "ink", heights } as const],
      texts,
      headings: HEADINGS,
      captions: CAPTIONS,
    };
    const box = { left, right: width, top: (isBeside ? 0 : high) + ABOVE, bottom: height - FOOT };
    this.bars.fit(barred, hasBars ? box : null, measure);
    const first = this.gantt.rowOf(0);
    const [from, to] = [this.gantt.x(picture.gap_start), this.gantt.x(picture.gap_end)];
    const y = first.top + first.height / 2 + (first.height > ROOMY ? 10 : 0);
    const isOpen = to - from > 2 * END;
    put(this.bracket, {
      d: isOpen ? `M${tenth(from + 2)} ${y - END}v${2 * END}m0 -${END}H${tenth(to - 2)}m0 -${END}v${2 * END}` : "",
    });
    const hasRoom = first.height > ROOMY && measure(picture.gap_text, FONT, 600) < to - from - 2 * END;
    put(this.gap, { x: tenth((from + to) / 2), y: tenth(y - 9) });
    say(this.gap, hasRoom ? picture.gap_text : "");
    return height;
  }

  draw(fraction: number): void {
    if (this.picture) this.gantt.draw(fraction);
  }

  at(x: number, y: number): string | null {
    const { picture } = this;
    const place = this.bars.under(x, y);
    if (!picture || place === null) return this.gantt.at(x, y);
    return `${at(picture.counts, place)} micro-batches: ${at(picture.idle_text, place)} idle`;
  }

  grip(x: number, y: number): Grip | null {
    const { turn } = this.handles;
    const bar = turn && this.bars.grip(x, y, (count, isFinal) => turn("micro_batches", count, isFinal));
    return bar ?? this.gantt.grip(x, y);
  }

  now(fraction: number): string {
    return this.gantt.now(fraction);
  }

  described(): string {
    const picture = this.picture;
    return picture ? `${picture.gantt.text}. ${picture.text}` : "";
  }
}
