// A question put on the chart: how high does the line run at a place, or where along it does something lie?
// A dot is put there, then the line is drawn in.

import type { CurvesView } from "../documents";
import { Band } from "./band";
import { around, type Box } from "./boxes";
import { even, type Projection, uneven } from "./frame";
import type { Lines } from "./lines";
import { Moved, type Running } from "./moved";
import { clamp } from "./numbers";
import type { Seen } from "./pointer";
import { PredictWords } from "./predict_words";
import { Ruler } from "./ruler";
import { Saying } from "./saying";
import type { Ground, Predicted, Shown } from "./stage";
import { move, part, put } from "./svg";
import { verdict } from "./verdict";

const STEP_PART = 1 / 40;
const FINE_PART = 1 / 200;
/** Around what is true, in pixels. */
const RING = 8;
/** In a narrower plot how far off a guess was stands between it and what is true, and the numbers elsewhere. */
const WIDE = 480;
/** From an end of the plot to a place that is asked for there, in pixels: dot and band are whole. */
const INSET = 14;
export class Predict {
  private readonly group: SVGGElement;
  private readonly ruler: Ruler;
  private readonly words: PredictWords;
  /** Of the guess, or of the answer. */
  private readonly saying: Saying;
  private readonly moved: Moved;
  private readonly band: Band;
  private readonly guide: SVGPathElement;
  private readonly bar: SVGPathElement;
  private readonly shade: SVGCircleElement;
  private readonly there: SVGCircleElement;
  private readonly dot: SVGCircleElement;
  private asked: Predicted | null = null;
  /** In even steps along the asked axis. */
  private guess: number | null = null;
  private pointed: number | null = null;
  /** Where it was before a hand took hold of it; a hand holds it unless that is undefined. */
  private before: number | null | undefined = undefined;
  private value: (step: number) => number = (step) => step;
  private unvalue: (value: number) => number = (value) => value;
  /** Where the dot was last said to wait. */
  private waiting = "";
  /** To what can be counted, where the axis counts what cannot be divided. */
  private snap: (step: number) => number = (step) => step;

  constructor(
    private readonly ground: Ground,
    parent: SVGGElement,
  ) {
    this.group = part(parent, "g", { "pointer-events": "none" });
    this.ruler = new Ruler(this.group);
    this.band = new Band(this.group);
    this.guide = part(this.group, "path", { stroke: "var(--ink)", "stroke-dasharray": "2 4", fill: "none" });
    this.bar = part(this.group, "path", { "stroke-width": 4, "stroke-opacity": 0.55, fill: "none" });
    this.shade = part(this.group, "circle", { r: 7, fill: "none", stroke: "var(--ink)", "stroke-opacity": 0.5 });
    this.there = part(this.group, "circle", { r: 5, fill: "var(--background)", stroke: "var(--ink)", "stroke-width": 2 });
    this.dot = part(this.group, "circle", { r: 7, stroke: "var(--background)", "stroke-width": 2 });
    this.saying = new Saying(this.group);
    this.moved = new Moved(this.group);
    this.words = new PredictWords(ground, () => this.give());
  }

  get isOpen(): boolean {
    return this.asked?.isOpen === true;
  }

  /** What was asked, while its answer is told; null where none is. */
  get answer(): Predicted | null {
    return this.asked?.isOpen ? null : this.asked;
  }

  /** Where guides cross the plot upright, in pixels along, and from which height. */
  guideAt(projection: Projection, shown: Shown, lines: Lines): { x: number; top: number }[] {
    const { asked } = this;
    if (!asked) return [];
    const spot = this.spots(asked, projection, shown, lines);
    // A guess and what is true are above each other there.
    if (asked.axis === "y") return asked.x === null ? [] : [{ x: spot(null).x, top: projection.room.top }];
    if (asked.isOpen) return [];
    const truth = this.truth(asked, projection, shown, lines);
    return [this.guess, truth].flatMap((step) => (step === null ? [] : [{ x: spot(step).x, top: spot(step).y }]));
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
    this.words.ask(predict);
    if (!predict) {
      this.ground.root.style.touchAction = "";
      return;
    }
    const axis = view.axes[predict.axis];
    this.value = (step) => uneven(axis, step);
    this.unvalue = (value) => even(axis, value);
    const isWhole = predict.axis === "x" && view.kind === "curves" && Object.values(view.pictures).some((one) => one.is_whole);
    this.snap = isWhole ? (step) => even(axis, Math.round(uneven(axis, step))) : (step) => step;
    // A finger moves the dot, not the page.
    this.ground.root.style.touchAction = predict.isOpen && predict.axis === "y" ? "none" : "";
    const isNew = predict.id !== before?.id || predict.isOpen !== before.isOpen;
    if (isNew) this.pointed = null;
    if (!predict.isOpen) this.guess = predict.given === null ? null : even(axis, predict.given);
    else if (isNew) this.guess = null;
  }

  /** A hand takes hold of the dot, where it is or wherever it is put now. */
  hold(): void {
    this.before = this.guess;
  }

  /** The hand lets go: the dot stays, and waits to be given. */
  release(): void {
    this.before = undefined;
    this.ground.wake();
  }

  /** It answers the question. */
  give(): void {
    const guess = this.guessed;
    if (guess) this.ground.handles.guess?.(...guess);
  }

  /** Whether it lies there, so near in pixels. */
  isAt({ projection, shown, lines }: Seen, [x, y]: readonly [number, number], near: number): boolean {
    if (!this.asked || this.guess === null) return false;
    const dot = this.spots(this.asked, projection, shown, lines)(this.guess);
    return Math.hypot(dot.x - x, dot.y - y) <= near;
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
    this.guess = this.before ?? null;
    this.before = undefined;
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
    const [more, less] = isAlong ? ["ArrowRight", "ArrowLeft"] : ["ArrowUp", "ArrowDown"];
    // The first arrow puts the dot at the low end, which answers nothing: nothing is had for a nudge.
    const now = this.guess ?? low;
    const by = this.guess === null ? 0 : step;
    const next = { [more]: now + by, [less]: now - by, Home: low, End: high }[key];
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

  /** Words lie beside what is taken already, where they can; under a hand (`isHeld`) where they are. */
  draw(projection: Projection, shown: Shown, lines: Lines, taken: readonly Box[], isHeld: boolean): void {
    const { asked } = this;
    const truth = asked && !asked.isOpen ? this.truth(asked, projection, shown, lines) : null;
    const isSeen = asked !== null && (asked.isOpen || this.guess !== null || truth !== null);
    put(this.group, { visibility: isSeen ? "inherit" : "hidden" });
    if (!isSeen) this.saying.hush();
    if (truth === null) this.moved.draw([], projection, lines, [], isHeld);
    this.wait(asked?.isOpen ? this.guessed : null);
    if (!isSeen) return;
    const spot = this.spots(asked, projection, shown, lines);
    put(this.shade, { visibility: asked.isOpen && this.pointed !== null ? "inherit" : "hidden" });
    const pointed = spot(this.pointed);
    move(this.shade, pointed.x, pointed.y);
    const dot = spot(this.guess ?? (asked.isOpen ? this.pointed : truth));
    const step = this.guess ?? this.pointed;
    const isWaiting = asked.isOpen && step === null;
    this.guide.setAttribute("d", isWaiting && asked.axis === "x" ? "" : guideOf(asked, dot, projection));
    put(this.dot, { visibility: this.guess === null ? "hidden" : "inherit" });
    move(this.dot, dot.x, dot.y);
    if (!asked.isOpen) {
      this.band.hide();
      this.ruler.hide();
      const running = truth === null ? [] : this.running(asked, truth, projection, shown, lines);
      // Where both are beyond one edge, what runs there now says so alone.
      const beyond = truth === null ? 0 : sideOf(spot(truth).y, projection);
      const isAlone = this.guess === null && beyond !== 0 && running.some(({ y }) => sideOf(y, projection) === beyond);
      this.judge(asked, isAlone ? null : truth, spot, projection, shown, lines, taken, isHeld);
      if (isAlone) this.saying.hush();
      if (truth === null) return;
      const full = [...taken, around(dot.x, dot.y, RING), ...(this.saying.at ? [this.saying.at] : [])];
      this.moved.draw(running, projection, lines, full, isHeld);
      return;
    }
    for (const each of [this.bar, this.there]) put(each, { visibility: "hidden" });
    put(this.dot, { fill: "var(--ink)" });
    // Where the dot slides along, no place is better for being away from where it is now.
    const panel = this.words.prompted(
      projection,
      lines,
      asked.axis === "y" ? dot.x : null,
      // Under a hand that still moves it there is nothing to press.
      { guess: this.guess !== null, held: this.before !== undefined },
      taken,
    );
    const full = [this.banded(asked, step, dot, projection), panel].filter((box) => box !== null);
    const box =
      step === null
        ? null
        : this.saying.beside(projection, lines, dot, this.said(step, shown), "var(--ink)", [...taken, ...full], false);
    if (!box) this.saying.hush();
    if (asked.axis === "y" && asked.x !== null && isCurves(shown)) {
      const height = step === null ? null : projection.evenY(step);
      this.ruler.draw({ x: even(shown.view.axes.x, asked.x), dot: height, words: box }, projection, shown, lines);
    } else this.ruler.hide();
  }

  /** What counts around a guess, or all places for one; what that covers. */
  private banded(asked: Predicted, step: number | null, dot: { x: number; y: number }, projection: Projection): Box | null {
    if (step === null) return this.band.track(asked.axis, dot.x, projection.room);
    // Of an exercise a hand's reach is no accuracy that is asked for: it is said in words.
    if (asked.hands !== "check") return this.band.draw(asked.axis, dot, ...this.around(asked, step, projection));
    this.band.hide();
    return null;
  }

  /** Where it waits to be given, also under a hand, which sees what follows from it; said once. */
  private wait(guess: [number, number] | null): void {
    const waiting = guess?.join() ?? "";
    if (waiting === this.waiting) return;
    this.waiting = waiting;
    this.ground.handles.waits?.(guess);
  }

  /** As far to both sides as a guess may be off. */
  private around({ axis, tolerance_ratio }: Predicted, step: number, { room, evenX, evenY }: Projection): [number, number] {
    const value = this.value(step);
    const pixel = (end: number) =>
      axis === "y"
        ? clamp(evenY(this.unvalue(end)), room.top, room.bottom)
        : clamp(evenX(this.unvalue(end)), room.left, room.right);
    return [pixel(value / tolerance_ratio), pixel(value * tolerance_ratio)];
  }

  /** What is true, and the guess (if there was one) with how far it is off. */
  private judge(
    asked: Predicted,
    truth: number | null,
    spot: (step: number) => { x: number; y: number },
    projection: Projection,
    shown: Shown,
    lines: Lines,
    taken: readonly Box[],
    isHeld: boolean,
  ): void {
    const { guess } = this;
    const { room } = projection;
    put(this.bar, { visibility: truth === null || guess === null ? "hidden" : "inherit" });
    put(this.there, { visibility: truth === null ? "hidden" : "inherit" });
    const from = guess ?? truth;
    if (from === null) return;
    let end: { x: number; y: number } | null = null;
    const beside = (text: string, colour: string, more: readonly Box[] = []) =>
      this.saying.beside(projection, lines, spot(from), text, colour, [...taken, ...more], isHeld, end ?? undefined);
    if (truth === null) {
      if (guess !== null) beside(this.said(guess, shown), "var(--ink)");
      return;
    }
    const { x, y } = spot(truth);
    end = { x: clamp(x, room.left, room.right), y: clamp(y, room.top, room.bottom) };
    move(this.there, end.x, end.y);
    // Of other numbers the frame may lie elsewhere.
    const along = projection.evenX(even(shown.view.axes.x, asked.x ?? Number.NaN));
    const beyond = end.y > y ? " ↑" : end.y < y ? " ↓" : end.x > along + 1 ? " ←" : end.x < along - 1 ? " →" : "";
    const right = this.written(truth, shown) + beyond;
    const covered = [around(end.x, end.y, RING)];
    if (guess === null) {
      put(this.there, { stroke: "var(--ink)" });
      beside(`answer: ${right}`, "var(--ink)", covered);
      return;
    }
    const written = (value: number) => shown.units(value, shown.view.axes[asked.axis].dimension);
    const { off, brief, isRight } = verdict(this.value(guess), this.value(truth), asked.tolerance_ratio, asked.axis, written);
    const colour = isRight ? "var(--right)" : "var(--wrong)";
    const dot = spot(guess);
    put(this.dot, { fill: colour });
    put(this.there, { stroke: colour });
    put(this.bar, { stroke: colour, d: `M${dot.x},${dot.y} L${end.x},${end.y}` });
    const yours = this.written(guess, shown);
    // How much is enough is said beside the question.
    if (room.right - room.left < WIDE) {
      const middle = { x: dot.x, y: (dot.y + end.y) / 2 };
      const words = isRight ? `✓ ${brief}` : brief;
      this.saying.beside(projection, lines, middle, words, colour, [...taken, ...covered], isHeld);
      return;
    }
    beside(isRight ? `✓ ${off}${beyond}` : `you ${yours}, right ${right}: ${off}`, colour, covered);
  }

  /** In even steps, of the question's own numbers; null until the line is drawn so far. */
  private truth(asked: Predicted, projection: Projection, shown: Shown, lines: Lines): number | null {
    if (asked.x === null) return null;
    const { axes } = shown.view;
    if (asked.axis === "x") return even(axes.x, asked.x);
    const drawn = this.heights(asked, projection, shown, lines);
    // Of other numbers the line may not come so far.
    if (asked.truth !== null) return drawn.length ? even(axes.y, asked.truth) : null;
    const height = drawn.at(-1)?.height ?? Number.NaN;
    return Number.isFinite(height) ? height : null;
  }

  /** Of each mode the asked line that is drawn so far, and how high it is there, in even steps. */
  private heights({ x, line }: Predicted, projection: Projection, shown: Shown, lines: Lines) {
    const step = even(shown.view.axes.x, x ?? Number.NaN);
    // Beyond the frame it is told at the edge.
    const pixel = clamp(projection.evenX(step), projection.room.left, projection.room.right);
    return shown.modes.flatMap((mode) => {
      const stroke = lines.of(mode, line);
      const [from, to] = stroke?.shown(projection) ?? [Number.NaN, Number.NaN];
      return stroke && pixel >= from - 1 && pixel <= to + 1 ? [{ mode, stroke, height: stroke.drawnAt(step, 0) }] : [];
    });
  }

  /** Where the asked line runs elsewhere than its answer says. */
  private running(asked: Predicted, truth: number, projection: Projection, shown: Shown, lines: Lines): Running[] {
    if (asked.axis === "x" || asked.truth === null) return [];
    const { across } = projection;
    const step = even(shown.view.axes.x, asked.x ?? Number.NaN);
    if (step < across[0] || step > across[1]) return [];
    const answer = this.written(truth, shown);
    return this.heights(asked, projection, shown, lines).flatMap(({ mode, stroke, height }) => {
      if (!Number.isFinite(height)) return [];
      const text = this.written(height, shown);
      if (text === answer) return [];
      const { colour } = stroke.line;
      return [{ mode, colour, x: projection.evenX(step), y: projection.evenY(height), text: `${asked.names[mode]}: ${text}` }];
    });
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
      const there = evenX(even(shown.view.axes.x, asked.x ?? 1));
      const inset = asked.isOpen ? INSET : 0;
      const x = clamp(there, room.left + inset, room.right - inset);
      return (step) => ({ x, y: step === null ? middle : evenY(step) });
    }
    const [stroke] = shown.modes.map((mode) => (asked.on ? lines.of(mode, asked.on) : undefined)).filter((one) => one);
    return (step) => {
      const there = step ?? (across[0] + across[1]) / 2;
      const y = evenY(stroke?.drawnAt(there, 0) ?? Number.NaN);
      return { x: evenX(there), y: Number.isFinite(y) ? clamp(y, room.top, room.bottom) : middle };
    };
  }

  private said(step: number, shown: Shown): string {
    return `your guess: ${this.written(step, shown)}`;
  }

  /** A number of the asked axis. */
  private written(step: number, { predict, units, view }: Shown): string {
    return units(this.value(step), view.axes[predict?.axis ?? "y"].dimension);
  }

  /** Where words of the guess lie, and of what came of it. */
  get spoken(): Box[] {
    return [...(this.saying.at ? [this.saying.at] : []), ...this.moved.covered];
  }

  remove(): void {
    this.words.remove();
  }
}

function isCurves(shown: Shown): shown is Shown & { view: CurvesView } {
  return shown.view.kind === "curves";
}

/** Above the plot (-1), in it, or below it (1). */
function sideOf(y: number, { room: { top, bottom } }: Projection): number {
  return Number(y > bottom) - Number(y < top);
}

/** Through all heights, or from the dot to the axis along. */
function guideOf({ axis }: Predicted, { x, y }: { x: number; y: number }, { room }: Projection): string {
  return axis === "y" ? `M${x},${room.top} L${x},${room.bottom}` : `M${x},${y} L${x},${room.bottom}`;
}
