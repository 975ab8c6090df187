// The words of a question on the chart: what to do, in a corner; the guess and how it went, beside the dot.

import { around, type Box, touch } from "./boxes";
import type { Projection } from "./frame";
import type { Lines } from "./lines";
import { FONT } from "./measure";
import { at, clamp } from "./numbers";
import type { Ground, Predicted } from "./stage";
import { move, part, put, say } from "./svg";

const PROMPT = { width: 250, height: 56, inset: 8 };
/** On a narrow screen it leaves the other half free, over two lines, and may stand between the corners. */
const NARROW_PROMPT = { part: 0.46, least: 152, height: 62, step: 8 };
/** Between the places at which lines are looked at. */
const PITCH = 8;
/** From the guess to the words beside it, and around those. */
const NEAR = 12;
const PAD = 4;
/** How far above or below the guess they may stand, in pixels; the nearest first. */
const ASIDE = [0, -22, 22, -44, 44, -66, 66, -88, 88, -110, 110, -132, 132];
/** The guess itself. */
const DOT = 8;
/** As bad as to stand so many times ten pixels further off: to cover a line at a place. */
const CUTS = 2;
/** As bad as to cover a line at so many places: to cover other words. */
const COVERS = 50;

export class PredictWords {
  private readonly paper: SVGRectElement;
  private readonly words: SVGTextElement;
  private readonly prompt: HTMLElement;
  /** Where the words beside the guess lie; null where there are none. */
  at: Box | null = null;

  constructor(
    private readonly ground: Ground,
    parent: SVGGElement,
  ) {
    this.paper = part(parent, "rect", { fill: "var(--background)", "fill-opacity": 0.85, rx: 3 });
    this.words = part(parent, "text", { "font-size": FONT, "font-weight": 600 });
    this.prompt = document.createElement("div");
    this.prompt.className = "chart-prompt";
    this.prompt.hidden = true;
    ground.root.append(this.prompt);
  }

  ask(predict: Predicted | null): void {
    this.prompt.hidden = !predict?.isOpen;
    if (predict && this.prompt.textContent !== predict.prompt) this.prompt.textContent = predict.prompt;
  }

  /** Words beside the guess, on a ground of their own, where they cover the fewest lines and nothing that is taken. */
  beside(
    projection: Projection,
    lines: Lines,
    dot: { x: number; y: number },
    text: string,
    colour: string,
    taken: readonly Box[],
  ): Box {
    const { room } = projection;
    say(this.words, text);
    const wide = this.ground.measure()(text, FONT, 600) + 2 * PAD;
    const far = Math.max(room.left, room.right - wide);
    const full = [...taken, around(dot.x, dot.y, DOT)];
    const spots = ASIDE.flatMap((dy) =>
      [NEAR, -NEAR - wide].map((dx) => {
        // In a narrow plot neither side has room for all of them.
        const left = clamp(dot.x + dx, room.left, far);
        const middle = clamp(dot.y + dy, room.top + FONT, room.bottom - FONT);
        const box = boxOf(left, middle, wide);
        let hits = Math.abs(dy) / 10 + CUTS * COVERS * full.filter((each) => touch(each, box)).length;
        for (const stroke of lines.seen)
          for (let pixel = left; pixel < left + wide; pixel += 6)
            if (Math.abs(projection.evenY(stroke.drawnAt(projection.evenX.invert(pixel), 0)) - middle) < FONT) hits += CUTS;
        return { left, middle, hits };
      }),
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
   * Until a dot is put: the prompt into the corner with the fewest lines, away from where (if anywhere) it stays along.
   * In a narrow plot a corner may have no room: then wherever least is covered, words counted, too.
   */
  prompted(
    { room, evenX, evenY }: Projection,
    lines: Lines,
    x: number | null,
    isWaiting: boolean,
    taken: readonly Box[],
  ): void {
    this.prompt.hidden = !isWaiting;
    const whole = room.right - room.left;
    const width = Math.min(PROMPT.width, Math.max(NARROW_PROMPT.least, NARROW_PROMPT.part * whole));
    const isNarrow = width < PROMPT.width;
    const high = isNarrow ? NARROW_PROMPT.height : PROMPT.height;
    const [last, foot] = [room.right - width, room.bottom - high];
    const lefts = [room.left, last];
    const tops = [room.top, foot];
    if (isNarrow) {
      for (let left = last; left > room.left; left -= NARROW_PROMPT.step) lefts.push(left);
      for (let top = foot; top > room.top; top -= NARROW_PROMPT.step) tops.push(top);
    }
    const points: [number, number][] = [];
    for (const stroke of lines.seen)
      for (let pixel = room.left; pixel < room.right; pixel += PITCH)
        points.push([pixel, evenY(stroke.drawnAt(evenX.invert(pixel), 0))]);
    const spots = tops.flatMap((top) =>
      lefts.map((left) => {
        const box = { left, right: left + width, top, bottom: top + high };
        const isOver = ([px, py]: [number, number]) => px >= left && px < box.right && py > top && py < box.bottom;
        let hits = points.filter(isOver).length;
        if (x !== null && x > left - 10 && x < box.right + 10) hits += 30;
        const inner = { ...box, top: top + PROMPT.inset, bottom: box.bottom - PROMPT.inset };
        if (isNarrow) hits += COVERS * taken.filter((each) => touch(each, inner)).length;
        return { left, top, hits };
      }),
    );
    const best = spots.reduce((one, other) => (other.hits < one.hits ? other : one), at(spots, 0));
    const isLow = best.top === foot;
    Object.assign(this.prompt.style, {
      left: `${best.left + PROMPT.inset}px`,
      maxWidth: `${width - 2 * PROMPT.inset}px`,
      top: isLow ? "auto" : `${best.top + PROMPT.inset}px`,
      bottom: isLow ? `calc(100% - ${room.bottom - PROMPT.inset}px)` : "auto",
    });
  }

  remove(): void {
    this.prompt.remove();
  }
}

function boxOf(left: number, middle: number, wide: number): Box {
  return { left, right: left + wide, top: middle - FONT * 0.8, bottom: middle + FONT * 0.8 };
}
