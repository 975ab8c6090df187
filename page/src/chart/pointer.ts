// A hand on a picture of lines: values where it points, marks that it drags, keys instead of it.

import type { Colour, CurvesView, Mark } from "../documents";
import type { Dots } from "./dots";
import { even, type Projection, uneven } from "./frame";
import { stem } from "./identity";
import type { Lines } from "./lines";
import type { MarkOf } from "./mark";
import { joined, type Marks } from "./marks";
import { at, clamp } from "./numbers";
import type { Predict } from "./predict";
import { Readout, type Row } from "./readout";
import type { Ground, Shown, Size } from "./stage";
import type { Stroke } from "./stroke";
import { colourOf, matched, move, part, put } from "./svg";

/** What a pointer looks at. */
export interface Seen {
  shown: Shown & { view: CurvesView };
  projection: Projection;
  lines: Lines;
  marks: Marks;
  dots: Dots;
  size: Size;
  left: number;
}

/** Pixels from a mark at which it is taken hold of. */
const GRIP = { mouse: 14, touch: 26 };
const STEPS = 40;
const DIGITS = 4;

export class Pointer {
  private readonly group: SVGGElement;
  private readonly hair: SVGPathElement;
  private readonly beads: SVGGElement;
  private readonly readout: Readout;
  private readonly stop = new AbortController();
  /** Where values are read, in even steps along; null where none are. */
  private place: number | null = null;
  /** In pixels, where the pointer is. */
  private pixel: [number, number] = [0, 0];
  private isByKeys = false;
  private isDirty = false;
  private dragged: MarkOf | null = null;
  private isGuessing = false;
  private colour: Colour | null = null;

  constructor(
    private readonly ground: Ground,
    parent: SVGGElement,
    private readonly predict: Predict,
    private readonly seen: () => Seen | null,
  ) {
    this.group = part(parent, "g", {
      "aria-hidden": "true",
      "data-passing": "",
      visibility: "hidden",
      "pointer-events": "none",
    });
    this.hair = part(this.group, "path", { stroke: "var(--muted)", "stroke-opacity": 0.8, fill: "none" });
    this.beads = part(this.group, "g");
    this.readout = new Readout(ground.root);
    const { root } = ground;
    const on = <Name extends keyof HTMLElementEventMap>(name: Name, act: (event: HTMLElementEventMap[Name]) => void) =>
      root.addEventListener(name, act, { signal: this.stop.signal });
    on("pointermove", (event) => this.moved(event));
    on("pointerdown", (event) => this.pressed(event));
    on("pointerup", (event) => this.lifted(event));
    on("pointercancel", (event) => this.lifted(event));
    on("pointerleave", () => this.left());
    on("blur", () => this.hide());
    on("keydown", (event) => this.typed(event));
  }

  /** Whether a hand moves a mark. */
  get isDragging(): boolean {
    return this.dragged !== null;
  }

  /** What is shown has changed. */
  refresh(): void {
    this.isDirty = true;
  }

  /** With each frame: the hair where lines are drawn now, the words where they have changed. */
  draw(): void {
    const seen = this.place === null ? null : this.seen();
    this.group.setAttribute("visibility", seen ? "inherit" : "hidden");
    if (!seen || this.place === null) return;
    const { evenX, evenY, room } = seen.projection;
    const x = evenX(this.place);
    if (x < room.left - 1 || x > room.right + 1) {
      this.hide();
      return;
    }
    this.hair.setAttribute("d", `M${x},${room.top} L${x},${room.bottom}`);
    const { place } = this;
    const points = seen.lines.seen
      .map((stroke) => ({ stroke, y: evenY(stroke.drawnAt(place, seen.left)) }))
      .filter(({ y }) => y >= room.top && y <= room.bottom);
    matched(this.beads, points.length, () => part(this.beads, "circle", { r: 3, "stroke-width": 1.5 })).forEach(
      (bead, which) => {
        const { stroke, y } = at(points, which);
        const isHollow = seen.shown.modes.length > 1 && stroke.mode === "lecture";
        put(bead, {
          stroke: colourOf(stroke.line.colour),
          fill: isHollow ? "var(--background)" : colourOf(stroke.line.colour),
        });
        move(bead, x, y);
      },
    );
    if (this.isDirty) this.read(seen, this.place);
    this.isDirty = false;
  }

  private read({ shown, projection, lines, marks, dots, size }: Seen, place: number): void {
    const { axes } = shown.view;
    const { modes, units } = shown;
    const rows = new Map<string, Row & { y: number }>();
    const value = (stroke: Stroke): string => {
      const y = stroke.drawnAt(place, 0);
      if (!Number.isFinite(y)) return "";
      const high = stroke.highAt(place);
      const text = units(uneven(axes.y, y), axes.y.dimension, DIGITS);
      return high > y ? `${text} to ${units(uneven(axes.y, high), axes.y.dimension, DIGITS)}` : text;
    };
    for (const stroke of lines.seen) {
      const name = stem(stroke.line.name) === stroke.line.name ? stroke.line.name : (stroke.line.name.split(":")[0] ?? "");
      const key = stem(stroke.line.name);
      const row = rows.get(key) ?? { colour: stroke.line.colour, name, values: modes.map(() => ""), y: -Infinity };
      row.name = name;
      row.values[modes.indexOf(stroke.mode)] = value(stroke);
      row.y = Math.max(row.y, stroke.drawnAt(place, 0) || -Infinity);
      rows.set(key, row);
    }
    const sorted: Row[] = [...rows.values()].sort((a, b) => b.y - a.y);
    const dot = this.isByKeys ? null : dots.near(...this.pixel, GRIP.mouse);
    const named = dot?.label || dot?.group;
    if (dot && named)
      sorted.unshift({
        colour: dot.colour,
        name: named,
        values: [units(dot.x, axes.x.dimension), units(dot.y, axes.y.dimension)],
      });
    // A quiet mark has no label, another's may have found no room.
    const mark = (this.isByKeys ? marks.over(projection.evenX(place), GRIP.mouse) : marks.near(...this.pixel, GRIP.mouse))?.of
      .mark;
    if (mark?.text) sorted.unshift({ colour: mark.colour, name: told(mark), values: [] });
    const [x, y] = this.isByKeys ? [projection.evenX(place), projection.room.bottom] : this.pixel;
    this.readout.speak(this.isByKeys);
    this.readout.show(
      units(uneven(axes.x, place), axes.x.dimension, DIGITS),
      modes.length > 1 ? modes : [],
      sorted,
      x,
      y,
      projection.room,
      size,
    );
  }

  /** Of the pointer in pixels of the picture. */
  private where(event: PointerEvent): [number, number] {
    const box = this.ground.root.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  private moved(event: PointerEvent): void {
    const seen = this.seen();
    if (!seen) return;
    this.pixel = this.where(event);
    const [x, y] = this.pixel;
    if (this.dragged) {
      this.report("move", seen);
      return;
    }
    if (this.predict.isOpen) {
      this.predict.point(seen, this.pixel, this.isGuessing);
      this.ground.wake();
      return;
    }
    this.hover(event, seen);
    const { room, evenX } = seen.projection;
    const isInside = x >= room.left - 4 && x <= room.right + 4 && y >= room.top - 8 && y <= room.bottom + 8;
    if (!isInside) {
      this.hide();
      return;
    }
    this.isByKeys = false;
    this.look(seen, evenX.invert(clamp(x, room.left, room.right)));
  }

  private hover(event: PointerEvent, seen: Seen): void {
    const mark = this.markUnder(event, seen);
    this.ground.root.style.cursor = mark ? "grab" : "";
    const colour = ((event.target as Element).closest("[data-colour]")?.getAttribute("data-colour") ?? null) as Colour | null;
    if (colour === this.colour) return;
    this.colour = colour;
    this.ground.handles.hover?.(colour);
  }

  private markUnder(event: PointerEvent, { marks }: Seen): MarkOf | null {
    if (!this.ground.handles.drag) return null;
    const [x, y] = this.where(event);
    const key = (event.target as Element).closest<SVGElement>(".chart-mark")?.dataset["key"];
    const grip = event.pointerType === "touch" ? GRIP.touch : GRIP.mouse;
    const found = marks.near(x, y, grip) ?? (key === undefined ? null : marks.keyed(key));
    return found?.of ?? null;
  }

  private pressed(event: PointerEvent): void {
    const seen = this.seen();
    if (!seen || event.button) return;
    this.pixel = this.where(event);
    if (this.predict.isOpen) {
      this.isGuessing = true;
      this.ground.root.setPointerCapture(event.pointerId);
      this.predict.point(seen, this.pixel, true);
      this.ground.wake();
      return;
    }
    const mark = this.markUnder(event, seen);
    if (!mark) {
      this.moved(event);
      return;
    }
    event.preventDefault();
    this.ground.root.setPointerCapture(event.pointerId);
    this.ground.root.style.cursor = "grabbing";
    this.dragged = mark;
    this.hide();
    this.report("start", seen);
  }

  private lifted(event: PointerEvent): void {
    const seen = this.seen();
    if (this.isGuessing) {
      this.isGuessing = false;
      const guess = this.predict.guessed;
      if (event.type === "pointercancel") this.predict.cancel();
      else if (guess) this.ground.handles.guess?.(...guess);
    }
    if (this.dragged && seen) {
      this.report("end", seen);
      this.ground.root.style.cursor = "";
    }
    this.dragged = null;
    if (this.ground.root.hasPointerCapture(event.pointerId)) this.ground.root.releasePointerCapture(event.pointerId);
    if (event.pointerType === "touch") this.hide();
  }

  private report(phase: "start" | "move" | "end", { projection }: Seen): void {
    if (!this.dragged) return;
    const { room, xAt, yAt } = projection;
    const [x, y] = this.pixel;
    const { mark, mode } = this.dragged;
    this.ground.handles.drag?.(mark, mode, xAt(clamp(x, room.left, room.right)), yAt(clamp(y, room.top, room.bottom)), phase);
  }

  private left(): void {
    if (this.dragged) return;
    this.predict.leave();
    if (this.colour) this.ground.handles.hover?.(null);
    this.colour = null;
    if (!this.isByKeys) this.hide();
  }

  private typed(event: KeyboardEvent): void {
    const seen = this.seen();
    if (!seen) return;
    if (this.predict.isOpen) {
      const guess = this.predict.guessed;
      // Keys move the guess; it is given when that is said.
      if (guess && (event.key === "Enter" || event.key === " ")) this.ground.handles.guess?.(...guess);
      else if (this.predict.type(seen, event.key, event.shiftKey)) this.ground.wake();
      else return;
      event.preventDefault();
      return;
    }
    if (event.key === "Escape") {
      this.hide();
      return;
    }
    const { across } = seen.projection;
    const [low, high] = across;
    const step = this.stepOf(seen, event.shiftKey);
    const now = this.place ?? (event.key === "ArrowLeft" ? high + step : low - step);
    const next = { ArrowRight: now + step, ArrowLeft: now - step, Home: low, End: high }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    this.isByKeys = true;
    this.look(seen, clamp(next, low, high));
  }

  /** A fortieth of the plot; of what cannot be divided, whole ones. */
  private stepOf({ shown, projection: { across } }: Seen, isFine: boolean): number {
    const step = (across[1] - across[0]) / STEPS;
    return isWhole(shown) && !shown.view.axes.x.is_logarithmic ? Math.max(1, Math.round(step)) : isFine ? step / 8 : step;
  }

  private look(seen: Seen, step: number): void {
    this.place = isWhole(seen.shown) ? nearest(seen, step) : step;
    this.isDirty = true;
    this.ground.wake();
  }

  private hide(): void {
    this.place = null;
    this.readout.hide();
    this.group.setAttribute("visibility", "hidden");
  }

  remove(): void {
    this.stop.abort();
    this.readout.remove();
    this.ground.root.style.cursor = "";
  }
}

/** What a mark says; of one without a label also what it is. */
function told({ name, text, is_quiet }: Mark): string {
  return is_quiet ? `${joined(name)}: ${joined(text)}` : joined(text);
}

function isWhole({ view, modes }: Seen["shown"]): boolean {
  return modes.some((mode) => view.pictures[mode]?.is_whole);
}

/** The value along, of those that lines are known at, that is nearest. */
function nearest({ shown, lines }: Seen, step: number): number {
  const { x } = shown.view.axes;
  let best = step;
  let least = Infinity;
  for (const { course } of lines.seen)
    for (const each of course.x) if (Math.abs(each - step) < least) [best, least] = [each, Math.abs(each - step)];
  return Number.isFinite(least) ? best : even(x, uneven(x, step));
}
