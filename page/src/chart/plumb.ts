// A line from the bold lines down to what lies on the axis along: where a bill is read; and of a price what lies above its floor.

import { type Box, touch } from "./boxes";
import { isCrossed } from "./crossing";
import type { Projection } from "./frame";
import type { Lines } from "./lines";
import { measure, SMALL } from "./measure";
import { at } from "./numbers";
import type { Stroke } from "./stroke";
import { colourOf, halo, matched, move, part, put, say, tenth } from "./svg";

/** Words keep so far away from it. */
const NEAR = 4;
/** Least height of a bracket that has words, in pixels. */
const LEAST = 20;
/** Width of a bracket, and from it to its words. */
const ASIDE = 7;
/** Words that lie over a line go lower by so much at a time. */
const LOWER = 4;
/** Half of the width of an arrow where a bracket leaves the plot, and its height. */
const [HALF, HIGH] = [4, 7];

export class Plumb {
  private readonly group: SVGGElement;
  private readonly line: SVGPathElement;
  private readonly beads: SVGGElement;
  private readonly bracket: SVGPathElement;
  private readonly words: SVGTextElement;
  /** Where along; null where nothing is read. */
  x: number | null = null;
  /** What it covers as drawn; null where nothing. */
  covered: Box | null = null;
  /** Where its words may lie; null where it has none. */
  private said: Box | null = null;

  constructor(parent: SVGGElement) {
    this.group = part(parent, "g", { class: "plumb", "data-passing": "", "aria-hidden": "true", "pointer-events": "none" });
    this.line = part(this.group, "path", { stroke: "var(--ink)", "stroke-width": 1, fill: "none" });
    this.beads = part(this.group, "g");
    this.bracket = part(this.group, "path", { stroke: "var(--money)", "stroke-width": 2, fill: "none" });
    this.words = part(this.group, "text", { ...halo(), class: "left-to-save", "font-size": SMALL, fill: "var(--money)" });
  }

  /** Where it will run down to the axis, and from which height. */
  guideAt({ x, evenX, evenY, room }: Projection, lines: Lines): { x: number; top: number }[] {
    if (this.x === null) return [];
    const place = x(this.x);
    const bold = lines.seen.filter((stroke) => stroke.line.is_bold);
    const heights = bold.map((stroke) => evenY(stroke.drawnAt(evenX.invert(place), 0))).filter(Number.isFinite);
    return [{ x: place, top: Math.max(room.top, Math.min(room.bottom, ...heights) - NEAR) }];
  }

  /** Over so many pixels between the axis and its numbers. */
  draw(projection: Projection, lines: Lines, left: number, gap: number): void {
    const { x, evenX, evenY, room } = projection;
    const place = this.x === null ? Number.NaN : x(this.x);
    const isSeen = place >= room.left - 1 && place <= room.right + 1;
    put(this.group, { visibility: isSeen ? "inherit" : "hidden" });
    this.covered = this.said = null;
    if (!isSeen) return;
    const points = lines.seen
      .filter((stroke) => stroke.line.is_bold)
      .map((stroke) => ({ stroke, y: evenY(stroke.drawnAt(evenX.invert(place), left)) }))
      .filter(({ y }) => y >= room.top - 1 && y <= room.bottom + 1);
    const top = Math.min(room.bottom, ...points.map(({ y }) => y));
    put(this.line, { d: `M${tenth(place)},${tenth(top)} L${tenth(place)},${tenth(room.bottom + gap)}` });
    this.covered = { left: place - NEAR, right: place + NEAR, top: top - NEAR, bottom: room.bottom };
    const beads = matched(this.beads, points.length, () => part(this.beads, "circle", { r: 4.6, "stroke-width": 1.6 }));
    beads.forEach((bead, which) => {
      const { stroke, y } = at(points, which);
      const colour = colourOf(stroke.line.colour);
      const isHollow = stroke.mode === "lecture" && points.length > 1;
      put(bead, { fill: isHollow ? "var(--background)" : colour, stroke: isHollow ? colour : "var(--background)" });
      move(bead, place, y);
    });
    this.save(projection, lines, place, left);
  }

  /** Words that answer a question go first, and labels: what is still to save is not said under them. */
  giveWay(words: readonly Box[]): void {
    const { said } = this;
    if (said && words.some((each) => touch(each, said))) put(this.words, { visibility: "hidden" });
  }

  /** Between a price and its floor: what of it larger batches still save. */
  private save(projection: Projection, lines: Lines, place: number, left: number): void {
    const { evenX, evenY, yAt, room } = projection;
    const found = priced(lines.seen);
    const [from, to] = (found ?? []).map((stroke) => evenY(stroke.drawnAt(evenX.invert(place), left)));
    // A price may lie above the plot: as far as that the bracket goes, and an arrow says that it goes on.
    const top = Math.max(from ?? Number.NaN, room.top);
    const isSeen = from !== undefined && to !== undefined && to - top >= LEAST && to <= room.bottom;
    put(this.bracket, { visibility: isSeen ? "inherit" : "hidden" });
    put(this.words, { visibility: "hidden" });
    if (!isSeen) return;
    const words = `still to save: ${saved(yAt(to) / yAt(from))} %`;
    const wide = measure(words, SMALL);
    // Under a line that falls there is room to the left of it.
    const side = place - ASIDE - NEAR - wide < room.left ? 1 : -1;
    const aside = place + side * ASIDE;
    const end =
      from < top
        ? `M${tenth(aside - HALF)},${tenth(top + HIGH)} L${tenth(aside)},${tenth(top)} L${tenth(aside + HALF)},${tenth(top + HIGH)} M${tenth(aside)},${tenth(top)}`
        : `M${tenth(place)},${tenth(top)} H${tenth(aside)}`;
    put(this.bracket, { d: `${end} V${tenth(to)} H${tenth(place)}` });
    const start = aside + side * NEAR;
    const [one, other] = [start, start + side * wide].sort((few, more) => few - more) as [number, number];
    const boxAt = (y: number): Box => ({ left: one - NEAR, right: other + NEAR, top: y - SMALL, bottom: y + SMALL });
    // In the middle, or so much lower that no line runs through them: the price falls to one side, and away from there.
    const middle = (top + to) / 2;
    const heights = Array.from({ length: Math.floor((to - SMALL - middle) / LOWER) + 1 }, (_, nth) => middle + nth * LOWER);
    const free = heights.find((y) => !isCrossed(boxAt(y), projection, lines.seen, left));
    if (free === undefined) return;
    say(this.words, words);
    put(this.words, { visibility: "inherit", "text-anchor": side > 0 ? "start" : "end" });
    move(this.words, start, free + SMALL / 3);
    this.said = boxAt(free);
  }
}

/** A price and the floor that each token's own compute or context sets it, where one of each is seen. */
function priced(strokes: readonly Stroke[]): [Stroke, Stroke] | null {
  const [[price, ...prices], [floor, ...floors]] = [
    strokes.filter(({ line }) => line.is_bold && line.colour === "money"),
    strokes.filter(({ line }) => line.is_floor && ["compute", "kv"].includes(line.colour)),
  ] as [Stroke[], Stroke[]];
  return price && floor && !prices.length && !floors.length ? [price, floor] : null;
}

const MOST_DIGITS = 4;

/** Per cent that a lower line is under another; where nearly all is, with as many digits as tell it from all. */
function saved(left: number): string {
  const part = 100 * (1 - left);
  return part > 99 ? part.toFixed(Math.min(MOST_DIGITS, Math.ceil(-Math.log10(100 - part)))) : String(Math.round(part));
}
