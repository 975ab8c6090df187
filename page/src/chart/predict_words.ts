// The words of a question on the chart: beside where the dot is put what to do and what can be pressed.

import { type Box, touch } from "./boxes";
import type { Projection } from "./frame";
import type { Lines } from "./lines";
import { FONT, measure } from "./measure";
import { at } from "./numbers";
import { LEAST_WIDE } from "./ruler";
import { COVERS, CUTS, crossings } from "./saying";
import type { Ground, Predicted } from "./stage";

/** Keys that move the dot, by the axis that is asked. */
const KEYS = { x: "← →", y: "↑ ↓" };
const PANEL = { width: 272, inset: 8, step: 12 };
/** On a narrow screen it leaves the other half free. */
const NARROW_PANEL = { part: 0.46, least: 152 };
/** From the place of the dot to the panel, and to the side where the scale stands once more. */
const ASIDE_DOT = 24;
const ASIDE_SCALE = 76;
export class PredictWords {
  private readonly panel: HTMLElement;
  private readonly hint: HTMLElement;
  private readonly check: HTMLButtonElement;
  private readonly show: HTMLButtonElement;
  private prompt = "";
  private keys = "";
  private isElsewhere = false;
  /** How large the panel is, and of what it says. */
  private size = { of: "", wide: 0, high: 0 };

  constructor(
    private readonly ground: Ground,
    give: () => void,
  ) {
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
    const { prompt, hands, axis } = predict;
    this.prompt = prompt;
    this.keys = `${KEYS[axis]} move a dot, Enter gives it`;
    this.hint.hidden = !prompt;
    this.isElsewhere = hands === "none";
    this.check.hidden = this.isElsewhere;
    this.show.hidden = hands !== "both";
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
    const words = this.ground.root.matches(":focus-visible") ? this.keys : this.prompt;
    if (this.hint.textContent !== words) this.hint.textContent = words;
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
    const of = [width, ...said, measure(said.join(), FONT)].join();
    if (this.size.of !== of) this.size = { of, wide: panel.offsetWidth, high: panel.offsetHeight };
    const { wide, high } = this.size;
    const last = room.right - PANEL.inset - wide;
    const first = room.left + PANEL.inset;
    const isFar = x !== null && x > (room.left + room.right) / 2;
    const [before, after] = isFar ? [ASIDE_SCALE, ASIDE_DOT] : [ASIDE_DOT, ASIDE_SCALE];
    const beside = x === null ? [] : [x + after, x - before - wide];
    const aside: readonly [number, number] = whole > LEAST_WIDE ? [before - 1, after - 1] : [PANEL.inset, PANEL.inset];
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
          // The dot's place, and the scale beside it.
          const isOver = x !== null && x + aside[1] > left && x - aside[0] < box.right;
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
