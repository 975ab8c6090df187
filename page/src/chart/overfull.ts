// What does not fit the memory: beyond the largest x that does, a mode's lines are faint and their ground is tinted.

import type { CurvesView, Mode } from "../documents";
import type { Projection } from "./frame";
import type { Lines } from "./lines";
import { element, fit, part, put } from "./svg";

/** Of their strength, that lines keep there; and the tint's. */
const FAINT = 0.3;
const TINT = 0.07;

interface Ground {
  mask: SVGMaskElement;
  fits: SVGRectElement;
  beyond: SVGRectElement;
  tint: SVGRectElement;
}

let masks = 0;

/** The largest x of a picture that fits; infinite where nothing limits it. */
export function lastThatFits({ fits_to: last }: { fits_to?: number | null }): number {
  return last ?? Number.POSITIVE_INFINITY;
}

export class Overfull {
  private readonly group: SVGGElement;
  private readonly grounds = new Map<Mode, Ground>();
  private ends = new Map<Mode, number>();

  constructor(parent: SVGGElement) {
    this.group = part(parent, "g", { "aria-hidden": "true", "pointer-events": "none" });
  }

  ask(pictures: CurvesView["pictures"], modes: readonly Mode[]): void {
    this.ends = new Map(modes.map((mode) => [mode, lastThatFits(pictures[mode] ?? {})]));
  }

  draw({ x, room }: Projection, lines: Lines): void {
    const walls = new Map([...this.ends].map(([mode, end]) => [mode, end < Number.POSITIVE_INFINITY ? x(end) : room.right]));
    for (const [mode, end] of walls) {
      if (end >= room.right) continue;
      const { fits, beyond, tint } = this.ground(mode);
      const wall = Math.max(room.left, end);
      fit(fits, { ...room, right: wall }, 0);
      fit(beyond, { ...room, left: wall }, 0);
      fit(tint, { ...room, left: wall }, 0);
    }
    for (const [mode, { tint }] of this.grounds)
      put(tint, { visibility: (walls.get(mode) ?? room.right) < room.right ? "inherit" : "hidden" });
    for (const { mode, group } of lines.strokes.values())
      if ((walls.get(mode) ?? room.right) < room.right) put(group, { mask: `url(#${this.ground(mode).mask.id})` });
      else if (group.hasAttribute("mask")) group.removeAttribute("mask");
  }

  private ground(mode: Mode): Ground {
    const found = this.grounds.get(mode);
    if (found) return found;
    masks += 1;
    const [fits, beyond] = [element("rect", { fill: "#fff" }), element("rect", { fill: "#fff", "fill-opacity": FAINT })];
    // What is masked may be a level line, which has no height of its own.
    const whole = { maskUnits: "userSpaceOnUse", x: 0, y: 0, width: "100%", height: "100%" };
    const mask = part(this.group, "mask", { id: `overfull-${masks}`, ...whole });
    mask.append(fits, beyond);
    const tint = part(this.group, "rect", { fill: "var(--kv)", "fill-opacity": TINT });
    const made = { mask, fits, beyond, tint };
    this.grounds.set(mode, made);
    return made;
  }
}
