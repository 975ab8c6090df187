// Marks on lines: their dots; `Labels` has their words.

import type { Axes } from "../documents";
import { even, type Projection } from "./frame";
import type { Around } from "./inplot";
import { joined, Labels } from "./labels";
import type { Lines } from "./lines";
import { ARRIVED, MarkDrawn, type MarkOf } from "./mark";
import { isStill } from "./motion";
import { clamp } from "./numbers";
import { move, part } from "./svg";

export class Marks {
  private readonly marks = new Map<string, MarkDrawn>();
  readonly labels: Labels;
  private readonly words: SVGGElement;
  private readonly dots: SVGGElement;

  constructor(
    labels: SVGGElement,
    dots: SVGGElement,
    /** Whether a hand can drag marks at all. */
    private readonly isDragged: boolean,
    around: Around,
  ) {
    this.words = part(labels, "g", { "aria-hidden": "true" });
    this.dots = part(dots, "g", { "aria-hidden": "true" });
    this.labels = new Labels(this.marks, around, part(labels, "g", { "aria-hidden": "true" }));
  }

  ask(all: readonly MarkOf[], axes: Axes, isPair: boolean, left: number, isStill: boolean): void {
    const wanted = new Set<string>();
    const isFirst = !this.marks.size;
    for (const of of all) {
      let key = `${of.mode}\n${of.mark.name}`;
      while (wanted.has(key)) key += "'";
      wanted.add(key);
      let mark = this.marks.get(key);
      const asked: [number, number] = [even(axes.x, of.mark.x), even(axes.y, of.mark.y)];
      if (mark) {
        const before = mark;
        const away = (which: 0 | 1) => before.asked[which] + left * before.away[which] - asked[which];
        mark.away = [away(0), away(1)];
        if (!mark.away.every(Number.isFinite)) mark.away = [0, 0];
      } else {
        mark = new MarkDrawn(this.dots, this.words, key, of, axes);
        if (isFirst || isStill) [mark.opacity, mark.arrived] = [1, ARRIVED];
        this.marks.set(key, mark);
      }
      mark.of = of;
      mark.asked = asked;
      mark.isGone = false;
      mark.style(isPair, this.isDragged);
    }
    for (const [key, mark] of this.marks) {
      mark.wider *= left;
      if (wanted.has(key)) continue;
      mark.isGone = true;
      mark.away = [left * mark.away[0], left * mark.away[1]];
    }
  }

  /** A hand moves one of them, or (null) lets go. */
  grip(held: MarkOf | null): void {
    for (const mark of this.marks.values()) {
      const isHeld = held !== null && mark.of.mode === held.mode && mark.of.mark.name === held.mark.name;
      if (held && !isHeld) mark.was = "";
      if (isHeld && !mark.isHeld) mark.was = joined(held.mark.text);
      mark.isHeld = isHeld;
      mark.isHushed = held !== null && !mark.isHeld;
      mark.label.classList.toggle("held", mark.isHeld);
    }
  }

  /** What was before is no more compared with. */
  forget(): void {
    for (const mark of this.marks.values()) mark.was = "";
  }

  step(seconds: number): boolean {
    let moves = this.labels.step(seconds);
    // Where motion is not wanted nothing fades.
    const faded = isStill() ? Infinity : seconds;
    for (const [key, mark] of this.marks) {
      moves = mark.fade(faded) || moves;
      if (!mark.isGone || mark.opacity || mark.arrived) continue;
      mark.remove();
      this.marks.delete(key);
    }
    return moves;
  }

  draw(projection: Projection, lines: Lines, left: number, width: number, above: number): void {
    const { room, evenX, evenY } = projection;
    for (const mark of this.marks.values()) {
      const [x, y] = this.place(mark, lines, left);
      const [px, py] = [evenX(x), evenY(y)];
      mark.pixel = [clamp(px, room.left, room.right), clamp(py, room.top, room.bottom)];
      const isBeyond = Math.abs(px - mark.pixel[0]) > 1 || Math.abs(py - mark.pixel[1]) > 1;
      move(mark.group, ...mark.pixel);
      mark.group.setAttribute("opacity", String(mark.opacity * (isBeyond ? 0.4 : 1)));
      mark.drawStem(projection);
    }
    this.labels.draw(projection, left, width, above);
  }

  /** Whether a hand can drag any of them. */
  get isDraggable(): boolean {
    return this.isDragged && [...this.marks.values()].some((mark) => !mark.isGone && mark.isDraggable);
  }

  /** On its line, as that is drawn. */
  private place(mark: MarkDrawn, lines: Lines, left: number): [number, number] {
    const x = mark.asked[0] + left * mark.away[0];
    const y = mark.asked[1] + left * mark.away[1];
    const stroke = left ? lines.of(mark.of.mode, mark.of.mark.line) : undefined;
    if (!stroke) return [x, y];
    const drawn = stroke.drawnAt(x, left) + mark.asked[1] - stroke.drawnAt(mark.asked[0], 0);
    return [x, Number.isFinite(drawn) ? drawn : y];
  }

  /** The mark whose dot is nearest to a place, within a distance. */
  near(x: number, y: number, distance: number): { of: MarkOf; pixel: [number, number] } | null {
    return this.nearest(distance, ({ pixel }) => Math.hypot(pixel[0] - x, pixel[1] - y));
  }

  /** The mark that is nearest to a place along, within a distance. */
  over(x: number, distance: number): { of: MarkOf; pixel: [number, number] } | null {
    return this.nearest(distance, ({ pixel }) => Math.abs(pixel[0] - x));
  }

  private nearest(distance: number, away: (mark: MarkDrawn) => number): { of: MarkOf; pixel: [number, number] } | null {
    let best: MarkDrawn | null = null;
    let least = distance;
    for (const mark of this.marks.values()) {
      if (!isPoint(mark)) continue;
      const far = away(mark);
      if (far <= least) [best, least] = [mark, far];
    }
    return best && { of: best.of, pixel: best.pixel };
  }

  /** Where dots will lie, in pixels. */
  dotsAt({ evenX, evenY }: Projection): [number, number][] {
    return [...this.marks.values()].filter(isPoint).map(({ asked }) => [evenX(asked[0]), evenY(asked[1])]);
  }

  /** Where dots are drawn, in pixels. */
  get pixels(): [number, number][] {
    return [...this.marks.values()].filter(isPoint).map((mark) => mark.pixel);
  }

  /** The mark whose parts carry a key. */
  keyed(key: string): { of: MarkOf; pixel: [number, number] } | null {
    const mark = this.marks.get(key);
    return mark && isPoint(mark) ? { of: mark.of, pixel: mark.pixel } : null;
  }
}

/** Whether it is a point that is there. */
function isPoint({ isGone, of }: MarkDrawn): boolean {
  return !isGone && !of.isName && !of.isComing;
}
