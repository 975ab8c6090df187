// What lines were before a hand took hold: fainter and thinner than anything that is live, below it.

import type { Axes, Curves, Mode } from "../documents";
import { type Course, courseOf } from "./course";
import type { Drawn } from "./crossing";
import { FINE } from "./difference";
import { even, type Projection } from "./frame";
import { identities, keyOf } from "./identity";
import { along, at } from "./numbers";
import { clampBeyond, type Stroke } from "./stroke";
import { part, put } from "./svg";
import { Trace } from "./trace";

export const GHOST = { stroke: "var(--ink)", opacity: 0.25, width: 1 };

interface Was {
  course: Course;
  mode: Mode;
  key: string;
  path: SVGPathElement;
}

export class Ghost {
  private readonly group: SVGGElement;
  private was: Was[] = [];
  /** In even steps, the frame over which lines are known. */
  private over: [number, number] | null = null;

  constructor(parent: SVGGElement) {
    this.group = part(parent, "g", { class: "ghost", opacity: GHOST.opacity, stroke: GHOST.stroke, "aria-hidden": "true" });
  }

  /** Keep lines as they are drawn now. */
  keep(strokes: readonly Stroke[], isPair: boolean, left: number, { across, room }: Projection): void {
    this.forget();
    this.over = across;
    const count = Math.ceil((room.right - room.left) / FINE);
    const steps = Array.from({ length: count }, (_, place) => across[0] + ((across[1] - across[0]) * place) / (count - 1));
    for (const stroke of strokes) {
      const { line, mode, course } = stroke;
      const x = left ? Float64Array.from(steps.filter((step) => Number.isFinite(stroke.drawnAt(step, left)))) : course.x;
      const dashes = line.is_floor ? "2 3" : isPair && mode === "lecture" ? "6 4" : "none";
      this.was.push({
        course: { x, y: left ? x.map((step) => stroke.drawnAt(step, left)) : course.y, high: null },
        mode,
        key: stroke.key,
        path: part(this.group, "path", { fill: "none", "stroke-width": GHOST.width, "stroke-dasharray": dashes }),
      });
    }
  }

  /** Take the same lines over other ends along, where what was drawn then does not reach. */
  stretch(pictures: Partial<Record<Mode, Curves>>, axes: Axes): void {
    for (const one of this.was) {
      const picture = pictures[one.mode];
      const lines = picture?.lines ?? [];
      const place = identities(lines.map(({ name }) => name)).findIndex((name) => keyOf(one.mode, name) === one.key);
      if (picture && place >= 0) one.course = courseOf(axes, at(lines, place), picture.x);
    }
    if (axes.x.ends) this.over = axes.x.ends.map((end) => even(axes.x, end)) as [number, number];
  }

  /** From where to where along lines are known, in even steps; null where there are none. */
  get reach(): [number, number] | null {
    return this.was.length ? this.over : null;
  }

  /** How high the line of a key was at a place along, both in even steps; NaN where it had no value. */
  heightAt(key: string, x: number): number {
    const course = this.was.find((one) => one.key === key)?.course;
    if (!course?.x.length || x > at(course.x, course.x.length - 1) + 1e-9) return Number.NaN;
    return along(course.x, course.y)(x);
  }

  /** As lines that words keep clear of. */
  get drawn(): Drawn[] {
    return this.was.map(({ course, key }) => ({
      course,
      reach: [-Infinity, Infinity],
      heights: () => (x) => this.heightAt(key, x),
    }));
  }

  draw({ evenX, evenY, room }: Projection): void {
    for (const { course, path } of this.was) {
      const trace = new Trace(false);
      for (const [place, x] of course.x.entries()) trace.add(evenX(x), clampBeyond(evenY(at(course.y, place)), room));
      put(path, { d: trace.path() });
    }
  }

  get isThere(): boolean {
    return this.was.length > 0;
  }

  forget(): void {
    this.was = [];
    this.group.replaceChildren();
  }
}
