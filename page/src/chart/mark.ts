// One mark of a line: its dot, its label and what joins them.

import type { Axes, Mark, Mode } from "../documents";
import { boxAt, leadBoxes, leaderPath, ledTo, type Spot } from "./beside";
import type { Led } from "./boxes";
import { even, type Projection } from "./frame";
import { LINE, SMALL } from "./measure";
import { at, mixed } from "./numbers";
import type { Seat } from "./rail";
import { colourOf, move, part, put, tenth, write } from "./svg";

/** A mark of one mode, and how it is labelled. */
export interface MarkOf {
  mark: Mark;
  mode: Mode;
  /** Whether a small dot before the words says whose they are: both modes have a mark of this name. */
  isTold: boolean;
  isBold: boolean;
  /** How far it lies from the other mode's, in words; empty of all but the one that says most. */
  ratio: string;
  /** Along which axis that is. */
  ratioAxis: "x" | "y";
  isLabelled: boolean;
  /** It is no point but the name of a line that leaves the plot there. */
  isName: boolean;
  /** An answer will bring it: its words have their place, and nothing of it is seen. */
  isComing: boolean;
}

/** Over the plot: leaders that lean have room for it. */
export const FAN = 14;
const RADIUS = 4.6;
/** Of a dot without a label. */
const QUIET = 3.6;
/** Around a dot that a hand can drag. */
const HALO = 10;
/** Of the dot before the words, and from it to them. */
export const BULLET = { radius: 3.4, width: 11 };
export const BOLD = 600;
/** Of a label that is all there, see `MarkDrawn.arrived`. */
export const ARRIVED = 2;
/** How much is seen of words while a hand moves another mark. */
const HUSHED = 0.4;
/** Farther in a frame words leap, in pixels. */
const LEAP = 80;
/** Of words that are on their way to be seen: not nothing, at which no frame is asked for. */
const LEAST_SEEN = 0.01;
const FADE_S = 0.15;
/** Slower: its neighbours move aside meanwhile. */
const LABEL_FADE_S = 0.4;

export class MarkDrawn {
  readonly group: SVGGElement;
  readonly dot: SVGCircleElement;
  readonly touch: SVGCircleElement;
  /** Of a mark without words: straight down, to where its place along is read. */
  private readonly stem: SVGPathElement;
  private readonly halo: SVGCircleElement;
  private readonly leader: SVGPathElement;
  readonly label: SVGGElement;
  private readonly bullet: SVGCircleElement;
  private readonly texts: SVGGElement;
  of: MarkOf;
  /** In even steps: where it is asked for, and how far from there it was drawn. */
  asked: [number, number];
  away: [number, number] = [0, 0];
  words: string[] = [];
  /** Of each line, and of the widest. */
  wides: number[] = [];
  width = 0;
  /** How much wider the words were drawn: numbers change, and what stands beside them follows. */
  wider = 0;
  opacity = 0;
  /** From nothing over room that is made for the label, at 1, to the label that is seen, at 2. */
  arrived = 0;
  isGone = false;
  /** Whether a hand moves it, or another: then that one's words are looked at. */
  isHeld = false;
  /** Its words before a hand took hold of it, as long as the ghost of its line stands there; else empty. */
  was = "";
  isHushed = false;
  seat: Seat | null = null;
  /** Beside its dot, where the label found room there. */
  spot: Spot | null = null;
  /** From the dot to where its leader ends as drawn beside it; null where there is none. */
  lead: readonly [number, number] | null = null;
  /** Which part of the words lies left of the leader. */
  side = 0.5;
  /** How much is seen of a label that was covered by another. */
  seen = 1;
  /** Where the label stands and stood before seats changed. */
  stands: [number, number] | null = null;
  stood: [number, number] | null = null;
  pixel: [number, number] = [0, 0];

  constructor(
    dots: SVGGElement,
    labels: SVGGElement,
    readonly key: string,
    of: MarkOf,
    axes: Axes,
  ) {
    this.of = of;
    this.asked = [even(axes.x, of.mark.x), even(axes.y, of.mark.y)];
    this.leader = part(labels, "path", { fill: "none", "stroke-width": 1, "stroke-opacity": 0.45, opacity: 0 });
    this.label = part(labels, "g", { class: "chart-mark", "font-size": SMALL, opacity: 0 });
    this.bullet = part(this.label, "circle", { r: BULLET.radius, "stroke-width": 1.4 });
    this.texts = part(this.label, "g", { "paint-order": "stroke", stroke: "var(--background)", "stroke-width": 3 });
    this.group = part(dots, "g", { class: "chart-mark", opacity: 0 });
    this.stem = part(this.group, "path", { class: "stem", fill: "none", "stroke-opacity": 0.45, "pointer-events": "none" });
    this.halo = part(this.group, "circle", { class: "halo", "data-passing": "", r: HALO, "fill-opacity": 0.16 });
    this.touch = part(this.group, "circle", { r: 16, fill: "transparent" });
    this.dot = part(this.group, "circle", { r: RADIUS, "stroke-width": 1.6 });
    this.label.dataset["key"] = this.group.dataset["key"] = key;
  }

  get height(): number {
    return this.words.length * LINE;
  }

  /** Whether a small dot before the words says whose they are: beside its dot a label needs none. */
  get isBulleted(): boolean {
    return this.of.isTold && !this.spot;
  }

  get isDraggable(): boolean {
    return !this.of.isName && !this.of.isComing && !this.of.mark.is_fixed;
  }

  style(isPair: boolean, isDragged: boolean): void {
    const { mark, isName, isBold, isComing } = this.of;
    const isHollow = isPair && this.of.mode === "lecture";
    const radius = mark.is_quiet ? QUIET : RADIUS;
    const colour = colourOf(mark.colour);
    for (const each of [this.group, this.label, this.leader]) put(each, { "data-colour": mark.colour });
    const dot = { fill: isHollow ? "var(--background)" : colour, stroke: isHollow ? colour : "var(--background)" };
    put(this.dot, { ...dot, r: isHollow ? radius - 0.4 : radius });
    put(this.bullet, { fill: isHollow ? "var(--background)" : "inherit", stroke: isHollow ? colour : "none" });
    put(this.group, { fill: colour, visibility: isName || isComing ? "hidden" : "inherit" });
    put(this.halo, { visibility: isDragged && this.isDraggable ? "inherit" : "hidden" });
    for (const each of [this.leader, this.stem]) put(each, { stroke: colour });
    put(this.label, { fill: colour, "font-weight": isName && isBold ? BOLD : 400 });
  }

  write(): void {
    this.side = this.spot?.side ?? this.seat?.side ?? this.side;
    put(this.bullet, { visibility: this.isBulleted ? "inherit" : "hidden" });
    const lefts = this.wides.map((wide) => -this.side * wide);
    write(this.texts, this.words, LINE, {});
    this.words.forEach((_, place) => {
      put(at(this.texts.children, place), { x: tenth(at(lefts, place) + (place || !this.isBulleted ? 0 : BULLET.width)) });
    });
    move(this.bullet, at(lefts, 0) + BULLET.radius, -SMALL / 3);
  }

  /** Where the label is drawn, over a plot from a height down; null where it is not there. */
  led(plot: number): Led | null {
    if (!this.stands || this.arrived <= 1) return null;
    const [x, top] = this.stands;
    const bottom = top + this.height;
    const words = { left: x - this.side * this.width, right: x + (1 - this.side) * this.width, top, bottom };
    const [px, py] = this.pixel;
    if (this.spot) return { words, leaders: leadBoxes({ x: px, y: py }, this) };
    const inRail = { left: x - 1, right: x + 1, top: bottom, bottom: Math.max(bottom, plot - FAN) };
    const inPlot = { left: px - 1, right: px + 1, top: plot, bottom: Math.max(plot, py) };
    return { words, leaders: [inRail, inPlot] };
  }

  /** Beside its dot as drawn. */
  drawBeside({ dx, dy, lead }: Spot, glided: number): void {
    const target: [number, number] = [this.pixel[0] + dx, this.pixel[1] + dy];
    const [left, top] = this.stand(target, glided);
    const [x, y] = this.pixel;
    const words = boxAt({ x: left, y: top, width: this.width, height: this.height }, { dx: 0, dy: 0, side: this.side });
    this.lead = lead && ledTo({ x, y }, [lead[0] + left - target[0], lead[1] + top - target[1]], words);
    put(this.leader, { d: leaderPath({ x, y }, this.lead, RADIUS + 1) });
  }

  drawLabel(x: number, foot: number, projection: Projection, glided: number): void {
    const target: [number, number] = [x, foot - this.height];
    const [left, top] = this.stand(target, glided);
    const { room } = projection;
    const [px, py] = this.pixel;
    const end = py - RADIUS;
    this.leader.setAttribute(
      "d",
      `M${tenth(left)},${tenth(top + this.height)} L${tenth(left)},${tenth(room.top - FAN)} L${tenth(px)},${tenth(room.top)}${
        end > room.top ? ` L${tenth(px)},${tenth(end)}` : ""
      }`,
    );
  }

  /** On the way to where its words will be, as far as they have come. */
  private stand(target: [number, number], glided: number): [number, number] {
    const before = this.stands;
    this.stands = this.stood ? [mixed(this.stood[0], target[0], glided), mixed(this.stood[1], target[1], glided)] : target;
    this.leap(before);
    const [left, top] = this.stands;
    move(this.label, left, top + SMALL);
    return this.stands;
  }

  /** Words that come to stand far from where they were drawn come there anew: nobody's eye follows a leap. */
  private leap(before: readonly [number, number] | null): void {
    const [x, y] = this.stands ?? [0, 0];
    if (before && !this.isHeld && Math.hypot(x - before[0], y - before[1]) > LEAP) this.seen = LEAST_SEEN;
  }

  drawStem({ room }: Projection): void {
    const down = room.bottom - this.pixel[1];
    put(this.stem, { d: this.of.mark.text || down <= RADIUS ? "" : `M0,${RADIUS} L0,${tenth(down)}` });
  }

  /** Dot and label come or go for some seconds; whether they still do. */
  fade(seconds: number): boolean {
    const dot = this.isGone || this.of.isComing ? 0 : 1;
    const label = !dot || !(this.seat || this.spot) || !this.of.isLabelled ? 0 : ARRIVED;
    const moves = this.opacity !== dot || this.arrived !== label;
    this.seen = neared(this.seen, 1, seconds / FADE_S);
    this.opacity = neared(this.opacity, dot, seconds / FADE_S);
    this.arrived = neared(this.arrived, label, (ARRIVED * seconds) / LABEL_FADE_S);
    return moves;
  }

  /** Seen as far as it has arrived and nothing covers it. */
  drawSeen(): void {
    const opacity = String(this.seen * Math.max(0, this.arrived - 1) * (this.isHushed ? HUSHED : 1));
    for (const each of [this.label, this.leader]) each.setAttribute("opacity", opacity);
  }

  remove(): void {
    for (const each of [this.group, this.label, this.leader]) each.remove();
  }
}

function neared(from: number, to: number, step: number): number {
  return to > from ? Math.min(to, from + step) : Math.max(to, from - step);
}
