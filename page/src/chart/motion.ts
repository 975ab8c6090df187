// Time: what is drawn nears what is asked for, and axes glide.

import { easeCubicInOut } from "d3-ease";

const APPROACH_S = 0.08;
const GLIDE_S = 0.3;
/** The same of an axis that follows a hand. */
export const FOLLOW_S = 0.15;
/** Of what was to go: less than a pixel on any screen. */
const NOTHING = 1 / 2000;

/** How much is left of the way from what was drawn to what is asked for: 1 at first, halved again and again. */
export class Approach {
  left = 0;

  restart(isStill: boolean): void {
    this.left = isStill ? 0 : 1;
  }

  /** Whether it still moves. */
  step(seconds: number): boolean {
    if (!this.left) return false;
    this.left *= Math.exp(-seconds / APPROACH_S);
    if (this.left < NOTHING) this.left = 0;
    return true;
  }
}

/** A way that takes a set time, slow at both ends. */
export class Glide {
  private time = 1;
  private seconds = GLIDE_S;

  restart(isStill: boolean, seconds = GLIDE_S): void {
    this.time = isStill ? 1 : 0;
    this.seconds = seconds;
  }

  /** Whether it still moves. */
  step(seconds: number): boolean {
    if (this.time >= 1) return false;
    this.time = Math.min(1, this.time + seconds / this.seconds);
    return true;
  }

  get isOver(): boolean {
    return this.time >= 1;
  }

  /** The part of the way that is behind. */
  get part(): number {
    return easeCubicInOut(this.time);
  }
}

/** Whether whoever looks wants nothing to move. */
export function isStill(): boolean {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
