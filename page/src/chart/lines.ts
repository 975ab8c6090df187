// The lines of both modes, and the ghost of what they were.

import type { Axes, Curves, Line, Mode } from "../documents";
import type { Drawn } from "./crossing";
import type { Projection } from "./frame";
import { Ghost } from "./ghost";
import { called, identities, keyOf } from "./identity";
import { at } from "./numbers";
import type { Known } from "./shown_part";
import { Stroke } from "./stroke";
import { part } from "./svg";

/** The lines of both modes, and the ghost of what they were before a hand took hold. */
export class Lines {
  /** Whether an answer will bring a line. */
  isComing: (line: string) => boolean = () => false;
  readonly strokes = new Map<string, Stroke>();
  readonly ghost: Ghost;
  private readonly front: SVGGElement;
  /** By night what he says is in chalk, whose grain lies over it, and what is sourced is in print. */
  private readonly chalk: SVGRectElement;
  private isPair = false;
  /** Strokes by how they were called since the last show. */
  private readonly found = new Map<string, Stroke | undefined>();

  constructor(parent: SVGGElement) {
    this.ghost = new Ghost(parent);
    this.front = part(parent, "g", { "aria-hidden": "true" });
    const grain = { class: "chalk", width: "100%", height: "100%", fill: "url(#chalk)", "data-passing": "" };
    this.chalk = part(this.front, "rect", grain);
  }

  ask(
    pictures: Partial<Record<Mode, Curves>>,
    modes: readonly Mode[],
    axes: Axes,
    isHidden: (line: string) => boolean,
    knownOf: (line: string) => Known | null,
    isCrowd: boolean,
    left: number,
    drawn: Projection | null,
    isStill: boolean,
  ): void {
    this.isPair = modes.length > 1;
    this.found.clear();
    const wanted = new Set<string>();
    const isFirst = !this.strokes.size;
    for (const mode of modes) {
      let behind: Element | null = mode === "lecture" ? null : this.chalk;
      const picture = pictures[mode];
      if (!picture) continue;
      const keys = identities(picture.lines.map((line) => line.name)).map((name) => keyOf(mode, name));
      this.rename(picture.lines, keys);
      // A band leads from a line up to another: it is there with both, and of two modes it is the last one's.
      const hasBands = !picture.lines.some(({ name }) => isHidden(name)) && mode === modes.at(-1);
      // What the board is about lies over the rest.
      const ordered = [...picture.lines.entries()].sort(([, one], [, other]) => Number(one.is_bold) - Number(other.is_bold));
      for (const [place, line] of ordered) {
        const key = at(keys, place);
        wanted.add(key);
        const hidden = isHidden(line.name);
        let stroke = this.strokes.get(key);
        if (stroke) stroke.ask(line, axes, picture.x, picture.is_whole, left, drawn);
        else {
          stroke = new Stroke(this.front, mode, line, axes, picture.x, picture.is_whole);
          stroke.isHidden = hidden;
          if (isFirst || isStill) stroke.opacity = hidden ? 0 : 1;
          this.strokes.set(key, stroke);
        }
        if (stroke.isHidden && !hidden && !isStill) {
          // Shown for the first time, or again: drawn from the left as a hand would.
          stroke.reveal = 0;
          stroke.opacity = 1;
        }
        stroke.key = key;
        stroke.isHidden = hidden;
        // Once it is shown it grows from what was known.
        if (hidden) stroke.known = knownOf(line.name);
        stroke.isGone = false;
        if (isStill) stroke.opacity = hidden && !stroke.known ? 0 : 1;
        stroke.style(this.isPair, hasBands, isCrowd);
        const before: Element | null = behind ? behind.nextElementSibling : this.front.firstElementChild;
        if (before !== stroke.group) this.front.insertBefore(stroke.group, before);
        behind = stroke.group;
      }
    }
    for (const [key, stroke] of this.strokes) {
      if (wanted.has(key)) continue;
      stroke.go(left);
      if (isStill) stroke.opacity = 0;
    }
  }

  /** A line whose name has changed altogether is the one of its colour that is called so no more. */
  private rename(lines: readonly Line[], keys: readonly string[]): void {
    const [mode] = at(keys, 0)?.split("\n") ?? [];
    for (const [place, key] of keys.entries()) {
      if (this.strokes.has(key)) continue;
      const { colour, is_bold, is_floor } = at(lines, place);
      for (const [old, stroke] of this.strokes) {
        const { line } = stroke;
        if (stroke.mode !== mode || keys.includes(old) || stroke.isGone) continue;
        if (line.colour !== colour || line.is_bold !== is_bold || line.is_floor !== is_floor) continue;
        this.strokes.delete(old);
        this.strokes.set(key, stroke);
        break;
      }
    }
  }

  /** All that is seen is drawn from the left. */
  begin(): void {
    for (const stroke of this.seen) [stroke.reveal, stroke.known] = [0, null];
  }

  /** Whether any still comes or goes. */
  step(seconds: number): boolean {
    let moves = false;
    for (const [key, stroke] of this.strokes) {
      moves = stroke.fade(seconds, !stroke.isGone && !stroke.isHidden) || moves;
      if (!stroke.isGone || stroke.opacity) continue;
      stroke.group.remove();
      this.strokes.delete(key);
    }
    return moves;
  }

  draw(projection: Projection, left: number): void {
    for (const stroke of this.strokes.values()) stroke.draw(projection, left, this.isPair);
    this.ghost.draw(projection);
  }

  /** Keep what is drawn as faint lines behind the others. */
  haunt(left: number, projection: Projection): void {
    this.ghost.keep(this.seen, this.isPair, left, projection);
  }

  /** The lines that are seen, lecture's first, each mode's from the back to the front. */
  get seen(): Stroke[] {
    return [...this.strokes.values()].filter((stroke) => !stroke.isGone && !stroke.isHidden);
  }

  /** What words keep clear of: the same, and what is known of a line that is hidden. */
  get covering(): Stroke[] {
    return [...this.strokes.values()].filter((stroke) => !stroke.isGone && (!stroke.isHidden || stroke.known));
  }

  /** What names keep clear of: the same, and lines that an answer will bring, so that none moves when it does. */
  get clear(): Drawn[] {
    const coming = [...this.strokes.values()].filter((stroke) => stroke.isHidden && this.isComing(stroke.line.name));
    const whole = (stroke: Stroke): Drawn => ({
      heights: (left) => stroke.heights(left),
      course: stroke.course,
      reach: [-Infinity, Infinity],
    });
    return [...this.covering, ...coming.map(whole)];
  }

  /** Those that are on the screen: what goes is still there for a moment. */
  get visible(): Stroke[] {
    return [...this.strokes.values()].filter((stroke) => stroke.opacity > 0);
  }

  /** Of each name the line that carries it: the careful one, or the only one. */
  get named(): Stroke[] {
    return [...new Map(this.seen.map((stroke) => [stroke.key.replace(/^.*\n/, ""), stroke])).values()];
  }

  /** By its whole name, or by what stays of it from mode to mode. */
  of(mode: Mode, name: string): Stroke | undefined {
    const key = keyOf(mode, name);
    if (!this.found.has(key)) this.found.set(key, this.find(mode, name));
    return this.found.get(key);
  }

  private find(mode: Mode, name: string): Stroke | undefined {
    const all = [...this.strokes.values()].filter((stroke) => stroke.mode === mode && !stroke.isGone);
    return called(all, (stroke) => stroke.line.name, name);
  }
}
