// A question put on the chart: where does the line run at a place? A dot is put there, then the line is drawn in.

import { even, type Projection, uneven } from "./frame";
import type { Lines } from "./lines";
import { FONT } from "./measure";
import { at, clamp } from "./numbers";
import type { Seen } from "./pointer";
import { times } from "./ratio";
import type { Ground, Predicted, Shown } from "./stage";
import { move, part, put, say } from "./svg";

const STEP_PART = 1 / 40;
const FINE_PART = 1 / 200;
const PROMPT = { width: 250, height: 56, inset: 8 };
/** From the guess to the words beside it, and around those. */
const NEAR = 12;
const ARROWS = "M-5,-13 L0,-18 L5,-13 M-5,13 L0,18 L5,13";
const PAD = 4;

export class Predict {
  private readonly group: SVGGElement;
  private readonly guide: SVGPathElement;
  private readonly bar: SVGPathElement;
  private readonly shade: SVGCircleElement;
  private readonly dot: SVGCircleElement;
  /** Up and down beside the place where the dot may be put, until a hand comes. */
  private readonly arrows: SVGPathElement;
  private readonly paper: SVGRectElement;
  private readonly words: SVGTextElement;
  private readonly prompt: HTMLElement;
  private question: Predicted | null = null;
  /** That was answered and is now shown beside the line. */
  private answered: Predicted | null = null;
  /** In even steps up. */
  private guess: number | null = null;
  private pointed: number | null = null;

  constructor(
    private readonly ground: Ground,
    parent: SVGGElement,
  ) {
    this.group = part(parent, "g", { "pointer-events": "none" });
    this.guide = part(this.group, "path", { stroke: "var(--ink)", "stroke-dasharray": "2 4", fill: "none" });
    this.bar = part(this.group, "path", { "stroke-width": 4, "stroke-opacity": 0.55, fill: "none" });
    this.shade = part(this.group, "circle", { r: 7, fill: "none", stroke: "var(--ink)", "stroke-opacity": 0.5 });
    this.arrows = part(this.group, "path", {
      stroke: "var(--ink)",
      "stroke-opacity": 0.5,
      "stroke-width": 1.5,
      fill: "none",
      d: ARROWS,
    });
    this.dot = part(this.group, "circle", { r: 7, stroke: "var(--background)", "stroke-width": 2 });
    this.paper = part(this.group, "rect", { fill: "var(--background)", "fill-opacity": 0.85, rx: 3 });
    this.words = part(this.group, "text", { "font-size": FONT, "font-weight": 600 });
    this.prompt = document.createElement("div");
    this.prompt.className = "chart-prompt";
    this.prompt.hidden = true;
    ground.root.append(this.prompt);
  }

  get isOpen(): boolean {
    return this.question !== null;
  }

  get guessed(): [number, number] | null {
    const asked = this.question;
    return asked && this.guess !== null ? [asked.x, this.value(this.guess)] : null;
  }

  private value: (step: number) => number = (step) => step;

  /** Take up a question, or, where one was answered and is no longer asked, show how it went. */
  ask(shown: Shown): void {
    const { predict, view } = shown;
    this.value = (step) => uneven(view.axes.y, step);
    if (predict) {
      const isNew = predict.line !== this.question?.line || predict.x !== this.question.x;
      if (isNew) this.guess = this.pointed = this.answered = null;
      this.question = predict;
      this.prompt.textContent = predict.prompt;
      this.prompt.hidden = false;
      return;
    }
    if (this.question) {
      this.answered = this.guess === null ? null : this.question;
      this.question = null;
    }
    this.prompt.hidden = true;
  }

  /** Away with what was answered. */
  forget(): void {
    this.answered = null;
    if (!this.question) this.guess = null;
  }

  point({ projection }: Seen, y: number, isPressed: boolean): void {
    const { evenY, room } = projection;
    const step = evenY.invert(clamp(y, room.top, room.bottom));
    this.pointed = step;
    if (isPressed) this.guess = step;
  }

  leave(): void {
    this.pointed = null;
    this.ground.wake();
  }

  /** Whether a key moved the guess. */
  type({ projection }: Seen, key: string, isFine: boolean): boolean {
    const [low, high] = projection.up;
    const step = (high - low) * (isFine ? FINE_PART : STEP_PART);
    const now = this.guess ?? (low + high) / 2;
    const next = { ArrowUp: now + step, ArrowDown: now - step, Home: low, End: high }[key];
    if (next === undefined) return false;
    this.guess = clamp(next, low, high);
    this.pointed = null;
    return true;
  }

  draw(projection: Projection, shown: Shown, lines: Lines): void {
    const asked = this.question ?? this.answered;
    put(this.group, { visibility: asked ? "inherit" : "hidden" });
    if (!asked) return;
    const { room, evenX, evenY } = projection;
    const step = even(shown.view.axes.x, asked.x);
    const x = evenX(step);
    this.guide.setAttribute("d", `M${x},${room.top} L${x},${room.bottom}`);
    const isWaiting = this.question !== null && this.guess === null && this.pointed === null;
    put(this.shade, { visibility: this.question && (isWaiting || this.pointed !== null) ? "inherit" : "hidden" });
    put(this.arrows, { visibility: isWaiting ? "inherit" : "hidden" });
    const middle = (room.top + room.bottom) / 2;
    move(this.shade, x, this.pointed === null ? middle : evenY(this.pointed));
    move(this.arrows, x, middle);
    put(this.dot, { visibility: this.guess === null ? "hidden" : "inherit" });
    if (this.guess === null) {
      this.hush();
      put(this.bar, { visibility: "hidden" });
      if (this.question) this.place(projection, lines, x);
      return;
    }
    const y = evenY(this.guess);
    move(this.dot, x, y);
    if (this.question) {
      put(this.dot, { fill: "var(--ink)" });
      put(this.bar, { visibility: "hidden" });
      this.label(projection, lines, x, y, "your guess", "var(--ink)");
      this.place(projection, lines, x);
      return;
    }
    const stroke = [...shown.modes]
      .reverse()
      .map((mode) => lines.of(mode, asked.line))
      .find((one) => one);
    const truth = stroke?.drawnAt(step, 0) ?? Number.NaN;
    const isThere = Number.isFinite(truth) && (stroke?.reveal ?? 0) * (room.right - room.left) >= x - room.left - 1;
    if (!isThere) {
      put(this.bar, { visibility: "hidden" });
      this.label(projection, lines, x, y, "your guess", "var(--ink)");
      return;
    }
    const { text, isRight } = verdict(this.value(this.guess), this.value(truth), asked.tolerance_ratio);
    const colour = isRight ? "var(--right)" : "var(--wrong)";
    put(this.dot, { fill: colour });
    put(this.bar, {
      visibility: "inherit",
      stroke: colour,
      d: `M${x},${y} L${x},${clamp(evenY(truth), room.top, room.bottom)}`,
    });
    this.label(projection, lines, x, y, text, colour);
  }

  /** Words beside the guess, on a ground of their own, where they cover the fewest lines. */
  private label({ room, evenX, evenY }: Projection, lines: Lines, x: number, y: number, text: string, colour: string): void {
    say(this.words, text);
    const wide = this.ground.measure()(text, FONT, 600) + 2 * PAD;
    const spots = [0, -22, 22].flatMap((dy) =>
      [NEAR, -NEAR - wide].map((dx) => {
        const [left, middle] = [x + dx, clamp(y + dy, room.top + FONT, room.bottom - FONT)];
        const isOut = left < room.left || left + wide > room.right;
        let hits = (isOut ? 1000 : 0) + Math.abs(dy) / 10;
        for (const stroke of lines.seen)
          for (let pixel = left; pixel < left + wide; pixel += 6)
            if (Math.abs(evenY(stroke.drawnAt(evenX.invert(pixel), 0)) - middle) < FONT) hits += 1;
        return { left, middle, hits };
      }),
    );
    const { left, middle } = spots.reduce((one, other) => (other.hits < one.hits ? other : one));
    put(this.words, { fill: colour, visibility: "inherit" });
    move(this.words, left + PAD, middle + FONT / 3);
    put(this.paper, {
      x: left,
      y: middle - FONT * 0.8,
      width: wide,
      height: FONT * 1.6,
      visibility: "inherit",
    });
  }

  private hush(): void {
    for (const each of [this.words, this.paper]) put(each, { visibility: "hidden" });
  }

  /** The prompt into the corner with the fewest lines. */
  private place({ room, evenX, evenY }: Projection, lines: Lines, x: number): void {
    const width = Math.min(PROMPT.width, room.right - room.left - 2 * PROMPT.inset);
    const corners = [room.left, room.right - width].flatMap((left) =>
      [room.top, room.bottom - PROMPT.height].map((top) => {
        let hits = x > left - 10 && x < left + width + 10 ? 30 : 0;
        for (const stroke of lines.seen)
          for (let pixel = left; pixel < left + width; pixel += 8) {
            const y = evenY(stroke.drawnAt(evenX.invert(pixel), 0));
            if (y > top - 8 && y < top + PROMPT.height + 8) hits += 1;
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
