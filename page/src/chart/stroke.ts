// One line of one mode: exact at rest; on its way what is asked for, and what is left of the difference to what was drawn.

import type { Axes, Line, Mode } from "../documents";
import { type Course, courseOf, reaching } from "./course";
import { Difference, FINE } from "./difference";
import { type Projection, straight } from "./frame";
import { stem } from "./identity";
import { along, at, clamp, lastUpTo } from "./numbers";
import { type Known, shownPart, tipsOf } from "./shown_part";
import { colourOf, matched, move, part, put } from "./svg";
import { Trace } from "./trace";

/** How a line stands in a frame: see `Stroke.standing`. */
export interface Standing {
  inside: number;
  reach: number;
}

/** Lines known at whole numbers show them as beads; more would run together. */
const MOST_BEADS = 40;
/** A line that leaves the plot is drawn on so many times the plot's height: its slope at the edge stays right. */
const BEYOND = 8;
/** Of a line, where it is looked for in a frame. */
const SAMPLES = 60;
const REVEAL_S = 0.6;
/** Of his lines beside sourced ones, and of them where there are many. */
const BEHIND = 0.6;
const FAR_BEHIND = 0.35;
const FADE_S = 0.15;
const TIP_R = 4;
/** Pixels: a point on an end is drawn. */
const EPSILON = 0.01;

/** One line of one mode. */
export class Stroke {
  course: Course;
  readonly group: SVGGElement;
  opacity = 0;
  /** What it is called while its numbers change, in its mode. */
  key = "";
  isGone = false;
  isHidden = false;
  /** Which part of its way is drawn, see `shownPart`. */
  reveal = 1;
  /** What is drawn of it while it is hidden. */
  known: Known | null = null;
  private difference: Difference | null = null;
  private readonly band: SVGPathElement;
  private hasBand = false;
  private readonly path: SVGPathElement;
  private readonly beads: SVGGElement;
  private readonly tips: SVGGElement;

  constructor(
    parent: SVGGElement,
    readonly mode: Mode,
    public line: Line,
    axes: Axes,
    x: readonly number[],
    private isWhole: boolean,
  ) {
    this.course = courseOf(axes, line, x);
    this.group = part(parent, "g");
    this.band = part(this.group, "path", { opacity: 0.14 });
    this.path = part(this.group, "path", { fill: "none", "stroke-linejoin": "round" });
    const dots = part(this.group, "g");
    this.beads = part(dots, "g");
    this.tips = part(dots, "g");
  }

  /** Ask for another course; what is drawn now stays the place from which it moves. */
  ask(line: Line, axes: Axes, x: readonly number[], isWhole: boolean, left: number, drawn: Projection | null): void {
    const asked = courseOf(axes, line, x);
    const next = drawn && this.opacity > 0 && !isWhole ? reaching(asked, this.course, axes, drawn.across) : asked;
    const before = (x: number, height: number, which: "y" | "high") => this.onItsWay(x, height, left, which);
    const isSeen = this.opacity > 0 && !this.isHidden;
    this.difference = drawn && isSeen ? Difference.between(this.course, next, before, drawn) : null;
    this.course = next;
    this.line = line;
    this.isWhole = isWhole;
  }

  /** What goes keeps its course, and the way to it that is left. */
  go(left: number): void {
    this.isGone = true;
    this.difference?.stop(this.course, left);
  }

  /** The height that is asked for at a place along, with what is left of the way from what was drawn there. */
  private onItsWay(x: number, asked: number, left: number, which: "y" | "high"): number {
    return left && this.difference ? this.difference.onItsWay(x, asked, left, which) : asked;
  }

  /** How high the line is drawn at a place along, both in even steps; NaN where it has no value. */
  drawnAt(x: number, left: number): number {
    return this.heights(left)(x);
  }

  /** The same for many places, quick from left to right. */
  heights(left: number): (x: number) => number {
    const { course } = this;
    if (!course.x.length) return () => Number.NaN;
    const [low, high] = [at(course.x, 0) - 1e-9, at(course.x, course.x.length - 1) + 1e-9];
    const height = along(course.x, course.y);
    return (x) => (x < low || x > high ? Number.NaN : this.onItsWay(x, height(x), left, "y"));
  }

  /**
   * Where along it leaves through the top for good, at rest; null where it ends inside or below, or never is inside.
   *
   * Through the bottom, where heights are counted down from the top.
   */
  exit([low, high]: readonly [number, number], [bottom, top]: readonly [number, number], sign = 1): number | null {
    const { x, y } = this.course;
    const height = (place: number) => sign * at(y, place);
    let last = Math.min(x.length - 1, Math.max(lastUpTo(x, high + 1e-9), 0));
    if (last < 1 || !(height(last) > top)) return null;
    while (last > 0 && at(x, last) >= low && height(last) > top) last -= 1;
    if (!(height(last) <= top && height(last) >= bottom) || at(x, last) < low) return null;
    const [under, over] = [height(last), height(last + 1)];
    return at(x, last) + ((at(x, last + 1) - at(x, last)) * (top - under)) / (over - under);
  }

  /** How high it runs, where it does, between ends along. */
  private heightsWithin(low: number, high: number): number[] {
    const height = this.heights(0);
    const all = Array.from({ length: SAMPLES + 1 }, (_, place) => height(low + ((high - low) * place) / SAMPLES));
    return all.filter(Number.isFinite);
  }

  /** How high it runs at most between ends along; less than anything where it does not run there. */
  highest([low, high]: readonly [number, number]): number {
    return Math.max(...this.heightsWithin(low, high));
  }

  /** Of what lies between two ends along: which part is inside the frame, and up to what part of its height it reaches. */
  standing([low, high]: readonly [number, number], [bottom, top]: readonly [number, number], isFromZero: boolean): Standing {
    const all = this.heightsWithin(low, high);
    const inside = all.filter((y) => y >= bottom && y <= top);
    const reach = inside.length ? (Math.max(...inside) - (isFromZero ? bottom : Math.min(...inside))) / (top - bottom) : 0;
    return { inside: all.length ? inside.length / all.length : 0, reach };
  }

  /** The upper end of its band, at rest. */
  highAt(x: number): number {
    return this.course.high ? along(this.course.x, this.course.high)(x) : Number.NaN;
  }

  /** Whether it is hidden but for what is known of it. */
  private get isSketched(): boolean {
    return this.isHidden && !this.isGone && this.known !== null;
  }

  /** From where to where along it is seen, in even steps. */
  get reach(): Known {
    return (this.isSketched && this.known) || [-Infinity, Infinity];
  }

  /** From where to where it is drawn, in pixels. */
  shown(projection: Projection): [number, number] {
    return shownPart(this.known, this.isHidden ? 0 : this.reveal, projection);
  }

  /** Comes or goes for some seconds; whether it still does. */
  fade(seconds: number, isWanted: boolean): boolean {
    const moves = this.reveal < 1 && !this.isHidden;
    if (moves) this.reveal = Math.min(1, this.reveal + seconds / REVEAL_S);
    const to = isWanted || this.isSketched ? 1 : 0;
    if (this.opacity === to) return moves;
    const step = seconds / FADE_S;
    this.opacity = to > this.opacity ? Math.min(1, this.opacity + step) : Math.max(0, this.opacity - step);
    return true;
  }

  style(isPair: boolean, hasBand: boolean, isCrowd: boolean): void {
    const { colour, is_bold, is_floor } = this.line;
    const isThin = isPair && this.mode === "lecture";
    put(this.group, { "data-colour": colour, "data-line": stem(this.line.name) });
    const width = is_bold ? (isThin ? 2.2 : 3.4) : isThin ? 1.2 : 1.9;
    put(this.path, {
      stroke: colourOf(colour),
      "stroke-width": width,
      style: `--width:${width}px`,
      // Of his lines the one that the board is about is as strong as ours; the others stay behind until they are asked for.
      "stroke-opacity": isThin && !is_bold ? (isCrowd ? FAR_BEHIND : BEHIND) : 1,
      "stroke-dasharray": is_floor ? "2 3" : isThin ? "6 4" : "none",
      "stroke-linecap": is_floor || isThin ? "butt" : "round",
    });
    this.hasBand = hasBand;
    put(this.band, { fill: colourOf(colour) });
  }

  draw(projection: Projection, left: number, isPair: boolean): void {
    put(this.group, { opacity: this.opacity });
    if (!this.opacity) {
      // What is asked for before it is shown is not there to be found, either.
      for (const each of [this.path, this.band]) put(each, { d: "" });
      for (const each of [this.beads, this.tips]) each.replaceChildren();
      return;
    }
    const trace = this.trace(projection, left);
    this.path.setAttribute("d", trace.path());
    // A band that is not shown is not there to be run over, either.
    put(this.band, { d: this.hasBand ? trace.band() : "" });
    this.drawBeads(projection, left, isPair);
    this.drawTips(projection);
  }

  /** Dots where what is known of it ends. */
  private drawTips(projection: Projection): void {
    const ends = this.isSketched && this.known ? tipsOf(this.known, projection) : [];
    const tips = matched(this.tips, ends.length, () => part(this.tips, "circle", { r: TIP_R }));
    tips.forEach((tip, place) => {
      const end = at(ends, place);
      put(tip, { fill: colourOf(this.line.colour) });
      move(tip, projection.evenX(end), projection.evenY(this.drawnAt(end, 0)));
    });
  }

  private drawBeads(projection: Projection, left: number, isPair: boolean): void {
    const { evenX, evenY, room } = projection;
    const { x } = this.course;
    const [from, to] = this.shown(projection);
    // Of a level to compare with only the level counts.
    const isBeaded = this.isWhole && x.length <= MOST_BEADS && !this.line.is_floor;
    const isHollow = isPair && this.mode === "lecture";
    const colour = colourOf(this.line.colour);
    const beads = matched(this.beads, isBeaded ? x.length : 0, () => part(this.beads, "circle"));
    beads.forEach((bead, place) => {
      const step = at(x, place);
      put(bead, {
        r: this.line.is_bold ? 2.8 : 2,
        fill: isHollow ? "var(--background)" : colour,
        stroke: colour,
        visibility: evenX(step) > to + 1 || evenX(step) < from - 1 ? "hidden" : "inherit",
      });
      move(bead, evenX(step), clampBeyond(evenY(this.drawnAt(step, left)), room));
    });
  }

  private trace(projection: Projection, left: number): Trace {
    const { course } = this;
    const { across, room } = projection;
    const [begin, end] = this.shown(projection);
    const [evenX, evenY] = [straight(projection.evenX), straight(projection.evenY)];
    const far = BEYOND * (room.bottom - room.top);
    const [lowest, highest] = [room.top - far, room.bottom + far];
    const trace = new Trace(course.high !== null);
    const put = (x: number, y: number, high: number) => {
      const pixel = evenX(x);
      if (pixel >= begin - EPSILON && pixel <= end + EPSILON)
        trace.add(pixel, clamp(evenY(y), lowest, highest), clamp(evenY(high), lowest, highest));
    };
    const last = course.x.length - 1;
    if (last < 0) return trace;
    if (!left && this.reveal === 1 && !this.isHidden) {
      for (let place = 0; place <= last; place += 1)
        put(at(course.x, place), at(course.y, place), course.high ? at(course.high, place) : 0);
      return trace;
    }
    const [from, to] = [Math.max(at(course.x, 0), across[0]), Math.min(at(course.x, last), across[1])];
    const count = Math.max(2, Math.ceil(Math.abs(evenX(to) - evenX(from)) / FINE) + 1);
    const lower = along(course.x, course.y);
    const upper = course.high ? along(course.x, course.high) : null;
    for (let place = 0; place < count; place += 1) {
      const x = from + ((to - from) * place) / (count - 1);
      put(x, this.onItsWay(x, lower(x), left, "y"), upper ? this.onItsWay(x, upper(x), left, "high") : 0);
    }
    return trace;
  }
}

export function clampBeyond(pixel: number, { top, bottom }: { top: number; bottom: number }): number {
  const far = BEYOND * (bottom - top);
  return clamp(pixel, top - far, bottom + far);
}
