// The lines of both modes, and the ghost of what they were.

import type { Axes, Curves, Line, Mode } from "../documents";
import type { Projection } from "./frame";
import { called, identities, stem } from "./identity";
import { along, at } from "./numbers";
import { type Course, clampBeyond, FINE, Stroke } from "./stroke";
import { part, put } from "./svg";
import { Trace } from "./trace";

/** The lines of both modes, and the ghost of what they were before a hand took hold. */
export class Lines {
  readonly strokes = new Map<string, Stroke>();
  private readonly ghosts: SVGGElement;
  private readonly front: SVGGElement;
  private ghost: { course: Course; isBold: boolean; isDashed: boolean; name: string; path: SVGPathElement }[] = [];
  private isPair = false;
  /** Strokes by how they were called since the last show. */
  private readonly found = new Map<string, Stroke | undefined>();

  constructor(parent: SVGGElement) {
    this.ghosts = part(parent, "g", { opacity: 0.35, "aria-hidden": "true" });
    this.front = part(parent, "g", { "aria-hidden": "true" });
  }

  ask(
    pictures: Partial<Record<Mode, Curves>>,
    modes: readonly Mode[],
    axes: Axes,
    isHidden: (line: string) => boolean,
    left: number,
    drawn: Projection | null,
    isStill: boolean,
  ): void {
    this.isPair = modes.length > 1;
    this.found.clear();
    const wanted = new Set<string>();
    const isFirst = !this.strokes.size;
    let behind: Element | null = null;
    for (const mode of modes) {
      const picture = pictures[mode];
      if (!picture) continue;
      const keys = identities(picture.lines.map((line) => line.name)).map((name) => keyOf(mode, name));
      this.rename(picture.lines, keys);
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
        stroke.isGone = false;
        if (isStill) stroke.opacity = hidden ? 0 : 1;
        stroke.style(this.isPair);
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
    for (const { course, path } of this.ghost) {
      const { evenX, evenY, room } = projection;
      const trace = new Trace(false);
      for (const [place, x] of course.x.entries()) trace.add(evenX(x), clampBeyond(evenY(at(course.y, place)), room));
      put(path, { d: trace.path() });
    }
  }

  /** Keep what is drawn as grey lines behind the others. */
  haunt(left: number, { across, room }: Projection): void {
    this.exorcise();
    const count = Math.ceil((room.right - room.left) / FINE);
    for (const stroke of this.seen) {
      const { line, mode, course } = stroke;
      const x = left
        ? Float64Array.from(
            { length: count },
            (_, place) => across[0] + ((across[1] - across[0]) * place) / (count - 1),
          ).filter((step) => Number.isFinite(stroke.drawnAt(step, left)))
        : course.x;
      const isDashed = this.isPair && mode === "lecture";
      this.ghost.push({
        course: { x, y: left ? x.map((step) => stroke.drawnAt(step, left)) : course.y, high: null },
        isBold: line.is_bold,
        isDashed,
        name: line.name,
        path: part(this.ghosts, "path", {
          fill: "none",
          stroke: "var(--muted)",
          "stroke-width": line.is_bold ? 3 : 1.5,
          "stroke-dasharray": line.is_floor ? "2 3" : isDashed ? "6 4" : "none",
        }),
      });
    }
  }

  /** How high the ghost of a line is at a place along; NaN where it has none. */
  ghostAt(name: string, x: number): number {
    const ghost = this.ghost.find((one) => one.name === name || stem(one.name) === stem(name));
    if (!ghost?.course.x.length || x > at(ghost.course.x, ghost.course.x.length - 1) + 1e-9) return Number.NaN;
    return along(ghost.course.x, ghost.course.y)(x);
  }

  get isHaunted(): boolean {
    return this.ghost.length > 0;
  }

  /** Without ghosts from now on. */
  exorcise(): void {
    this.ghost = [];
    this.ghosts.replaceChildren();
  }

  /** The lines that are seen, lecture's first, each mode's from the back to the front. */
  get seen(): Stroke[] {
    return [...this.strokes.values()].filter((stroke) => !stroke.isGone && !stroke.isHidden);
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

/** A line of a mode, by what stays of its name while its numbers change. */
export function keyOf(mode: Mode, name: string): string {
  return `${mode}\n${name}`;
}
