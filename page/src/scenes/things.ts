// What a hand can point at and take in a drawing, one thing at a time.

import type { Said } from "../chart/readout";

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Things {
  /** Whether all that is said of one is seen on it. */
  readonly isPlain?: boolean;
  /** What they are, and what becomes of one that is taken, for whoever does not see it. */
  readonly name: string;
  readonly count: number;
  /** Which lies at a place; -1 where none does. */
  under(x: number, y: number): number;
  box(thing: number): Box;
  said(thing: number): Said;
  /** Light one; none with -1. */
  point(thing: number): void;
  /** Take one, or with -1 let go of it; the one that is taken is let go of, too. */
  take(thing: number): void;
}

/** What a hand takes hold of and moves. */
export interface Grip {
  cursor: "ew-resize" | "ns-resize";
  /** Whether the hand is on what is there to be held, whatever else lies under it. */
  isHandle: boolean;
  to: (x: number, y: number, isFinal: boolean) => void;
}

export type Arrow = "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown";

const WAYS: Record<Arrow, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
/** How much farther off a thing counts that lies aside. */
const ASIDE = 3;

export function isArrow(key: string): key is Arrow {
  return key in WAYS;
}

/** The nearest thing on the side that an arrow points to; the same where there is none. */
export function beside(things: Pick<Things, "count" | "box">, from: number, arrow: Arrow): number {
  const [right, down] = WAYS[arrow];
  const start = middle(things.box(from));
  let [best, least] = [from, Number.POSITIVE_INFINITY];
  for (let thing = 0; thing < things.count; thing++) {
    const box = things.box(thing);
    if (!box.width) continue;
    const [x, y] = middle(box);
    const [across, along] = [x - start[0], y - start[1]];
    const ahead = across * right + along * down;
    const far = ahead + ASIDE * Math.abs(across * down + along * right);
    if (ahead > 0.5 && far < least) [best, least] = [thing, far];
  }
  return best;
}

function middle({ x, y, width, height }: Box): [number, number] {
  return [x + width / 2, y + height / 2];
}

/** Whatever a hand does on this screen, in an invitation: "click a chip". */
export function press(): string {
  return matchMedia("(pointer: coarse)").matches ? "tap" : "click";
}
