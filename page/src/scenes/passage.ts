// Messages on their way in time: places one below another, time to the right. A band's slant is its latency, its width
// the time of its bytes; behind the playhead it is drawn in full.

import type { Measure } from "../chart/measure";
import { at, clamp } from "../chart/numbers";
import { type Attributes, clipped, element, put, tenth } from "../chart/svg";
import type { Axes, Message, Passage, Stay, Strip, Tick } from "../documents";
import type { Drawing } from "./drawing";

const SECONDS = 7;
const SMALL = 12;
const FONT = 13;
const NAME = 22;
/** For each of the times to compare with, above the places. */
const LIMIT = 16;
const RULE = 26;
const CAPTION = 18;
const GAP = 14;
const [LEAST_ROW, MOST_ROW] = [7, 62];
/** Of a row's height, that a stay is high. */
const HIGH = 0.56;
/** Parts that are narrower are drawn as one. */
const LEAST_PART = 3;
const LEAST_BAND = 1.2;
const NARROW = 560;
/** Bytes of a message that are seen on their way at once. */
const ABREAST = 5;
/** What goes down where all of it arrives as it leaves, beside what goes up. */
const FAINTER = 0.7;

const HALO = { "paint-order": "stroke", stroke: "var(--background)", "stroke-width": 4 };

interface Lane {
  strip: Strip;
  clip: SVGRectElement;
  /** Of each message as many as are seen at once. */
  pulses: SVGCircleElement[][];
  head: SVGLineElement;
  top: number;
  bottom: number;
  row: number;
}

export class PassageDrawing implements Drawing<Passage> {
  readonly svg = element("svg", { role: "img" });
  private picture: Passage | null = null;
  private caption = "";
  private measure: Measure = () => 0;
  private lanes: Lane[] = [];
  private left = 0;
  private right = 0;

  seconds(): number {
    return SECONDS;
  }

  show(picture: Passage, axes: Axes): void {
    this.picture = picture;
    this.caption = axes.x.caption;
  }

  fit(width: number, room: number, measure: Measure): number {
    const picture = this.picture;
    if (!picture) return 0;
    this.measure = measure;
    const names = picture.strips.flatMap(({ places }) => places);
    const most = width < NARROW ? 84 : 150;
    this.left = Math.min(most, Math.max(...names.map((name) => measure(name, SMALL)))) + 10;
    this.right = width - 8;
    const fixed = picture.strips.reduce((sum, one) => sum + NAME + one.limits.length * LIMIT + RULE + GAP, CAPTION - GAP);
    // A strip with fewer places gets higher ones, up to as much as the others have together.
    const share = (room - fixed) / picture.strips.length;
    this.svg.replaceChildren();
    let y = 0;
    this.lanes = picture.strips.map((strip) => {
      const row = clamp(share / strip.places.length, LEAST_ROW, MOST_ROW);
      const lane = this.lane(strip, y, row);
      y = lane.bottom + RULE + GAP;
      return lane;
    });
    this.svg.append(
      element(
        "text",
        { x: this.left, y: y - GAP + CAPTION - 4, "font-size": SMALL, fill: "var(--muted)" },
        `${this.caption} →`,
      ),
    );
    return y - GAP + CAPTION;
  }

  draw(fraction: number): void {
    for (const lane of this.lanes) {
      const { strip, clip, head, pulses } = lane;
      const time = fraction * strip.end;
      const x = this.x(strip, time);
      put(clip, { width: tenth(Math.max(0, x - this.left)) });
      put(head, { x1: tenth(x), x2: tenth(x), opacity: fraction > 0 && fraction < 1 ? 0.7 : 0 });
      pulses.forEach((dots, place) => {
        const message = at(strip.messages, place);
        const [from, to] = [this.y(lane, message.row), this.y(lane, message.to_row)];
        dots.forEach((dot, which) => {
          const along = progress(message, time, which / dots.length);
          put(dot, { opacity: along === null ? 0 : 1 });
          if (along !== null) put(dot, { cx: tenth(x), cy: tenth(from + (to - from) * along) });
        });
      });
    }
  }

  now(fraction: number): string {
    return `${Math.round(100 * fraction)} %`;
  }

  described(): string {
    const picture = this.picture;
    if (!picture) return "";
    const strips = picture.strips.map(({ name, limits }) => `${name}: ${limits.map(({ text }) => text).join(", ")}`);
    return [picture.text, ...strips].join(". ");
  }

  private x(strip: Strip, time: number): number {
    return this.left + ((this.right - this.left) * time) / strip.end;
  }

  private y({ top, row }: Pick<Lane, "top" | "row">, place: number): number {
    return top + (place + 0.5) * row;
  }

  private lane(strip: Strip, from: number, row: number): Lane {
    const top = from + NAME + strip.limits.length * LIMIT;
    const bottom = top + row * strip.places.length;
    const text = (x: number, y: number, said: string, more: Attributes = {}) =>
      element("text", { x: tenth(x), y: tenth(y), "font-size": SMALL, fill: "var(--muted)", ...more }, said);
    this.svg.append(text(0, from + 15, strip.name, { "font-size": FONT, "font-weight": 600, fill: "var(--ink)" }));
    const every = Math.ceil(13 / row);
    strip.places.forEach((name, place) => {
      const y = this.y({ top, row }, place);
      this.svg.append(
        element("line", {
          x1: this.left,
          x2: this.right,
          y1: tenth(y),
          y2: tenth(y),
          stroke: "var(--beyond)",
          "stroke-width": 2,
        }),
      );
      if (place % every === 0) this.svg.append(text(this.left - 8, y + 4, this.fitted(name), { "text-anchor": "end" }));
    });
    this.rule(strip, top, bottom, text);
    const ahead = element("g", { opacity: 0.22 });
    this.svg.append(ahead);
    const { clip, inside } = clipped(this.svg);
    put(clip, { x: this.left, y: top - 2, height: bottom - top + 4 });
    for (const group of [ahead, inside]) {
      for (const stay of strip.stays) group.append(...this.stay(strip, stay, { top, row }));
      for (const message of strip.messages) group.append(...this.message(strip, message, { top, row }));
    }
    strip.limits.forEach((limit, line) => this.limit(strip, limit, from + NAME + line * LIMIT + 11, bottom, text));
    const head = element("line", { y1: top - 4, y2: bottom + 4, stroke: "var(--ink)" });
    const pulses = strip.messages.map(({ colour, latency }) =>
      Array.from({ length: latency > 0 ? ABREAST : 1 }, () =>
        element("circle", { r: 4.5, fill: `var(--${colour})`, stroke: "var(--background)", "stroke-width": 1.5, opacity: 0 }),
      ),
    );
    this.svg.append(head, ...pulses.flat());
    return { strip, clip, pulses, head, top, bottom, row };
  }

  private stay(strip: Strip, stay: Stay, lane: Pick<Lane, "top" | "row">): Element[] {
    const [x, end, y] = [this.x(strip, stay.start), this.x(strip, stay.end), this.y(lane, stay.row)];
    const high = lane.row * HIGH;
    const bar = element("rect", {
      x: tenth(x),
      y: tenth(y - high / 2),
      width: tenth(Math.max(0.5, end - x)),
      height: tenth(high),
      fill: `var(--${stay.colour})`,
    });
    if (high < 14 || this.measure(stay.text, SMALL) > end - x - 6) return [bar];
    const place = { x: tenth((x + end) / 2), y: tenth(y + 4), "font-size": SMALL, "text-anchor": "middle" };
    return [bar, element("text", { ...place, fill: "var(--background)" }, stay.text)];
  }

  /** From its first byte to its last: one band, or one a part where those can be told apart. */
  private message(strip: Strip, message: Message, lane: Pick<Lane, "top" | "row">): Element[] {
    const [y, to] = [this.y(lane, message.row), this.y(lane, message.to_row)];
    const pixels = (this.right - this.left) / strip.end;
    const parts = (message.long / message.parts) * pixels < LEAST_PART ? 1 : message.parts;
    const slant = message.latency * pixels;
    const each = (message.long / parts) * pixels;
    const wide = Math.max(LEAST_BAND, each - (parts > 1 || message.latency === 0 ? 1 : 0));
    const bands = Array.from({ length: parts }, (_, which) => {
      const x = this.x(strip, message.start) + which * each;
      return `M${tenth(x)} ${tenth(y)}h${tenth(wide)}L${tenth(x + slant + wide)} ${tenth(to)}h${tenth(-wide)}z`;
    });
    const opacity = message.latency === 0 && to > y && parts > 1 ? FAINTER : 1;
    const band = element("path", { d: bands.join(""), fill: `var(--${message.colour})`, "fill-opacity": opacity });
    // Into the middle, between the slants.
    const room = each * parts - slant - 12;
    if (!message.text || this.measure(message.text, SMALL) > room || Math.abs(to - y) < 20) return [band];
    const middle = this.x(strip, message.start) + (each * parts + slant) / 2;
    const place = { x: tenth(middle), y: tenth((y + to) / 2 + 4), "font-size": SMALL, "text-anchor": "middle" };
    return [band, element("text", { ...place, fill: "var(--background)" }, message.text)];
  }

  private rule(
    strip: Strip,
    top: number,
    bottom: number,
    text: (x: number, y: number, said: string, more?: Attributes) => Node,
  ): void {
    this.svg.append(
      element("line", { x1: this.left, x2: this.right, y1: tenth(bottom + 1), y2: tenth(bottom + 1), stroke: "var(--muted)" }),
    );
    for (const tick of strip.ticks) {
      const x = this.x(strip, tick.at);
      const anchor = tick.at === 0 ? "start" : this.right - x < 20 ? "end" : "middle";
      this.svg.append(
        element("line", { x1: tenth(x), x2: tenth(x), y1: tenth(top), y2: tenth(bottom + 6), stroke: "var(--line)" }),
        text(x, bottom + 20, tick.text, { "text-anchor": anchor }),
      );
    }
  }

  /** A dashed line to what it is, on a line of its own above the places. */
  private limit(
    strip: Strip,
    { at: time, text: said }: Tick,
    y: number,
    bottom: number,
    text: (x: number, y: number, said: string, more?: Attributes) => Node,
  ): void {
    const x = this.x(strip, time);
    const isLeft = x + 6 + this.measure(said, SMALL, 600) > this.right;
    this.svg.append(
      element("line", {
        x1: tenth(x),
        x2: tenth(x),
        y1: y - 9,
        y2: tenth(bottom),
        stroke: "var(--ink)",
        "stroke-dasharray": "3 3",
      }),
      text(isLeft ? x - 6 : x + 6, y, said, {
        "text-anchor": isLeft ? "end" : "start",
        "font-weight": 600,
        fill: "var(--ink)",
        ...HALO,
      }),
    );
  }

  /** As much of a place's name as there is room for. */
  private fitted(name: string): string {
    let shown = name;
    while (shown.length > 4 && this.measure(shown, SMALL) > this.left - 10) shown = `${shown.slice(0, -2)}…`;
    return shown;
  }
}

/** How far on its way a byte is that the playhead meets, of those that follow each other; null where none is. */
function progress({ start, long, latency }: Message, time: number, phase: number): number | null {
  if (!latency) {
    const along = (time - start) / long;
    return along > 0 && along < 1 ? along : null;
  }
  // As many leave in a latency as are seen at once, so each place is taken by the next one.
  const along = ((time - start) / latency + phase) % 1;
  const left = time - along * latency;
  return time > start && left > start && left < start + long ? along : null;
}
