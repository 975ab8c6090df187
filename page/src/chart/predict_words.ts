// The words of a question on the chart: beside where the dot is put what to do and what can be pressed, and beside the dot
// the guess and how it went.

import { around, type Box, touch } from "./boxes";
import type { Projection } from "./frame";
import type { Lines } from "./lines";
import { FONT } from "./measure";
import { at, clamp, mixed } from "./numbers";
import type { Ground, Predicted } from "./stage";
import { move, part, put, say } from "./svg";

const PANEL = { width: 272, inset: 8, step: 12 };
/** On a narrow screen it leaves the other half free. */
const NARROW_PANEL = { part: 0.46, least: 152 };
/** From the place of the dot to the panel, and to the side where the scale stands once more. */
const ASIDE_DOT = 24;
const ASIDE_SCALE = 76;
/** From the guess to the words beside it, and around those. */
const NEAR = 12;
const PAD = 4;
/** How far above or below, and beside, the guess they may stand, in pixels; the nearest first. */
const ASIDE = [0, -22, 22, -44, 44, -66, 66, -88, 88, -110, 110, -132, 132];
const FAR = [NEAR, 48, 96, 160];
/** Parts of the way from the guess to what is true, beside which they may stand. */
const ALONG = [0, 0.25, 0.5, 0.75, 1];
/** The guess itself. */
const DOT = 8;
/** As bad as to stand so many times ten pixels further off: to cover a line at a place. */
const CUTS = 2;
/** The same: to cover any at all. */
const STRUCK = 20;
/** As bad as to cover a line at so many places: to cover other words. */
const COVERS = 50;

/** In pixels. */
interface Point {
  x: number;
  y: number;
}

export class PredictWords {
  private readonly paper: SVGRectElement;
  private readonly words: SVGTextElement;
  private readonly panel: HTMLElement;
  private readonly hint: HTMLElement;
  private readonly check: HTMLButtonElement;
  private readonly show: HTMLButtonElement;
  private isElsewhere = false;
  /** How large the panel is, and of what it says. */
  private size = { of: "", wide: 0, high: 0 };
  /** Where the words beside the guess lie; null where there are none. */
  at: Box | null = null;

  constructor(
    private readonly ground: Ground,
    parent: SVGGElement,
    give: () => void,
  ) {
    this.paper = part(parent, "rect", { fill: "var(--background)", "fill-opacity": 0.85, rx: 3 });
    this.words = part(parent, "text", { "font-size": FONT, "font-weight": 600 });
    const made = <Name extends "div" | "p">(name: Name, into: HTMLElement) => into.appendChild(document.createElement(name));
    this.panel = made("div", ground.root);
    this.panel.className = "chart-prompt";
    this.panel.hidden = true;
    this.hint = made("p", this.panel);
    const hands = made("div", this.panel);
    const button = (text: string, name: string, act: () => void) => {
      const one = hands.appendChild(document.createElement("button"));
      Object.assign(one, { type: "button", className: name, textContent: text });
      // A press on it puts the dot nowhere else.
      for (const kind of ["pointerdown", "pointermove", "pointerup"] as const)
        one.addEventListener(kind, (event) => event.stopPropagation());
      one.addEventListener("click", act);
      return one;
    };
    this.check = button("Check", "chart-check main", give);
    this.show = button("Show it", "chart-show", () => this.ground.handles.giveUp?.());
  }

  ask(predict: Predicted | null): void {
    this.panel.hidden = !predict?.isOpen;
    if (!predict) return;
    const { prompt, hands } = predict;
    if (this.hint.textContent !== prompt) this.hint.textContent = prompt;
    this.hint.hidden = !prompt;
    this.isElsewhere = hands === "none";
    this.check.hidden = this.isElsewhere;
    this.show.hidden = hands !== "both";
  }

  /** Words beside the guess, on a ground of their own, where they cover the fewest lines and nothing that is taken. */
  beside(
    projection: Projection,
    lines: Lines,
    dot: Point,
    text: string,
    colour: string,
    taken: readonly Box[],
    truth = dot,
  ): Box {
    const { room } = projection;
    say(this.words, text);
    const wide = this.ground.measure()(text, FONT, 600) + 2 * PAD;
    const far = Math.max(room.left, room.right - wide);
    const full = [...taken, around(dot.x, dot.y, DOT)];
    const ways = ALONG.slice(0, truth === dot ? 1 : ALONG.length).map((part) => ({
      x: mixed(dot.x, truth.x, part),
      y: mixed(dot.y, truth.y, part),
    }));
    const spots = ways.flatMap((from) =>
      ASIDE.flatMap((dy) =>
        FAR.flatMap((dx) => [dx, -dx - wide]).map((dx) => {
          // In a narrow plot neither side has room for all of them.
          const left = clamp(from.x + dx, room.left, far);
          const middle = clamp(from.y + dy, room.top + FONT, room.bottom - FONT);
          const box = boxOf(left, middle, wide);
          const off = Math.max(0, box.left - from.x, from.x - box.right, NEAR) - NEAR;
          const cuts = crossings(box, projection, lines);
          const hits = (Math.abs(middle - from.y) + off) / 10 + CUTS * COVERS * full.filter((each) => touch(each, box)).length;
          return { left, middle, hits: hits + (cuts && STRUCK + CUTS * cuts) };
        }),
      ),
    );
    const { left, middle } = spots.reduce((one, other) => (other.hits < one.hits ? other : one));
    put(this.words, { fill: colour, visibility: "inherit" });
    move(this.words, left + PAD, middle + FONT / 3);
    const box = boxOf(left, middle, wide);
    this.at = box;
    put(this.paper, { x: left, y: box.top, width: wide, height: box.bottom - box.top, visibility: "inherit" });
    return box;
  }

  hush(): void {
    this.at = null;
    for (const each of [this.words, this.paper]) put(each, { visibility: "hidden" });
  }

  /**
   * The panel beside where the dot stays along (if it does), where it covers least; where it is does not hang on the guess.
   * In a narrow plot its words make way for the button once a dot is put. What it takes; null where it is not there.
   */
  prompted(
    projection: Projection,
    lines: Lines,
    x: number | null,
    has: { guess: boolean; held: boolean },
    taken: readonly Box[],
  ): Box | null {
    const { room } = projection;
    const whole = room.right - room.left;
    const width = Math.min(PANEL.width, Math.max(NARROW_PANEL.least, NARROW_PANEL.part * whole));
    const isNarrow = width < PANEL.width;
    const { panel, check } = this;
    check.disabled = !has.guess || has.held;
    if (this.show.hidden) {
      check.hidden = this.isElsewhere || !has.guess;
      this.hint.hidden = has.guess;
    }
    panel.hidden = has.guess && check.hidden;
    if (panel.hidden) return null;
    panel.style.maxWidth = `${width - 2 * PANEL.inset}px`;
    // What says the same in the same letters is as large: the page is laid out for it once.
    const said = [this.hint, check, this.show].map((one) => (one.hidden ? "" : one.textContent));
    const of = [width, ...said, this.ground.measure()(said.join(), FONT)].join();
    if (this.size.of !== of) this.size = { of, wide: panel.offsetWidth, high: panel.offsetHeight };
    const { wide, high } = this.size;
    const last = room.right - PANEL.inset - wide;
    const first = room.left + PANEL.inset;
    const isFar = x !== null && x > (room.left + room.right) / 2;
    const beside = x === null ? [] : [x + (isFar ? ASIDE_DOT : ASIDE_SCALE), x - (isFar ? ASIDE_SCALE : ASIDE_DOT) - wide];
    const lefts = isNarrow || x === null ? [first, last] : [...beside, first, last];
    if (isNarrow) for (let left = last; left > first; left -= PANEL.step) lefts.push(left);
    const middle = (room.top + room.bottom - high) / 2;
    const spots = lefts
      .filter((left) => left >= first - 1 && left <= last + 1)
      .flatMap((left) => {
        const tops: number[] = [];
        const low = room.bottom - PANEL.inset - high;
        for (let top = room.top + PANEL.inset; top < low; top += PANEL.step) tops.push(top);
        return [...tops, low].map((top) => {
          const box = { left, right: left + wide, top, bottom: top + high };
          const off = x === null ? 0 : Math.max(0, left - x, x - box.right) / 20;
          const isOver = x !== null && x > left - PANEL.inset && x < box.right + PANEL.inset;
          const covers = taken.filter((each) => touch(each, box)).length;
          const hits = off + Math.abs(top - middle) / 60 + (isOver ? COVERS : 0) + COVERS * covers;
          return { box, hits: hits + CUTS * crossings(box, projection, lines) };
        });
      });
    const { box } = spots.reduce((one, other) => (other.hits < one.hits ? other : one), at(spots, 0));
    panel.style.translate = `${Math.round(box.left)}px ${Math.round(box.top)}px`;
    return box;
  }

  remove(): void {
    this.panel.remove();
  }
}

/** At how many places lines cross a box, what is drawn of the asked one among them. */
function crossings({ left, right, top, bottom }: Box, { evenX, evenY }: Projection, lines: Lines): number {
  let found = 0;
  for (const stroke of lines.covering) {
    const [from, to] = stroke.reach;
    for (let pixel = left; pixel < right; pixel += 6) {
      const step = evenX.invert(pixel);
      if (step < from || step > to) continue;
      const y = evenY(stroke.drawnAt(step, 0));
      if (y > top - PAD && y < bottom + PAD) found += 1;
    }
  }
  return found;
}

function boxOf(left: number, middle: number, wide: number): Box {
  return { left, right: left + wide, top: middle - FONT * 0.8, bottom: middle + FONT * 0.8 };
}
