// The bubble of a training step: a bracket over the gap in its schedule, and a bar of idle time for each number of
// micro-batches, along which a hand turns that number.

import type { Measure } from "../chart/measure";
import { at, clamp } from "../chart/numbers";
import { element, matched, part, put, say, tenth } from "../chart/svg";
import type { Axes, Bubble } from "../documents";
import type { Drawing, Handles } from "./drawing";
import { GanttDrawing } from "./gantt";
import type { Passes } from "./passes";
import type { Grip } from "./things";

const [SMALL, FONT] = [12, 14];
const NARROW = 720;
/** Of the width where the bars stand beside the schedule, and of the height where they stand below. */
const [BESIDE, BELOW] = [0.28, 0.3];
/** Of less height the schedule takes all, as on a phone. */
const LOW = 340;
const GAP = 32;
/** Around the bars: their heading and the number on the first, and their numbers below. */
const [ABOVE, FOOT] = [46, 36];
const LEAST = 40;
/** Ends of the bracket. */
const END = 6;
const HEADINGS = ["share of the time a stage idles", "share of time idle", "idle"];
const CAPTIONS = ["micro-batches: drag", "micro-batches"];
const FAINT = 0.32;

export class BubbleDrawing implements Drawing<Bubble> {
  readonly svg = element("svg", { role: "img" });
  private readonly gantt: GanttDrawing;
  private readonly bracket;
  private readonly gap;
  private readonly bars;
  private readonly words;
  private readonly heading;
  private readonly caption;
  readonly things: Passes;
  private picture: Bubble | null = null;
  /** Of the bars: where they begin and end, and stand. */
  private box = { left: 0, right: 0, top: 0, bottom: 0 };

  constructor(private readonly handles: Handles) {
    this.gantt = new GanttDrawing(handles);
    this.things = this.gantt.things;
    const shares = part(this.svg, "g", { "font-size": SMALL, fill: "var(--muted)" });
    this.bars = part(shares, "g");
    this.words = part(shares, "g", { "text-anchor": "middle" });
    this.heading = part(shares, "text");
    this.caption = part(shares, "text");
    this.svg.append(this.gantt.svg);
    this.gantt.svg.removeAttribute("role"); // its picture says it all
    const over = part(this.svg, "g", { "pointer-events": "none" });
    this.bracket = part(over, "path", { fill: "none", stroke: "var(--ink)", "stroke-width": 1.5 });
    this.gap = part(over, "text", { "font-size": FONT, "font-weight": 600, "text-anchor": "middle", fill: "var(--ink)" });
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
    const wide = isBeside ? Math.round(width * BESIDE) : width;
    const left = isBeside ? width - wide : 0;
    const hasBars = isBeside || room >= LOW;
    const low = isBeside || !hasBars ? 0 : Math.max(ABOVE + LEAST + FOOT, BELOW * room);
    const high = this.gantt.fit(isBeside ? left - GAP : width, room - low, measure);
    put(this.gantt.svg, { width: tenth(isBeside ? left - GAP : width), height: tenth(high) });
    const height = high + low;
    this.box = hasBars
      ? { left, right: width, top: (isBeside ? 0 : high) + ABOVE, bottom: height - FOOT }
      : { left: 0, right: 0, top: 0, bottom: 0 };
    if (hasBars) this.stand(picture, measure);
    else for (const one of [this.bars, this.words, this.heading, this.caption]) one.replaceChildren();
    const first = this.gantt.rowOf(0);
    const [from, to] = [this.gantt.x(picture.gap_start), this.gantt.x(picture.gap_end)];
    const y = first.top + first.height / 2 + (first.height > 30 ? 10 : 0);
    const isOpen = to - from > 2 * END;
    put(this.bracket, {
      d: isOpen ? `M${tenth(from + 2)} ${y - END}v${2 * END}m0 -${END}H${tenth(to - 2)}m0 -${END}v${2 * END}` : "",
    });
    put(this.gap, { x: tenth((from + to) / 2), y: tenth(y - 9) });
    say(this.gap, measure(picture.gap_text, FONT, 600) < to - from - 2 * END && first.height > 30 ? picture.gap_text : "");
    return height;
  }

  /** A bar for each number of micro-batches, that of the schedule in full; its share is said, and those of both ends. */
  private stand(picture: Bubble, measure: Measure): void {
    const { left, right, top, bottom } = this.box;
    const pitch = (right - left) / picture.counts.length;
    const most = Math.max(...picture.idle, Number.MIN_VALUE);
    const up = (share: number) => bottom - ((bottom - top) * share) / most;
    matched(this.bars, picture.counts.length, () => element("rect", { fill: "var(--ink)" })).forEach((bar, place) => {
      const y = up(at(picture.idle, place));
      const air = pitch > 5 ? 2 : 0.5;
      const strength = place === picture.here ? 1 : FAINT;
      put(bar, {
        x: tenth(left + place * pitch),
        y: tenth(y),
        width: tenth(pitch - air),
        height: tenth(bottom - y),
        opacity: strength,
      });
    });
    const last = picture.counts.length - 1;
    const middle = (place: number) => left + (place + 0.5) * pitch;
    const apart = measure("100 %", SMALL, 600) + 4;
    // Beside the one that is meant there is room for both ends, unless it is near one.
    const told = [0, last].filter((one) => Math.abs(middle(one) - middle(picture.here)) > apart);
    const texts = [...told, picture.here].flatMap((place) => [
      { place, y: up(at(picture.idle, place)) - 5, text: at(picture.idle_text, place) },
      { place, y: bottom + 16, text: String(at(picture.counts, place)) },
    ]);
    matched(this.words, texts.length, () => element("text")).forEach((word, number) => {
      const { place, y, text } = at(texts, number);
      const isHere = place === picture.here;
      const half = measure(text, SMALL, 600) / 2;
      const x = clamp(middle(place), left + half, right - half);
      put(word, { x: tenth(x), y: tenth(y), "font-weight": isHere ? 600 : 400, fill: isHere ? "var(--ink)" : "var(--muted)" });
      say(word, text);
    });
    const fits = (words: string[]) => words.find((one) => measure(one, SMALL) < right - left) ?? "";
    put(this.heading, { x: left, y: tenth(top - ABOVE + 18) });
    say(this.heading, fits(HEADINGS));
    put(this.caption, { x: left, y: tenth(bottom + 32) });
    say(this.caption, fits(CAPTIONS));
  }

  draw(fraction: number): void {
    const { picture } = this;
    if (!picture) return;
    this.gantt.draw(fraction);
    // It is a gap once the stage works again.
    const isPast = fraction * picture.gantt.end >= picture.gap_end;
    for (const one of [this.bracket, this.gap]) put(one, { opacity: isPast ? 1 : 0 });
  }

  at(x: number, y: number): string | null {
    const { picture } = this;
    const place = this.placeOf(x, y);
    if (!picture || place === null) return this.gantt.at(x, y);
    return `${at(picture.counts, place)} micro-batches: ${at(picture.idle_text, place)} idle`;
  }

  grip(x: number, y: number): Grip | null {
    const { turn } = this.handles;
    if (!turn || this.placeOf(x, y) === null) return this.gantt.grip(x, y);
    const to = (across: number, _down: number, isFinal: boolean) => {
      if (this.picture) turn("micro_batches", at(this.picture.counts, this.count(across)), isFinal);
    };
    return { cursor: "ew-resize", isHandle: true, to };
  }

  now(fraction: number): string {
    return this.gantt.now(fraction);
  }

  described(): string {
    const { picture } = this;
    return picture ? `${picture.gantt.text}. ${picture.text}` : "";
  }

  /** Of the bars; null beside them. */
  private placeOf(x: number, y: number): number | null {
    const { left, right, top, bottom } = this.box;
    const isThere = x >= left && x < right && y > top - FONT && y < bottom + FOOT;
    return isThere ? this.count(x) : null;
  }

  private count(x: number): number {
    const { left, right } = this.box;
    const most = (this.picture?.counts.length ?? 1) - 1;
    return clamp(Math.floor(((x - left) / (right - left)) * (most + 1)), 0, most);
  }
}
