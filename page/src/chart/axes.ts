// What frames the lines: two rules, ticks that slide with the scale, captions.

import type { Axes, Axis } from "../documents";
import type { Projection } from "./frame";
import { LINE, measure, SMALL, wrapped } from "./measure";
import { at } from "./numbers";
import { move, part, put, say, write } from "./svg";

/** A number as text, in so many digits. */
export type Format = (value: number, dimension: string, digits?: number) => string;

interface Tick {
  value: number;
  group: SVGGElement;
  line: SVGPathElement;
  /** In pixels along its axis. */
  long: number;
  /** Opacities: before the glide, after it, and as drawn. */
  from: number;
  to: number;
  now: number;
}

/** From the plot to the numbers at its ticks. */
const NEAR = 8;

export function tickText(axis: Axis, value: number, format: Format): string {
  return value === 0 ? "0" : format(value, axis.dimension).replace(/\/Mtok$/, "");
}

export class AxesDrawn {
  private readonly grid: SVGGElement;
  private readonly rules: SVGPathElement;
  private readonly numbers: SVGGElement;
  private readonly along: SVGGElement;
  private readonly upright: SVGGElement;
  private readonly ticks = { x: new Map<string, Tick>(), y: new Map<string, Tick>() };
  /** As drawn last: while the frame is held nothing of it is touched. */
  private state = "";
  private captions = { x: [] as string[], y: [] as string[] };

  constructor(back: SVGGElement, front: SVGGElement) {
    const looks = { class: "axes", "aria-hidden": "true" };
    this.grid = part(back, "g", { ...looks, stroke: "var(--muted)", opacity: 0.16 });
    const all = part(front, "g", { ...looks, fill: "var(--muted)", "font-size": SMALL });
    this.rules = part(all, "path", { fill: "none", stroke: "var(--muted)", "stroke-opacity": 0.7 });
    this.numbers = part(all, "g", { class: "ticks" });
    this.along = part(all, "g");
    this.upright = part(all, "g");
  }

  /** Words of the captions, over as few lines as there is room for. */
  caption(axes: Axes, width: number): { x: number; y: number } {
    const wide = (text: string) => measure(text, SMALL);
    this.captions = { x: wrapped(axes.x.caption, width, wide), y: wrapped(axes.y.caption, width, wide) };
    return { x: this.captions.x.length * LINE, y: this.captions.y.length * LINE };
  }

  ask(axes: Axes, values: { x: number[]; y: number[] }, format: Format): void {
    this.state = "";
    for (const name of ["x", "y"] as const) {
      const ticks = this.ticks[name];
      for (const tick of ticks.values()) [tick.from, tick.to] = [tick.now, 0];
      for (const value of values[name]) {
        // The same number may be written otherwise by another arithmetic.
        const key = value.toPrecision(9);
        let tick = ticks.get(key);
        if (!tick) {
          const group = part(this.numbers, "g", { opacity: 0 });
          part(group, "text", name === "x" ? { "text-anchor": "middle" } : { "text-anchor": "end" });
          tick = { value, group, line: part(this.grid, "path"), long: SMALL, from: 0, to: 1, now: 0 };
          ticks.set(key, tick);
        }
        tick.to = 1;
        const text = tickText(axes[name], value, format);
        say(at(tick.group.children, 0), text);
        if (name === "x") tick.long = measure(text, SMALL);
      }
    }
  }

  draw(projection: Projection, glided: number, bottom: number, width: number, gap: number): void {
    const { room, x, y } = projection;
    const { left, right, top } = room;
    const state = [...projection.across, ...projection.up, left, right, top, room.bottom, glided, bottom, width, gap].join();
    if (state === this.state) return;
    this.state = state;
    this.rules.setAttribute("d", `M${left},${top} L${left},${room.bottom} L${right},${room.bottom}`);
    for (const name of ["x", "y"] as const) {
      const taken: [number, number][] = [];
      // What stays comes before what goes: while the scale changes numbers may come to lie over each other.
      const ticks = [...this.ticks[name]].sort(([, one], [, other]) => other.to - one.to);
      for (const [key, tick] of ticks) {
        // What goes is gone before what comes is there.
        const faded = tick.to > tick.from ? Math.max(0, 2 * glided - 1) : Math.min(1, 2 * glided);
        tick.now = tick.from + (tick.to - tick.from) * faded;
        const place = name === "x" ? x(tick.value) : y(tick.value);
        const isInside = name === "x" ? place > left - 1 && place < right + 1 : place > top - 1 && place < room.bottom + 1;
        const [from, to] = [place - tick.long / 2, place + tick.long / 2];
        const isFree = !taken.some(([low, high]) => from < high && low < to) && (name === "y" || to <= width + 1);
        const opacity = isInside && isFree ? tick.now : 0;
        if (opacity) taken.push([from, to]);
        tick.group.setAttribute("opacity", String(opacity));
        if (name === "x") move(tick.group, place, room.bottom + gap + NEAR + SMALL - 2);
        else move(tick.group, left - NEAR, place + SMALL / 3);
        put(tick.line, { opacity: isInside ? tick.now : 0 });
        tick.line.setAttribute(
          "d",
          name === "x"
            ? `M${place},${room.bottom + gap} L${place},${room.bottom + gap + 5}`
            : `M${left},${place} L${right},${place}`,
        );
        if (glided < 1 || tick.to) continue;
        tick.group.remove();
        tick.line.remove();
        this.ticks[name].delete(key);
      }
    }
    write(this.upright, this.captions.y, LINE, { "text-anchor": "start" });
    move(this.upright, 0, SMALL);
    write(this.along, this.captions.x, LINE, { "text-anchor": "middle" });
    move(this.along, (left + right) / 2, bottom);
  }
}
