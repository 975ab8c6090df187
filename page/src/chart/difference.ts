// What is left of the way from where a line was drawn to where it is asked for.

import type { Course } from "./course";
import type { Projection } from "./frame";
import { along, at, mixed } from "./numbers";

/** Pixels from one point of a moving line to the next. */
export const FINE = 2;

type Which = "y" | "high";

interface Before {
  /** NaN where there is no way from it. Heights, not gaps: between two steps those of a line that rises to vast heights overshoot. */
  y: Float64Array;
  /** How far the first and the last lie from the course: what is beyond them is as far away. */
  gaps: [number, number];
}

/** What was drawn before a course, at even steps along the plot. */
export class Difference {
  private constructor(
    private readonly from: number,
    private readonly step: number,
    private readonly y: Before,
    private readonly high: Before | null,
  ) {}

  /** From a course, as it is drawn at places along, to the next. */
  static between(
    before: Course,
    next: Course,
    drawn: (x: number, asked: number, which: Which) => number,
    { across, room }: Projection,
  ): Difference {
    const count = Math.max(2, Math.ceil((room.right - room.left) / FINE));
    const [from, step] = [across[0], (across[1] - across[0]) / (count - 1)];
    const between = (ours: Float64Array, theirs: Float64Array, which: Which): Before => {
      const [old, fresh] = [along(before.x, ours), along(next.x, theirs)];
      let gaps: [number, number] | null = null;
      const y = Float64Array.from({ length: count }, (_, place) => {
        const x = from + place * step;
        const height = drawn(x, old(x), which);
        const gap = height - fresh(x);
        const known = Number.isFinite(gap) ? gap : 0;
        gaps = [gaps ? gaps[0] : known, known];
        return Number.isFinite(gap) ? height : Number.NaN;
      });
      return { y, gaps: gaps ?? [0, 0] };
    };
    const { high } = before;
    const above = high && next.high ? between(high, next.high, "high") : null;
    return new Difference(from, step, between(before.y, next.y, "y"), above);
  }

  /** The height that is asked for at a place along, with what is left of the way from what was drawn there. */
  onItsWay(x: number, asked: number, left: number, which: Which): number {
    const before = this[which];
    if (!before) return asked;
    const { y, gaps } = before;
    const place = (x - this.from) / this.step;
    if (place < 0 || place > y.length - 1) return asked + left * gaps[place < 0 ? 0 : 1];
    const low = Math.min(Math.floor(place), y.length - 2);
    const drawn = mixed(asked, mixed(at(y, low), at(y, low + 1), place - low), left);
    return Number.isFinite(drawn) ? drawn : asked;
  }

  /** What is left of it now is all that there is from now on: its line goes no farther. */
  stop({ x, y, high }: Course, left: number): void {
    const ways = [
      [this.y, y],
      [this.high, high],
    ] as const;
    for (const [before, asked] of ways) {
      if (!before || !asked) continue;
      const height = along(x, asked);
      before.y.forEach((drawn, place) => {
        before.y[place] = mixed(height(this.from + place * this.step), drawn, left);
      });
      before.gaps = [left * before.gaps[0], left * before.gaps[1]];
    }
  }
}
