// A hair over a picture of lines: where a hand or keys have it, values are read.

import { even, uneven } from "./frame";
import { at, clamp } from "./numbers";
import { GRIP, type Seen } from "./pointer";
import { along, reading, things, under } from "./reading";
import { Readout, spoken } from "./readout";
import type { Ground } from "./stage";
import { colourOf, matched, move, part, put } from "./svg";

/** Keys go over the plot in so many steps. */
const STEPS = 40;

export class Hair {
  private readonly group: SVGGElement;
  private readonly line: SVGPathElement;
  private readonly beads: SVGGElement;
  private readonly readout: Readout;
  /** Where values are read, in even steps along; null where none are. */
  private place: number | null = null;
  /** Where the hand is, in pixels; null where keys move the hair. */
  private hand: readonly [number, number] | null = null;
  private isDirty = false;

  constructor(
    private readonly ground: Ground,
    parent: SVGGElement,
    private readonly seen: () => Seen | null,
  ) {
    this.group = part(parent, "g", {
      "aria-hidden": "true",
      "data-passing": "",
      visibility: "hidden",
      "pointer-events": "none",
    });
    this.line = part(this.group, "path", { stroke: "var(--muted)", "stroke-opacity": 0.8, fill: "none" });
    this.beads = part(this.group, "g");
    this.readout = new Readout(ground.root);
  }

  /** What is shown has changed. */
  refresh(): void {
    this.isDirty = true;
  }

  /** Where a hand points, in pixels; at the dot or the mark that it points at. */
  point(seen: Seen, hand: readonly [number, number]): void {
    const { room, evenX } = seen.projection;
    this.hand = [...hand];
    const [x] = seen.dots.near(...hand, GRIP.mouse)?.pixel ?? seen.marks.near(...hand, GRIP.mouse)?.pixel ?? hand;
    this.look(seen, evenX.invert(clamp(x, room.left, room.right)));
  }

  /** Whether a key moved the hair. */
  type(seen: Seen, key: string, isFine: boolean): boolean {
    if (key === "Escape") this.hide();
    const [low, high] = seen.projection.across;
    const step = stepOf(seen, isFine);
    const now = this.place ?? (key === "ArrowLeft" ? high + step : low - step);
    const next = { ArrowRight: now + step, ArrowLeft: now - step, Home: low, End: high }[key];
    if (next === undefined) return false;
    this.hand = null;
    this.look(seen, clamp(next, low, high));
    if (this.place !== null) this.ground.handles.say?.(spoken(reading(seen, read(seen, this.place))));
    return true;
  }

  private look(seen: Seen, step: number): void {
    this.place = isWhole(seen.shown) ? nearest(seen, step) : step;
    this.isDirty = true;
    this.ground.wake();
  }

  /** With each frame: the hair where lines are drawn now, the words where they have changed. */
  draw(): void {
    const seen = this.place === null ? null : this.seen();
    this.group.setAttribute("visibility", seen ? "inherit" : "hidden");
    if (!seen || this.place === null) return;
    const place = read(seen, this.place);
    const { evenX, evenY, room } = seen.projection;
    const x = evenX(place);
    if (x < room.left - 1 || x > room.right + 1) {
      this.hide();
      return;
    }
    this.line.setAttribute("d", `M${x},${room.top} L${x},${room.bottom}`);
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
    const bold = points.filter(({ stroke }) => stroke.line.is_bold).at(-1);
    if (this.isDirty) this.say(seen, place, x, bold?.y ?? (room.top + room.bottom) / 2);
    this.isDirty = false;
  }

  /** Beside the hand, or beside what the board is about. */
  private say(seen: Seen, place: number, x: number, y: number): void {
    const said = reading(seen, place);
    const near = this.hand ? under(seen, this.hand, GRIP.mouse) : along(seen, x, GRIP.mouse);
    const rows = [...near, ...said.rows];
    this.readout.show(
      { ...said, rows },
      {
        x,
        y: this.hand?.[1] ?? y,
        room: seen.projection.room,
        size: seen.size,
        things: (from, to) => things(seen, from, to),
      },
    );
  }

  /** The hand is gone; what keys have asked for stays. */
  leave(): void {
    if (this.hand) this.hide();
  }

  hide(): void {
    this.place = null;
    this.readout.hide();
    this.group.setAttribute("visibility", "hidden");
  }

  remove(): void {
    this.readout.remove();
  }
}

/** A fortieth of the plot; of what cannot be divided, whole ones. */
function stepOf({ shown, projection: { across } }: Seen, isFine: boolean): number {
  const step = (across[1] - across[0]) / STEPS;
  return isWhole(shown) && !shown.view.axes.x.is_logarithmic ? Math.max(1, Math.round(step)) : isFine ? step / 8 : step;
}

function isWhole({ view, modes }: Seen["shown"]): boolean {
  return modes.some((mode) => view.pictures[mode]?.is_whole);
}

/** Where values are read, in even steps: of what cannot be divided at the nearest whole one that the plot has. */
function read({ shown, projection: { across } }: Seen, place: number): number {
  const { x } = shown.view.axes;
  if (!x.is_whole) return place;
  const [low, high] = across.map((end) => uneven(x, end)) as [number, number];
  const whole = clamp(Math.round(uneven(x, place)), Math.ceil(low), Math.floor(high));
  return even(x, whole);
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
