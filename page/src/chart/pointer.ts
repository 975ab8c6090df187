// A hand on a picture of lines: it looks, it drags marks, it puts down guesses; keys do the same.

import type { Colour, CurvesView } from "../documents";
import type { Dots } from "./dots";
import type { Projection } from "./frame";
import { Hair } from "./hair";
import type { Lines } from "./lines";
import type { MarkOf } from "./mark";
import type { Marks } from "./marks";
import { clamp } from "./numbers";
import type { Predict } from "./predict";
import type { Ground, Shown, Size } from "./stage";

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

/** A mark, and where it is drawn. */
type Held = { of: MarkOf; pixel: [number, number] };

/** Milliseconds for which a pointer has to rest on what is of a colour before all else fades: on its way it meets marks. */
const REST = 200;

/** Pixels from a mark at which it is taken hold of. */
export const GRIP = { mouse: 14, touch: 26 };

/** Pixels by which a hand that presses may tremble. */
const STILL = 4;

function gripOf({ pointerType }: PointerEvent): number {
  return pointerType === "touch" ? GRIP.touch : GRIP.mouse;
}

export class Pointer {
  private readonly hair: Hair;
  private readonly stop = new AbortController();
  /** In pixels, where the pointer is. */
  private pixel: [number, number] = [0, 0];
  private dragged: MarkOf | null = null;
  private last: MarkOf | null = null;
  private beside: [number, number] = [0, 0];
  private isGuessing = false;
  /** In pixels, where a hand took hold of a dot that was there already; null once it has moved it, or of another. */
  private again: [number, number] | null = null;
  private colour: Colour | null = null;
  private resting = 0;
  /** The line whose name is pointed at. */
  private line: string | null = null;

  constructor(
    private readonly ground: Ground,
    parent: SVGGElement,
    /** The question that is put, if one is. */
    private readonly asked: () => Predict | null,
    private readonly seen: () => Seen | null,
  ) {
    this.hair = new Hair(ground, parent, seen);
    const { root } = ground;
    const on = <Name extends keyof HTMLElementEventMap>(name: Name, act: (event: HTMLElementEventMap[Name]) => void) =>
      root.addEventListener(name, act, { signal: this.stop.signal });
    on("pointermove", (event) => this.moved(event));
    on("pointerdown", (event) => this.pressed(event));
    on("pointerup", (event) => this.lifted(event));
    on("pointercancel", (event) => this.lifted(event));
    on("pointerleave", (event) => this.left(event));
    on("blur", () => this.hair.hide());
    // While the picture has the focus of the keyboard, the question says which keys answer it.
    for (const name of ["focus", "blur"] as const) on(name, () => this.open && this.ground.wake());
    on("keydown", (event) => this.typed(event));
    // Before the picture hears of it, and wherever on the page.
    for (const name of ["pointerdown", "keydown"])
      document.addEventListener(name, () => this.forget(), { capture: true, signal: this.stop.signal });
  }

  private forget(): void {
    this.last = null;
  }

  /** The mark that a hand moves; null where it moves none. */
  get held(): MarkOf | null {
    return this.dragged;
  }

  /** The same, or the one that it moved last if it has taken hold of nothing else since: what moves a mark is looked for. */
  get taken(): MarkOf | null {
    return this.dragged ?? this.last;
  }

  /** The same, while a dot is wanted. */
  private get open(): Predict | null {
    const asked = this.asked();
    return asked?.isOpen ? asked : null;
  }

  /** What is shown has changed. */
  refresh(): void {
    this.hair.refresh();
  }

  draw(): void {
    this.hair.draw();
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
    const open = this.open;
    if (open) {
      if (this.again && Math.hypot(x - this.again[0], y - this.again[1]) <= STILL) return;
      this.again = null;
      open.point(seen, this.pixel, this.isGuessing);
      this.ground.wake();
      return;
    }
    this.hover(event, seen);
    const { room } = seen.projection;
    const isInside = x >= room.left - 4 && x <= room.right + 4 && y >= room.top - 8 && y <= room.bottom + 8;
    if (isInside) this.hair.point(seen, this.pixel);
    else this.hair.hide();
  }

  private hover(event: PointerEvent, seen: Seen): void {
    const mark = this.markUnder(event, seen);
    this.ground.handles.dot?.(seen.dots.near(...this.pixel, GRIP.mouse));
    // A mark that nothing moves is there to be read.
    this.ground.root.style.cursor = mark ? (mark.of.mark.is_fixed ? "help" : "grab") : "";
    this.pair((event.target as Element).closest<SVGElement>("g[data-line] text")?.closest<SVGElement>("[data-line]") ?? null);
    const colour = ((event.target as Element).closest("[data-colour]")?.getAttribute("data-colour") ?? null) as Colour | null;
    clearTimeout(this.resting);
    if (colour === null) this.light(null);
    else this.resting = window.setTimeout(() => this.light(colour), REST);
  }

  private light(colour: Colour | null): void {
    if (colour === this.colour) return;
    this.colour = colour;
    this.ground.handles.hover?.(colour);
  }

  /** A name that is pointed at shows whose lines it names: those of both modes are strong, all others faint. */
  private pair(name: SVGElement | null): void {
    const line = name?.dataset["line"] ?? null;
    if (line === this.line) return;
    this.line = line;
    for (const each of this.ground.svg.querySelectorAll<SVGElement>("[data-line]")) {
      each.classList.toggle("aside", line !== null && each.dataset["line"] !== line);
      each.classList.toggle("meant", line !== null && each.dataset["line"] === line);
    }
  }

  private markUnder(event: PointerEvent, { marks }: Seen): Held | null {
    if (!this.ground.handles.drag) return null;
    const [x, y] = this.where(event);
    const key = (event.target as Element).closest<SVGElement>(".chart-mark")?.dataset["key"];
    return marks.near(x, y, gripOf(event)) ?? (key === undefined ? null : marks.keyed(key));
  }

  private pressed(event: PointerEvent): void {
    const seen = this.seen();
    if (!seen || event.button) return;
    this.pixel = this.where(event);
    const open = this.open;
    if (open) {
      this.isGuessing = true;
      this.ground.root.setPointerCapture(event.pointerId);
      this.again = open.isAt(seen, this.pixel, gripOf(event)) ? this.pixel : null;
      open.hold();
      if (!this.again) open.point(seen, this.pixel, true);
      this.ground.wake();
      return;
    }
    const mark = this.markUnder(event, seen);
    clearTimeout(this.resting);
    if (!mark || mark.of.mark.is_fixed) {
      this.moved(event);
      return;
    }
    event.preventDefault();
    this.ground.root.setPointerCapture(event.pointerId);
    this.ground.root.style.cursor = "grabbing";
    this.dragged = this.last = mark.of;
    // As far beside the mark as it was taken hold of.
    this.beside = [mark.pixel[0] - this.pixel[0], mark.pixel[1] - this.pixel[1]];
    this.hair.hide();
    this.report("start", seen);
  }

  private lifted(event: PointerEvent): void {
    const seen = this.seen();
    if (event.type === "pointerup") this.pixel = this.where(event);
    if (this.isGuessing) {
      this.isGuessing = false;
      const isGiven = this.again !== null;
      this.again = null;
      const asked = this.asked();
      if (event.type === "pointercancel") asked?.cancel();
      else {
        asked?.release();
        // A hand puts the dot; pressed once more it is given, as by the button beside it.
        if (isGiven) asked?.give();
      }
    }
    if (this.dragged && seen) {
      this.report("end", seen);
      this.ground.root.style.cursor = "";
    }
    this.dragged = null;
    if (this.ground.root.hasPointerCapture(event.pointerId)) this.ground.root.releasePointerCapture(event.pointerId);
    if (event.pointerType === "touch") this.hair.hide();
  }

  private report(phase: "start" | "move" | "end", { projection }: Seen): void {
    if (!this.dragged) return;
    const { room, xAt, yAt } = projection;
    const [x, y] = [this.pixel[0] + this.beside[0], this.pixel[1] + this.beside[1]];
    const { mark, mode } = this.dragged;
    this.ground.handles.drag?.(mark, mode, xAt(clamp(x, room.left, room.right)), yAt(clamp(y, room.top, room.bottom)), phase);
  }

  private left({ pointerType }: PointerEvent): void {
    if (this.dragged) return;
    // A finger that is lifted has left what it pressed.
    if (pointerType !== "touch") this.ground.handles.dot?.(null);
    this.asked()?.leave();
    clearTimeout(this.resting);
    this.light(null);
    this.pair(null);
    this.hair.leave();
  }

  private typed(event: KeyboardEvent): void {
    const seen = this.seen();
    if (!seen) return;
    const open = this.open;
    if (open) {
      // Keys move the guess; it is given when that is said.
      if (open.guessed && (event.key === "Enter" || event.key === " ")) open.give();
      else if (open.type(seen, event.key, event.shiftKey)) this.ground.wake();
      else return;
      event.preventDefault();
      return;
    }
    if (this.hair.type(seen, event.key, event.shiftKey)) event.preventDefault();
  }

  remove(): void {
    clearTimeout(this.resting);
    this.stop.abort();
    this.hair.remove();
    this.ground.root.style.cursor = "";
  }
}
