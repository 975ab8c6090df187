// A question put on the chart: how high does the line run at a place, or where along it does something lie?
// A dot is put there, then the line is drawn in.

import type { Axis, CurvesView } from "../documents";
import { tickText } from "./axes";
import { even, type Projection, ticksThatFit, uneven } from "./frame";
import type { Lines } from "./lines";
import { FONT, SMALL } from "./measure";
import { at, clamp } from "./numbers";
import type { Seen } from "./pointer";
import { times } from "./ratio";
import type { Ground, Predicted, Shown } from "./stage";
import { matched, move, part, put, say } from "./svg";

const STEP_PART = 1 / 40;
const FINE_PART = 1 / 200;
const PROMPT = { width: 250, height: 56, inset: 8 };
/** On a narrow screen it leaves the other half free, over more lines. */
const NARROW_PROMPT = { part: 0.46, least: 130, height: 72 };
/** From the guess to the words beside it, and around those. */
const NEAR = 12;
const ARROWS = { y: "M-5,-13 L0,-18 L5,-13 M-5,13 L0,18 L5,13", x: "M-13,-5 L-18,0 L-13,5 M13,-5 L18,0 L13,5" };
const PAD = 4;
/** Of the scale that stands at the guide while hardly a line is drawn: half a mark's length, and from it to its number. */
const RULER = { mark: 5, near: 10, gap: 12, clear: 24 };
/** Nearer to the axis that has the same numbers it says nothing new; in a narrow plot it stands among labels. */
const [LEAST_AWAY, LEAST_WIDE] = [140, 480];
/** More lines than that tell the scale themselves. */
const MOST_RULED = 2;

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export class Predict {
  private readonly group: SVGGElement;
  private readonly ruler: SVGGElement;
  private readonly guide: SVGPathElement;
  private readonly bar: SVGPathElement;
  private readonly shade: SVGCircleElement;
  private readonly there: SVGCircleElement;
  private readonly dot: SVGCircleElement;
  /** To both sides of the place where the dot may be put, until a hand comes. */
  private readonly arrows: SVGPathElement;
  private readonly paper: SVGRectElement;
  private readonly words: SVGTextElement;
  private readonly prompt: HTMLElement;
  private asked: Predicted | null = null;
  /** Whether the answer is no more shown: a hand has changed what it was about. */
  private isForgotten = false;
  /** In even steps along the asked axis. */
  private guess: number | null = null;
  private pointed: number | null = null;
  private value: (step: number) => number = (step) => step;
  private unvalue: (value: number) => number = (value) => value;
  /** To what can be counted, where the axis counts what cannot be divided. */
  private snap: (step: number) => number = (step) => step;

  constructor(
    private readonly ground: Ground,
    parent: SVGGElement,
  ) {
    this.group = part(parent, "g", { "pointer-events": "none" });
    this.ruler = part(this.group, "g", { class: "ruler", fill: "var(--muted)", "font-size": SMALL, "aria-hidden": "true" });
    this.guide = part(this.group, "path", { stroke: "var(--ink)", "stroke-dasharray": "2 4", fill: "none" });
    this.bar = part(this.group, "path", { "stroke-width": 4, "stroke-opacity": 0.55, fill: "none" });
    this.shade = part(this.group, "circle", { r: 7, fill: "none", stroke: "var(--ink)", "stroke-opacity": 0.5 });
    this.arrows = part(this.group, "path", {
      "data-passing": "",
      stroke: "var(--ink)",
      "stroke-opacity": 0.5,
      "stroke-width": 1.5,
      fill: "none",
    });
    this.there = part(this.group, "circle", { r: 5, fill: "var(--background)", stroke: "var(--ink)", "stroke-width": 2 });
    this.dot = part(this.group, "circle", { r: 7, stroke: "var(--background)", "stroke-width": 2 });
    this.paper = part(this.group, "rect", { fill: "var(--background)", "fill-opacity": 0.85, rx: 3 });
    this.words = part(this.group, "text", { "font-size": FONT, "font-weight": 600 });
    this.prompt = document.createElement("div");
    this.prompt.className = "chart-prompt";
    this.prompt.hidden = true;
    ground.root.append(this.prompt);
  }

  get isOpen(): boolean {
    return this.asked?.isOpen === true;
  }

  /** Where the guide crosses the plot upright, in pixels along. */
  guideAt({ evenX }: Projection, along: Axis): number[] {
    const { asked } = this;
    if (!asked?.isOpen || asked.axis === "x" || asked.x === null) return [];
    return [evenX(even(along, asked.x))];
  }

  /** Where the dot was put: of the two numbers the asked one counts. */
  get guessed(): [number, number] | null {
    if (!this.asked || this.guess === null) return null;
    const value = this.value(this.guess);
    return this.asked.axis === "x" ? [value, Number.NaN] : [this.asked.x ?? Number.NaN, value];
  }

  /** Take up a question, or show how it went. */
  ask({ predict, view }: Shown): void {
    const before = this.asked;
    this.asked = predict;
    this.prompt.hidden = !predict?.isOpen;
    if (!predict) {
      this.ground.root.style.touchAction = "";
      return;
    }
    const axis = view.axes[predict.axis];
    this.value = (step) => uneven(axis, step);
    this.unvalue = (value) => even(axis, value);
    const isWhole = predict.axis === "x" && isCurves(view) && Object.values(view.pictures).some((one) => one.is_whole);
    this.snap = isWhole ? (step) => even(axis, Math.round(uneven(axis, step))) : (step) => step;
    // A finger moves the dot, not the page.
    this.ground.root.style.touchAction = predict.isOpen && predict.axis === "y" ? "none" : "";
    const isNew = predict.id !== before?.id || predict.isOpen !== before.isOpen;
    if (isNew) {
      this.isForgotten = false;
      this.pointed = null;
    }
    if (!predict.isOpen) this.guess = predict.given === null ? null : even(axis, predict.given);
    else if (isNew) this.guess = null;
    if (this.prompt.textContent !== predict.prompt) this.prompt.textContent = predict.prompt;
  }

  /** Away with what was answered. */
  forget(): void {
    this.isForgotten = true;
  }

  point({ projection }: Seen, [x, y]: readonly [number, number], isPressed: boolean): void {
    const { evenX, evenY, room } = projection;
    const isAlong = this.asked?.axis === "x";
    const step = this.snap(
      isAlong ? evenX.invert(clamp(x, room.left, room.right)) : evenY.invert(clamp(y, room.top, room.bottom)),
    );
    this.pointed = step;
    if (isPressed) this.guess = step;
  }

  /** What was put was not meant: the browser took the hand for something else. */
  cancel(): void {
    this.guess = null;
    this.leave();
  }

  leave(): void {
    this.pointed = null;
    this.ground.wake();
  }

  /** Whether a key moved the guess. */
  type({ projection }: Seen, key: string, isFine: boolean): boolean {
    const isAlong = this.asked?.axis === "x";
    const [low, high] = isAlong ? projection.across : projection.up;
    const step = (high - low) * (isFine ? FINE_PART : STEP_PART);
    const now = this.guess ?? (low + high) / 2;
    const [more, less] = isAlong ? ["ArrowRight", "ArrowLeft"] : ["ArrowUp", "ArrowDown"];
    const next = { [more]: now + step, [less]: now - step, Home: low, End: high }[key];
    if (next === undefined) return false;
    this.guess = this.snap(clamp(next, low, high));
    // A step that leads to no other whole number leads to the next.
    if (this.guess === now && next > low && next < high) {
      const whole = Math.round(this.value(now)) + Math.sign(next - now);
      this.guess = clamp(this.unvalue(whole), low, high);
    }
    this.pointed = null;
    return true;
  }

  draw(projection: Projection, shown: Shown, lines: Lines): void {
    const { asked } = this;
    const isSeen = asked !== null && (asked.isOpen || (this.guess !== null && !this.isForgotten));
    put(this.group, { visibility: isSeen ? "inherit" : "hidden" });
    if (!isSeen) return;
    const spot = this.spots(asked, projection, shown, lines);
    const isWaiting = asked.isOpen && this.guess === null && this.pointed === null;
    const isPointed = asked.isOpen && (isWaiting || this.pointed !== null);
    put(this.shade, { visibility: isPointed ? "inherit" : "hidden" });
    put(this.arrows, { visibility: isWaiting ? "inherit" : "hidden", d: ARROWS[asked.axis] });
    const start = spot(null);
    const pointed = spot(this.pointed);
    move(this.shade, pointed.x, pointed.y);
    move(this.arrows, start.x, start.y);
    const dot = this.guess === null ? pointed : spot(this.guess);
    this.guide.setAttribute("d", guideOf(asked, dot, projection));
    put(this.dot, { visibility: this.guess === null ? "hidden" : "inherit" });
    move(this.dot, dot.x, dot.y);
    if (this.guess === null || asked.isOpen) {
      for (const each of [this.bar, this.there]) put(each, { visibility: "hidden" });
      put(this.dot, { fill: "var(--ink)" });
      const step = this.guess ?? this.pointed;
      const box = step === null ? null : this.label(projection, lines, dot, this.said(step, shown), "var(--ink)");
      if (!box) this.hush();
      this.rule(projection, shown, lines, box);
      this.place(projection, lines, dot.x);
      return;
    }
    this.rule(null, shown, lines, null);
    this.judge(asked, this.guess, spot, projection, shown, lines);
  }

  /** The guess, what is true, and how far it is from one to the other. */
  private judge(
    asked: Predicted,
    guess: number,
    spot: (step: number) => { x: number; y: number },
    projection: Projection,
    shown: Shown,
    lines: Lines,
  ): void {
    const dot = spot(guess);
    const truth = this.truth(asked, projection, shown, lines);
    put(this.bar, { visibility: truth === null ? "hidden" : "inherit" });
    put(this.there, { visibility: truth === null ? "hidden" : "inherit" });
    if (truth === null) {
      this.label(projection, lines, dot, this.said(guess, shown), "var(--ink)");
      return;
    }
    const { text, isRight } = verdict(this.value(guess), this.value(truth), asked.tolerance_ratio);
    const colour = isRight ? "var(--right)" : "var(--wrong)";
    const { x, y } = spot(truth);
    const { room } = projection;
    const end = { x: clamp(x, room.left, room.right), y: clamp(y, room.top, room.bottom) };
    put(this.dot, { fill: colour });
    put(this.there, { stroke: colour });
    put(this.bar, { stroke: colour, d: `M${dot.x},${dot.y} L${end.x},${end.y}` });
    move(this.there, end.x, end.y);
    this.label(projection, lines, dot, text, colour);
  }

  /** In even steps; null until the line is drawn so far. */
  private truth(asked: Predicted, { room, evenX }: Projection, shown: Shown, lines: Lines): number | null {
    if (asked.x === null) return null;
    const step = even(shown.view.axes.x, asked.x);
    if (asked.axis === "x") return step;
    const stroke = [...shown.modes]
      .reverse()
      .map((mode) => lines.of(mode, asked.line))
      .find((one) => one);
    const height = stroke?.drawnAt(step, 0) ?? Number.NaN;
    const isDrawn = (stroke?.reveal ?? 0) * (room.right - room.left) >= evenX(step) - room.left - 1;
    return Number.isFinite(height) && isDrawn ? height : null;
  }

  /** From a step along the asked axis, or (null) from its middle, to pixels. */
  private spots(
    asked: Predicted,
    { room, evenX, evenY, across }: Projection,
    shown: Shown,
    lines: Lines,
  ): (step: number | null) => { x: number; y: number } {
    const middle = (room.top + room.bottom) / 2;
    if (asked.axis === "y") {
      const x = evenX(even(shown.view.axes.x, asked.x ?? 1));
      return (step) => ({ x, y: step === null ? middle : evenY(step) });
    }
    const [stroke] = shown.modes.map((mode) => (asked.on ? lines.of(mode, asked.on) : undefined)).filter((one) => one);
    return (step) => {
      const there = step ?? (across[0] + across[1]) / 2;
      const y = evenY(stroke?.drawnAt(there, 0) ?? Number.NaN);
      return { x: evenX(there), y: Number.isFinite(y) ? clamp(y, room.top, room.bottom) : middle };
    };
  }

  private said(step: number, { predict, units, view }: Shown): string {
    const { dimension } = view.axes[predict?.axis ?? "y"];
    return `your guess: ${units(this.value(step), dimension)}`;
  }

  /** The upright scale once more where a height is asked for, while few lines tell it. */
  private rule(projection: Projection | null, shown: Shown, lines: Lines, taken: Box | null): void {
    const { x: along, y: axis } = shown.view.axes;
    const x = projection && this.asked?.x != null ? projection.evenX(even(along, this.asked.x)) : Number.NaN;
    const hasDots = isCurves(shown.view) && Object.values(shown.view.pictures).some(({ dots }) => dots.length > 0);
    const isAlone = !hasDots && lines.seen.length <= MOST_RULED;
    const isRuled =
      isAlone &&
      this.asked?.axis === "y" &&
      projection !== null &&
      x - projection.room.left > LEAST_AWAY &&
      projection.room.right - projection.room.left > LEAST_WIDE;
    put(this.ruler, { visibility: isRuled ? "inherit" : "hidden" });
    if (!isRuled) return;
    const { room } = projection;
    const dot = this.guess ?? this.pointed;
    const middle = dot === null ? (room.top + room.bottom) / 2 : projection.evenY(dot);
    const measure = this.ground.measure();
    const values = ticksThatFit(axis.ticks ?? [], projection.y, () => SMALL, RULER.gap);
    const isLeft = x > (room.left + room.right) / 2;
    const marks = matched(this.ruler, values.length, () => {
      const group = part(this.ruler, "g");
      part(group, "path", { stroke: "var(--muted)", fill: "none", d: `M${-RULER.mark},0 L${RULER.mark},0` });
      part(group, "text");
      return group;
    });
    marks.forEach((mark, which) => {
      const value = at(values, which);
      const y = projection.y(value);
      const text = tickText(axis, value, shown.units);
      const wide = measure(text, SMALL);
      const left = isLeft ? x - RULER.near - wide : x + RULER.near;
      const box = { left, right: left + wide, top: y - SMALL / 2, bottom: y + SMALL / 2 };
      const isCrossed = lines.seen.some((stroke) => runsThrough(box, projection, (step) => stroke.drawnAt(step, 0)));
      const isBehind = Math.abs(y - middle) < RULER.clear || (taken !== null && meet(box, taken));
      const isFree = y >= room.top && y < room.bottom - SMALL && !isCrossed && !isBehind;
      const words = at(mark.children, 1);
      say(words, text);
      put(words, {
        x: isLeft ? -RULER.near : RULER.near,
        y: SMALL / 3,
        "text-anchor": isLeft ? "end" : "start",
        visibility: isFree ? "inherit" : "hidden",
      });
      put(mark, { visibility: y >= room.top - 1 && y <= room.bottom + 1 ? "inherit" : "hidden" });
      move(mark, x, y);
    });
  }

  /** Words beside the guess, on a ground of their own, where they cover the fewest lines. */
  private label(projection: Projection, lines: Lines, dot: { x: number; y: number }, text: string, colour: string): Box {
    const { room } = projection;
    say(this.words, text);
    const wide = this.ground.measure()(text, FONT, 600) + 2 * PAD;
    const spots = [0, -22, 22].flatMap((dy) =>
      [NEAR, -NEAR - wide].map((dx) => {
        const [left, middle] = [dot.x + dx, clamp(dot.y + dy, room.top + FONT, room.bottom - FONT)];
        const isOut = left < room.left || left + wide > room.right;
        let hits = (isOut ? 1000 : 0) + Math.abs(dy) / 10;
        for (const stroke of lines.seen)
          for (let pixel = left; pixel < left + wide; pixel += 6)
            if (Math.abs(projection.evenY(stroke.drawnAt(projection.evenX.invert(pixel), 0)) - middle) < FONT) hits += 1;
        return { left, middle, hits };
      }),
    );
    const { left: wanted, middle } = spots.reduce((one, other) => (other.hits < one.hits ? other : one));
    // Of two that are out the nearer inside.
    const left = clamp(wanted, room.left, Math.max(room.left, room.right - wide));
    put(this.words, { fill: colour, visibility: "inherit" });
    move(this.words, left + PAD, middle + FONT / 3);
    const box = { left, right: left + wide, top: middle - FONT * 0.8, bottom: middle + FONT * 0.8 };
    put(this.paper, { x: left, y: box.top, width: wide, height: box.bottom - box.top, visibility: "inherit" });
    return box;
  }

  private hush(): void {
    for (const each of [this.words, this.paper]) put(each, { visibility: "hidden" });
  }

  /** The prompt into the corner with the fewest lines. */
  private place({ room, evenX, evenY }: Projection, lines: Lines, x: number): void {
    const whole = room.right - room.left;
    const width = Math.min(PROMPT.width, Math.max(NARROW_PROMPT.least, NARROW_PROMPT.part * whole));
    const high = width < PROMPT.width ? NARROW_PROMPT.height : PROMPT.height;
    // Where the dot slides along, no corner is better for being away from where it is now.
    const isFixed = this.asked?.axis === "y";
    const corners = [room.left, room.right - width].flatMap((left) =>
      [room.top, room.bottom - high].map((top) => {
        let hits = isFixed && x > left - 10 && x < left + width + 10 ? 30 : 0;
        for (const stroke of lines.seen)
          for (let pixel = left; pixel < left + width; pixel += 8) {
            const y = evenY(stroke.drawnAt(evenX.invert(pixel), 0));
            if (y > top - 8 && y < top + high + 8) hits += 1;
          }
        return { left, top, hits };
      }),
    );
    const best = corners.reduce((one, other) => (other.hits < one.hits ? other : one), at(corners, 0));
    const isLow = best.top > room.top;
    Object.assign(this.prompt.style, {
      left: `${best.left + PROMPT.inset}px`,
      maxWidth: `${width - 2 * PROMPT.inset}px`,
      top: isLow ? "auto" : `${room.top + PROMPT.inset}px`,
      bottom: isLow ? `calc(100% - ${room.bottom - PROMPT.inset}px)` : "auto",
    });
  }

  remove(): void {
    this.prompt.remove();
  }
}

function isCurves(view: Shown["view"]): view is CurvesView {
  return view.kind === "curves";
}

/** Through all heights, or from the dot to the axis along. */
function guideOf({ axis }: Predicted, { x, y }: { x: number; y: number }, { room }: Projection): string {
  return axis === "y" ? `M${x},${room.top} L${x},${room.bottom}` : `M${x},${y} L${x},${room.bottom}`;
}

function meet(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

function runsThrough(box: Box, { evenX, evenY }: Projection, heightAt: (step: number) => number): boolean {
  for (let pixel = box.left; pixel <= box.right; pixel += 6) {
    const y = evenY(heightAt(evenX.invert(pixel)));
    if (y > box.top - 2 && y < box.bottom + 2) return true;
  }
  return false;
}

/** How a guess compares with what is true. */
export function verdict(guess: number, truth: number, tolerance: number): { text: string; isRight: boolean } {
  const ratio = guess / truth;
  if (!(ratio > 0) || !Number.isFinite(ratio)) {
    const isRight = guess === truth;
    return { text: isRight ? "exactly" : guess > truth ? "too high" : "too low", isRight };
  }
  const off = Math.max(ratio, 1 / ratio);
  const isRight = off <= tolerance;
  if (off < 1.005) return { text: "spot on", isRight };
  const amount = off < 1.995 ? `${Math.round(100 * Math.abs(ratio - 1))} %` : `${times(off)}×`;
  const enough = `, near enough at ${times(tolerance)}×`;
  return { text: `${amount} too ${ratio > 1 ? "high" : "low"}${isRight ? enough : ""}`, isRight };
}
