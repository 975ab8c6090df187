// What does not fit the memory: beyond the largest x that does, a mode's lines are faint and their ground is tinted.

import type { CurvesView, Mark, Mode } from "../documents";
import type { Ends, Projection } from "./frame";
import { joined } from "./labels";
import type { Lines } from "./lines";
import { LINE, measure, SMALL } from "./measure";
import { element, fit, move, part, put, say } from "./svg";

/** Of their strength, that lines keep there; and the tint's. */
const FAINT = 0.3;
const TINT = 0.07;

interface Ground {
  mask: SVGMaskElement;
  fits: SVGRectElement;
  beyond: SVGRectElement;
  tint: SVGRectElement;
  words: SVGTextElement;
}

/** From the edge of the ground, and from the top of the plot, where lines that leave it have arrows, to what says which it is. */
const ASIDE = 6;
const DOWN = 24;

let masks = 0;

/** The largest x of a picture that fits; infinite where nothing limits it. */
export function lastThatFits({ fits_to: last }: { fits_to?: number | null }): number {
  return last ?? Number.POSITIVE_INFINITY;
}

export class Overfull {
  private readonly group: SVGGElement;
  private readonly grounds = new Map<Mode, Ground>();
  private ends = new Map<Mode, number>();
  /** Of each mode the mark that would say it, where that lies above the frame or below it, or on a line that is not there. */
  private marks = new Map<Mode, Mark | undefined>();

  constructor(parent: SVGGElement) {
    this.group = part(parent, "g", { "aria-hidden": "true", "pointer-events": "none" });
  }

  ask(
    pictures: CurvesView["pictures"],
    modes: readonly Mode[],
    { y: [low, high] }: Ends,
    isHidden: (line: string) => boolean,
  ): void {
    this.ends = new Map(modes.map((mode) => [mode, lastThatFits(pictures[mode] ?? {})]));
    const unseen = ({ line, y }: Mark) => y > high || y < low || isHidden(line);
    const found = (mode: Mode) =>
      pictures[mode]?.marks.find((mark) => mark.text && mark.x === this.ends.get(mode) && unseen(mark));
    this.marks = new Map(modes.map((mode) => [mode, found(mode)]));
  }

  /** Whether the ground itself says what a mark would: it is said once. */
  says(mode: Mode, mark: Mark): boolean {
    return this.marks.get(mode) === mark;
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
      this.name(mode, wall, room);
    }
    for (const [mode, { tint, words }] of this.grounds) {
      const isThere = (walls.get(mode) ?? room.right) < room.right;
      for (const each of [tint, words]) put(each, { visibility: isThere ? "inherit" : "hidden" });
    }
    for (const { mode, group } of lines.strokes.values())
      if ((walls.get(mode) ?? room.right) < room.right) put(group, { mask: `url(#${this.ground(mode).mask.id})` });
      else if (group.hasAttribute("mask")) group.removeAttribute("mask");
  }

  /** What the ground is, of two modes each in a row of its own; with its number where there is room for it. */
  private name(mode: Mode, wall: number, { right, top }: { right: number; top: number }): void {
    const { words } = this.ground(mode);
    const said = joined(this.marks.get(mode)?.text ?? "");
    const fitting = [said, said.split(":")[0] ?? ""].find((one) => measure(one, SMALL) <= right - wall - 2 * ASIDE);
    say(words, fitting ?? "");
    move(words, wall + ASIDE, top + DOWN + LINE * [...this.ends.keys()].indexOf(mode));
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
    const words = part(this.group, "text", { class: "overfull", fill: "var(--kv)", "font-size": SMALL });
    const made = { mask, fits, beyond, tint, words };
    this.grounds.set(mode, made);
    return made;
  }
}
