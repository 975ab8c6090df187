// One line of one mode: exact at rest; on its way what is asked for, and what is left of the difference to what was drawn.

import type { Axes, Line, Mode } from "../documents";
import { type Course, courseOf, reaching } from "./course";
import type { Projection } from "./frame";
import { stem } from "./identity";
import { along, at, clamp, lastUpTo, mixed } from "./numbers";
import { colourOf, matched, move, part, put } from "./svg";
import { Trace } from "./trace";

/** How a line stands in a frame: see `Stroke.standing`. */
export interface Standing {
  inside: number;
  reach: number;
}

/** What was drawn before a course, at even steps along the plot. */
interface Difference {
  from: number;
  step: number;
  y: Before;
  high: Before | null;
}

interface Before {
  /** NaN where there is no way from it. Heights, not gaps: between two steps those of a line that rises to vast heights overshoot. */
  y: Float64Array;
  /** How far the first and the last lie from the course: what is beyond them is as far away. */
  gaps: [number, number];
}

/** Pixels from one point of a moving line to the next. */
export const FINE = 2;
/** Lines known at whole numbers show them as beads; more would run together. */
const MOST_BEADS = 40;
/** A line that leaves the plot is drawn on so many times the plot's height: its slope at the edge stays right. */
const BEYOND = 8;
/** Of a line, where it is looked for in a frame. */
const SAMPLES = 60;
const REVEAL_S = 0.6;
/** Of his lines beside published ones. */
const BEHIND = 0.6;
const FADE_S = 0.15;

/** One line of one mode. */
export class Stroke {
  course: Course;
  readonly group: SVGGElement;
  opacity = 0;
  /** What it is called while its numbers change, in its mode. */
  key = "";
  isGone = false;
  isHidden = false;
  /** The part of the plot's width up to which the line is drawn. */
  reveal = 1;
  private difference: Difference | null = null;
  private readonly band: SVGPathElement;
  private readonly path: SVGPathElement;
  private readonly beads: SVGGElement;

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
    this.beads = part(this.group, "g");
  }

  /** Ask for another course; what is drawn now stays the place from which it moves. */
  ask(line: Line, axes: Axes, x: readonly number[], isWhole: boolean, left: number, drawn: Projection | null): void {
    const asked = courseOf(axes, line, x);
    const next = drawn && this.opacity > 0 && !isWhole ? reaching(asked, this.course, axes, drawn.across) : asked;
    this.difference = drawn && this.opacity > 0 && !this.isHidden ? this.differenceTo(next, left, drawn) : null;
    this.course = next;
    this.line = line;
    this.isWhole = isWhole;
  }

  /** What goes keeps its course, and the way to it that is left. */
  go(left: number): void {
    this.isGone = true;
    const { difference, course } = this;
    if (!difference) return;
    const { from, step } = difference;
    const ways = [
      [difference.y, course.y],
      [difference.high, course.high],
    ] as const;
    for (const [before, asked] of ways) {
      if (!before || !asked) continue;
      const height = along(course.x, asked);
      before.y.forEach((y, place) => {
        before.y[place] = mixed(height(from + place * step), y, left);
      });
      before.gaps = [left * before.gaps[0], left * before.gaps[1]];
    }
  }

  private differenceTo(next: Course, left: number, { across, room }: Projection): Difference {
    const count = Math.max(2, Math.ceil((room.right - room.left) / FINE));
    const [from, step] = [across[0], (across[1] - across[0]) / (count - 1)];
    const between = (ours: Float64Array, theirs: Float64Array, which: "y" | "high"): Before => {
      const [old, fresh] = [along(this.course.x, ours), along(next.x, theirs)];
      let gaps: [number, number] | null = null;
      const y = Float64Array.from({ length: count }, (_, place) => {
        const step_x = from + place * step;
        const drawn = this.onItsWay(step_x, old(step_x), left, which);
        const gap = drawn - fresh(step_x);
        const known = Number.isFinite(gap) ? gap : 0;
        gaps = [gaps ? gaps[0] : known, known];
        return Number.isFinite(gap) ? drawn : Number.NaN;
      });
      return { y, gaps: gaps ?? [0, 0] };
    };
    const { high } = this.course;
    return {
      from,
      step,
      y: between(this.course.y, next.y, "y"),
      high: high && next.high ? between(high, next.high, "high") : null,
    };
  }

  /** The height that is asked for at a place along, with what is left of the way from what was drawn there. */
  private onItsWay(x: number, asked: number, left: number, which: "y" | "high"): number {
    const before = left ? this.difference?.[which] : null;
    if (!this.difference || !before) return asked;
    const { y, gaps } = before;
    const place = (x - this.difference.from) / this.difference.step;
    if (place < 0 || place > y.length - 1) return asked + left * gaps[place < 0 ? 0 : 1];
    const low = Math.min(Math.floor(place), y.length - 2);
    const drawn = mixed(asked, mixed(at(y, low), at(y, low + 1), place - low), left);
    return Number.isFinite(drawn) ? drawn : asked;
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

  /** Where along it leaves through the top for good, at rest; null where it ends inside or below, or never is inside. */
  exit([low, high]: readonly [number, number], [bottom, top]: readonly [number, number]): number | null {
    const { x, y } = this.course;
    let last = Math.min(x.length - 1, Math.max(lastUpTo(x, high + 1e-9), 0));
    if (last < 1 || !(at(y, last) > top)) return null;
    while (last > 0 && at(x, last) >= low && at(y, last) > top) last -= 1;
    if (!(at(y, last) <= top && at(y, last) >= bottom) || at(x, last) < low) return null;
    const [under, over] = [at(y, last), at(y, last + 1)];
    return at(x, last) + ((at(x, last + 1) - at(x, last)) * (top - under)) / (over - under);
  }

  /** Of what lies between two ends along: which part is inside the frame, and up to what part of its height it reaches. */
  standing([low, high]: readonly [number, number], [bottom, top]: readonly [number, number], isFromZero: boolean): Standing {
    let [inside, least, most, all] = [0, Infinity, -Infinity, 0];
    for (let place = 0; place <= SAMPLES; place += 1) {
      const y = this.drawnAt(low + ((high - low) * place) / SAMPLES, 0);
      if (!Number.isFinite(y)) continue;
      all += 1;
      if (y > top || y < bottom) continue;
      inside += 1;
      [least, most] = [Math.min(least, y), Math.max(most, y)];
    }
    const reach = inside ? (most - (isFromZero ? bottom : least)) / (top - bottom) : 0;
    return { inside: all ? inside / all : 0, reach };
  }

  /** The upper end of its band, at rest. */
  highAt(x: number): number {
    return this.course.high ? along(this.course.x, this.course.high)(x) : Number.NaN;
  }

  /** Comes or goes for some seconds; whether it still does. */
  fade(seconds: number, isWanted: boolean): boolean {
    const moves = this.reveal < 1;
    if (moves) this.reveal = Math.min(1, this.reveal + seconds / REVEAL_S);
    const to = isWanted ? 1 : 0;
    if (this.opacity === to) return moves;
    const step = seconds / FADE_S;
    this.opacity = to > this.opacity ? Math.min(1, this.opacity + step) : Math.max(0, this.opacity - step);
    return true;
  }

  style(isPair: boolean, hasBand: boolean): void {
    const { colour, is_bold, is_floor } = this.line;
    const isThin = isPair && this.mode === "lecture";
    put(this.group, { "data-colour": colour, "data-line": stem(this.line.name) });
    put(this.path, {
      stroke: colourOf(colour),
      "stroke-width": is_bold ? (isThin ? 2.2 : 3.4) : isThin ? 1.2 : 1.9,
      // Of his lines the one that the board is about is as strong as ours; the others stay behind until they are asked for.
      "stroke-opacity": isThin && !is_bold ? BEHIND : 1,
      "stroke-dasharray": is_floor ? "2 3" : isThin ? "6 4" : "none",
      "stroke-linecap": is_floor || isThin ? "butt" : "round",
    });
    put(this.band, { fill: hasBand ? colourOf(colour) : "none" });
  }

  draw(projection: Projection, left: number, isPair: boolean): void {
    put(this.group, { opacity: this.opacity });
    if (!this.opacity) {
      // What is asked for before it is shown is not there to be found, either.
      for (const each of [this.path, this.band]) put(each, { d: "" });
      this.beads.replaceChildren();
      return;
    }
    const trace = this.trace(projection, left);
    this.path.setAttribute("d", trace.path());
    put(this.band, { d: trace.band() });
    this.drawBeads(projection, left, isPair);
  }

  private drawBeads({ evenX, evenY, room }: Projection, left: number, isPair: boolean): void {
    const { x } = this.course;
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
        visibility: evenX(step) > room.left + this.reveal * (room.right - room.left) + 1 ? "hidden" : "inherit",
      });
      move(bead, evenX(step), clampBeyond(evenY(this.drawnAt(step, left)), room));
    });
  }

  private trace(projection: Projection, left: number): Trace {
    const { course, reveal } = this;
    const { across, room } = projection;
    const [evenX, evenY] = [straight(projection.evenX), straight(projection.evenY)];
    const end = room.left + reveal * (room.right - room.left) + 0.01;
    const far = BEYOND * (room.bottom - room.top);
    const [lowest, highest] = [room.top - far, room.bottom + far];
    const trace = new Trace(course.high !== null);
    const put = (x: number, y: number, high: number) => {
      const pixel = evenX(x);
      if (pixel <= end) trace.add(pixel, clamp(evenY(y), lowest, highest), clamp(evenY(high), lowest, highest));
    };
    const last = course.x.length - 1;
    if (last < 0) return trace;
    if (!left && reveal === 1) {
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

/** A scale as a sum and a product, for the many points of a frame. */
function straight(scale: (step: number) => number): (step: number) => number {
  const base = scale(0);
  const slope = scale(1) - base;
  return (step) => base + slope * step;
}
