// Messages on their way in time: places one below another, time to the right. A band's slant is its latency, its width
// the time of its bytes; behind the playhead it is drawn in full.

import type { Measure } from "../chart/measure";
import { at, clamp } from "../chart/numbers";
import { type Attributes, clipped, element, halo, put, tenth } from "../chart/svg";
import type { Axes, Message, Passage, Stay, Strip, Tick } from "../documents";
import type { Drawing } from "./drawing";

const SECONDS = 7;
const SMALL = 13;
const FONT = 14;
const NAME = 22;
/** For each of the times to compare with, above the places. */
const LIMIT = 16;
/** Of a place's name, which stands over a place however low that is. */
const HALF = 6;
const RULE = 26;
const CAPTION = 18;
const GAP = 14;
const LEAST_ROW = 3;
const MOST_ROW = 190;
/** Of a row's height, that a stay is high. */
const HIGH = 0.56;
const LEAST_BAND = 1.2;
const NARROW = 560;
/** From which width on strips may stand beside each other, how far apart, and from which height of a row they need not. */
const WIDE = 720;
const BESIDE = 24;
const READABLE = 12;
/** Bytes of a message that are seen on their way at once. */
const ABREAST = 5;

type Point = [number, number];
type Write = (x: number, y: number, said: string, more?: Attributes) => Node;

/** A strip on the paper: where its axis begins and ends, where its first place lies, and how high each is. */
interface Ruled {
  strip: Strip;
  left: number;
  right: number;
  top: number;
  bottom: number;
  row: number;
}

interface Lane extends Ruled {
  clip: SVGRectElement;
  /** Of each message as many as are seen at once. */
  pulses: SVGCircleElement[][];
  head: SVGLineElement;
}

export class PassageDrawing implements Drawing<Passage> {
  readonly svg = element("svg", { role: "img" });
  private picture: Passage | null = null;
  private caption = "";
  private measure: Measure = () => 0;
  private lanes: Lane[] = [];

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
    const most = width < NARROW ? 84 : 150;
    const fixed = picture.strips.map((one) => NAME + one.limits.length * LIMIT + HALF + RULE);
    const count = picture.strips.length;
    const stacked = (room - fixed.reduce((sum, one) => sum + one + GAP, CAPTION - GAP)) / count;
    const places = Math.max(...picture.strips.map((one) => one.places.length));
    // Beside each other where one below another they would be too low to be read.
    const isBeside = count > 1 && width >= WIDE && stacked / places < READABLE;
    const share = isBeside ? room - Math.max(...fixed) - CAPTION : stacked;
    const wide = isBeside ? (width - (count - 1) * BESIDE) / count : width;
    this.svg.replaceChildren();
    let [x, y, end] = [0, 0, 0];
    this.lanes = picture.strips.map((strip) => {
      const names = Math.max(...strip.places.map((name) => measure(name, SMALL)));
      const row = clamp(share / strip.places.length, LEAST_ROW, MOST_ROW);
      const lane = this.lane(strip, [x, y], [x + Math.min(most, names) + 10, x + wide - 8], row);
      end = Math.max(end, lane.bottom + RULE);
      if (isBeside) x += wide + BESIDE;
      else y = end + GAP;
      return lane;
    });
    const caption = { x: at(this.lanes, 0).left, y: end + CAPTION - 4, "font-size": SMALL, fill: "var(--muted)" };
    this.svg.append(element("text", caption, `${this.caption} →`));
    return end + CAPTION;
  }

  draw(fraction: number): void {
    for (const lane of this.lanes) {
      const { strip, clip, head, pulses } = lane;
      const time = fraction * strip.end;
      const x = across(lane, time);
      put(clip, { width: tenth(Math.max(0, x - lane.left)) });
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

  private y({ top, row }: Ruled, place: number): number {
    return top + (place + 0.5) * row;
  }

  private lane(strip: Strip, [edge, from]: Point, [left, right]: Point, row: number): Lane {
    const top = from + NAME + strip.limits.length * LIMIT + HALF;
    const bottom = top + row * strip.places.length;
    const ruled: Ruled = { strip, left, right, top, bottom, row };
    const text = (x: number, y: number, said: string, more: Attributes = {}) =>
      element("text", { x: tenth(x), y: tenth(y), "font-size": SMALL, fill: "var(--muted)", ...more }, said);
    this.svg.append(text(edge, from + 15, strip.name, { "font-size": FONT, "font-weight": 600, fill: "var(--ink)" }));
    const every = Math.ceil(13 / row);
    strip.places.forEach((name, place) => {
      const y = this.y(ruled, place);
      this.svg.append(
        element("line", {
          x1: left,
          x2: right,
          y1: tenth(y),
          y2: tenth(y),
          stroke: "var(--beyond)",
          "stroke-width": 2,
        }),
      );
      if (place % every === 0)
        this.svg.append(text(left - 8, y + 4, this.fitted(name, left - edge - 9), { "text-anchor": "end" }));
    });
    this.rule(ruled, text);
    const ahead = element("g", { opacity: 0.22 });
    this.svg.append(ahead);
    const { clip, inside } = clipped(this.svg);
    put(clip, { x: left, y: top - 2, height: bottom - top + 4 });
    for (const group of [ahead, inside]) {
      for (const stay of strip.stays) group.append(...this.stay(ruled, stay));
      for (const message of strip.messages) group.append(...this.message(ruled, message));
    }
    // On what is pale words are dark, and none of them is faint.
    const coming = element("g", { fill: "var(--ink)" });
    for (const word of ahead.querySelectorAll("text")) {
      word.removeAttribute("fill");
      coming.append(word);
    }
    ahead.after(coming);
    strip.limits.forEach((limit, line) => this.limit(ruled, limit, [edge, from + NAME + line * LIMIT + 11], text));
    const head = element("line", { y1: top - 4, y2: bottom + 4, stroke: "var(--ink)" });
    const pulses = strip.messages.map(({ colour }) =>
      Array.from({ length: ABREAST }, () =>
        element("circle", { r: 4.5, fill: `var(--${colour})`, stroke: "var(--background)", "stroke-width": 1.5, opacity: 0 }),
      ),
    );
    this.svg.append(head, ...pulses.flat());
    return { ...ruled, clip, pulses, head };
  }

  private stay(ruled: Ruled, stay: Stay): Element[] {
    const [x, end, y] = [across(ruled, stay.start), across(ruled, stay.end), this.y(ruled, stay.row)];
    const high = ruled.row * HIGH;
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

  /** From its first byte to its last, as a band. */
  private message(ruled: Ruled, message: Message): Element[] {
    const [y, to] = [this.y(ruled, message.row), this.y(ruled, message.to_row)];
    const pixels = (ruled.right - ruled.left) / ruled.strip.end;
    const [slant, long] = [message.latency * pixels, message.long * pixels];
    const wide = Math.max(LEAST_BAND, long);
    const x = across(ruled, message.start);
    const d = `M${tenth(x)} ${tenth(y)}h${tenth(wide)}L${tenth(x + slant + wide)} ${tenth(to)}h${tenth(-wide)}z`;
    const band = element("path", { d, fill: `var(--${message.colour})` });
    // Into the middle, between the slants.
    if (!message.text || this.measure(message.text, SMALL) > long - slant - 12 || Math.abs(to - y) < 20) return [band];
    const middle = x + (long + slant) / 2;
    const place = { x: tenth(middle), y: tenth((y + to) / 2 + 4), "font-size": SMALL, "text-anchor": "middle" };
    return [band, element("text", { ...place, fill: "var(--background)" }, message.text)];
  }

  private rule(ruled: Ruled, text: Write): void {
    const { strip, left, right, top, bottom } = ruled;
    this.svg.append(
      element("line", { x1: left, x2: right, y1: tenth(bottom + 1), y2: tenth(bottom + 1), stroke: "var(--muted)" }),
    );
    for (const tick of strip.ticks) {
      const x = across(ruled, tick.at);
      const anchor = tick.at === 0 ? "start" : right - x < 20 ? "end" : "middle";
      this.svg.append(
        element("line", { x1: tenth(x), x2: tenth(x), y1: tenth(top), y2: tenth(bottom + 6), stroke: "var(--line)" }),
        text(x, bottom + 20, tick.text, { "text-anchor": anchor }),
      );
    }
  }

  /** A dashed line to what it is, on a line of its own above the places. */
  private limit(ruled: Ruled, { at: time, text: said }: Tick, [edge, y]: Point, text: Write): void {
    const { right, bottom } = ruled;
    const x = across(ruled, time);
    const wide = this.measure(said, SMALL, 600);
    const isRight = x + 6 + wide <= right;
    const isLeft = !isRight && x - 6 - wide >= edge;
    // Words that have room on neither side stand on their line.
    const isOver = !(isRight || isLeft);
    this.svg.append(
      element("line", {
        x1: tenth(x),
        x2: tenth(x),
        y1: isOver ? y + 4 : y - 9,
        y2: tenth(bottom),
        stroke: "var(--ink)",
        "stroke-dasharray": "3 3",
      }),
      text(isLeft ? x - 6 : isOver ? right : x + 6, y, said, {
        "text-anchor": isRight ? "start" : "end",
        "font-weight": 600,
        fill: "var(--ink)",
        ...halo(),
      }),
    );
  }

  /** As much of a place's name as there is room for. */
  private fitted(name: string, wide: number): string {
    let shown = name;
    while (shown.length > 4 && this.measure(shown, SMALL) > wide) shown = `${shown.slice(0, -2)}…`;
    return shown;
  }
}

function across({ strip, left, right }: Ruled, time: number): number {
  return left + ((right - left) * time) / strip.end;
}

/** How far on its way a byte is that the playhead meets, of those that follow each other; null where none is. */
function progress({ start, long, latency }: Message, time: number, phase: number): number | null {
  // As many leave in a latency as are seen at once, so each place is taken by the next one.
  const along = ((time - start) / latency + phase) % 1;
  const left = time - along * latency;
  return time > start && left > start && left < start + long ? along : null;
}
