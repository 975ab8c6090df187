// Names of lines: at their right ends, pushed apart; on a narrow screen in a key under the plot.

import type { Colour } from "../documents";
import { apart } from "./apart";
import type { Box } from "./boxes";
import type { Projection } from "./frame";
import { FONT, LINE, type Measure, SMALL, wrapped, wrappedTo } from "./measure";
import { Glide } from "./motion";
import { at, clamp, mixed } from "./numbers";
import { colourOf, matched, move, part, put, say, tenth, write } from "./svg";

/** Between two names. */
const GAP = 3;

/** Middles of names from where their lines end, kept in an order from the top; null where all do not fit. */
export function stacked(
  ends: readonly number[],
  heights: readonly number[],
  order: readonly number[],
  top: number,
  bottom: number,
): number[] | null {
  const half = (place: number) => at(heights, at(order, place)) / 2;
  const found = apart(
    order.map((place) => at(ends, place)),
    order.map((_, which) => top + half(which)),
    order.map((_, which) => bottom - half(which)),
    (one, other) => half(one) + GAP + half(other),
  );
  if (!found) return null;
  const middles = ends.map(() => Number.NaN);
  order.forEach((place, which) => {
    middles[place] = at(found, which);
  });
  return middles;
}

/** From the top down by where lines end; of those that end alike the first comes first. */
export function fromTop(ends: readonly number[]): number[] {
  return ends.map((_, place) => place).sort((a, b) => at(ends, a) - at(ends, b) || a - b);
}

/** Where an end beyond the plot is pointed at. */
export function within(end: number, top: number, bottom: number): number {
  return Number.isFinite(end) ? clamp(end, top, bottom) : bottom;
}

/** Left edges and rows of things that flow over lines of a width. */
export function flowed(widths: readonly number[], width: number, gap: number): { x: number; row: number }[] {
  let [x, row] = [0, 0];
  return widths.map((wide) => {
    if (x > 0 && x + wide > width) [x, row] = [0, row + 1];
    const found = { x, row };
    x += wide + gap;
    return found;
  });
}

/** A line, or a group of dots, that is named. */
export interface Named {
  key: string;
  name: string;
  colour: Colour;
  isBold: boolean;
  isFloor: boolean;
  isThin: boolean;
  /** Dots have no stroke that a leader could come from. */
  isGroup: boolean;
  /** Said below the name: how far apart the modes are. */
  gap: string;
  /** In even steps, as drawn now and as asked for; NaN of a line that ends elsewhere. */
  end: (isAsked: boolean) => number;
  /** The same of the other mode's line, to which the gap is drawn; null where there is none. */
  other: ((isAsked: boolean) => number) | null;
  /** How much of the line is there: a name comes with the line's end. */
  presence: () => number;
}

const LEADER = 20;
const MOST_PART = 0.3;
const MOST_WIDTH = 170;
/** Room that a gap's number may need while a hand drags. */
const WIDEST_GAP = "careful 0.000× the lecture";
const WIDEST_CHANGE = "0.000× before";
const BOLD = 600;
const DASH = 22;
const KEY_GAP = 16;
/** Names at the right may stand that much beyond the plot. */
const OVER = 6;

interface NameDrawn {
  named: Named;
  group: SVGGElement;
  leader: SVGPathElement;
  /** From the other mode's end to this one. */
  bracket: SVGPathElement;
  words: SVGGElement;
  gap: SVGGElement;
  lines: string[];
  gapLines: string[];
  /** Of the widest line, in pixels. */
  wide: number;
  stands: number | null;
  stood: number | null;
}

export class Names {
  private drawn = new Map<string, NameDrawn>();
  private readonly parent: SVGGElement;
  private readonly moving = new Glide();
  private order: string[] = [];
  private isKey = false;
  private spots = new Map<string, { x: number; row: number }>();
  private widest = MOST_WIDTH;
  /** Widths of the places that names have. */
  private rooms = new Map<string, number>();

  constructor(
    parent: SVGGElement,
    private readonly measure: () => Measure,
  ) {
    this.parent = part(parent, "g", { "aria-hidden": "true", "font-size": FONT });
  }

  ask(all: readonly Named[]): void {
    const wanted = new Set(all.map(({ key }) => key));
    for (const [key, { group }] of this.drawn)
      if (!wanted.has(key)) {
        group.remove();
        this.drawn.delete(key);
      }
    for (const named of all) {
      let one = this.drawn.get(named.key);
      if (!one) {
        const group = part(this.parent, "g", { opacity: 0 });
        one = {
          named,
          group,
          leader: part(group, "path", { fill: "none" }),
          bracket: part(group, "path", { fill: "none", "stroke-width": 4, "stroke-opacity": 0.3 }),
          words: part(group, "g"),
          gap: part(group, "g", { "font-size": SMALL }),
          lines: [named.name],
          gapLines: [],
          wide: 0,
          stands: null,
          stood: null,
        };
        this.drawn.set(named.key, one);
      }
      one.named = named;
      put(one.group, { "data-colour": named.colour });
      const colour = colourOf(named.colour);
      put(one.words, { fill: colour, "font-weight": named.isBold ? BOLD : 400 });
      put(one.gap, { fill: "var(--muted)" });
      for (const each of [one.leader, one.bracket]) put(each, { stroke: colour });
    }
    // In the order of the lines, as a key is read.
    this.drawn = new Map(all.map(({ key }) => [key, this.drawn.get(key) as NameDrawn]));
  }

  private wide(size: number, weight = 400): (text: string) => number {
    return (text) => this.measure()(text, size, weight);
  }

  /** Wrap names for the right margin; gives its width. */
  margin(width: number): number {
    this.widest = Math.min(MOST_WIDTH, MOST_PART * width);
    let most = 0;
    for (const one of this.drawn.values()) {
      const { name, isBold, gap } = one.named;
      one.lines = wrapped(name, this.widest, this.wide(FONT, isBold ? BOLD : 400));
      one.gapLines = gap ? wrapped(gap, this.widest, this.wide(SMALL)) : [];
      const reserved = isBold ? wrapped(gap ? WIDEST_GAP : WIDEST_CHANGE, this.widest, this.wide(SMALL)) : [];
      most = Math.max(
        most,
        ...one.lines.map(this.wide(FONT, isBold ? BOLD : 400)),
        ...[...one.gapLines, ...reserved].map(this.wide(SMALL)),
      );
    }
    this.rooms = new Map([...this.drawn.keys()].map((key) => [key, most]));
    return this.drawn.size ? LEADER + most + 2 : 0;
  }

  /** Order names by where their lines are asked to end; false where they do not fit beside the plot. */
  stand(projection: Projection, isStill: boolean): boolean {
    this.isKey = false;
    const all = [...this.drawn.values()];
    const ends = all.map((one) => this.pixel(one, projection, true));
    const order = fromTop(ends);
    const { top, bottom } = projection.room;
    if (!stacked(ends, all.map(heightOf), order, top - OVER, bottom + OVER)) return false;
    this.order = order.map((place) => at(all, place).named.key);
    for (const one of all) one.stood = one.stands;
    this.moving.restart(isStill);
    this.write();
    return true;
  }

  /** Lay names out as a key of a width; gives its height. */
  key(width: number): number {
    this.isKey = true;
    const all = [...this.drawn.values()];
    const items = all.flatMap(({ named }) => {
      const name = { key: named.key, wide: DASH + this.wide(SMALL, named.isBold ? BOLD : 400)(named.name) };
      if (!named.gap) return [name];
      return [name, { key: gapOf(named.key), wide: Math.max(this.wide(SMALL)(named.gap), this.wide(SMALL)(WIDEST_GAP)) }];
    });
    for (const one of all) {
      one.stands = one.stood = null;
      one.lines = [one.named.name];
      one.gapLines = one.named.gap ? [one.named.gap] : [];
    }
    const spots = flowed(
      items.map(({ wide }) => wide),
      width,
      KEY_GAP,
    );
    this.spots = new Map(items.map(({ key }, place) => [key, at(spots, place)]));
    this.rooms = new Map(items.map(({ key, wide }) => [key, wide - DASH]));
    this.write();
    return Math.max(0, ...spots.map(({ row }) => row + 1)) * (LINE + 2);
  }

  step(seconds: number): boolean {
    const moves = this.moving.step(seconds);
    if (this.moving.isOver) for (const one of this.drawn.values()) one.stood = null;
    return moves;
  }

  /** At the right of the plot, or under it from a height down. */
  draw(projection: Projection, keyTop: number, width: number): void {
    if (this.isKey) this.drawKey(keyTop);
    else this.drawEnds(projection, width);
  }

  private drawEnds(projection: Projection, width: number): void {
    const { room } = projection;
    const all = this.order.map((key) => this.drawn.get(key)).filter((one) => one !== undefined);
    // What comes while a hand drags has no place yet.
    for (const one of this.drawn.values()) put(one.group, { visibility: all.includes(one) ? "inherit" : "hidden" });
    const ends = all.map((one) => this.pixel(one, projection, false));
    const heights = all.map(heightOf);
    const order = all.map((_, place) => place);
    const seen: Box[] = [];
    const middles = stacked(ends, heights, order, room.top - OVER, room.bottom + OVER) ?? ends;
    all.forEach((one, place) => {
      const target = at(middles, place);
      one.stands = one.stood === null ? target : mixed(one.stood, target, this.moving.part);
      const [x, top, end] = [room.right + LEADER, one.stands - at(heights, place) / 2, at(ends, place)];
      move(one.words, x, top + FONT - 1);
      move(one.gap, x, top + one.lines.length * LINE + SMALL - 1);
      const box = { left: x, right: x, top, bottom: top + at(heights, place) };
      // On the way to other ends of the plot names may come to lie over each other, or outside.
      const isFree =
        x + one.wide <= width + 1 && !seen.some((other) => other.top < box.bottom - 1 && box.top < other.bottom - 1);
      if (isFree) seen.push(box);
      put(one.group, { opacity: isFree ? one.named.presence() : 0 });
      this.drawBracket(one, projection, at(ends, place));
      const first = top + LINE / 2;
      const joint = clamp(end, first, first + (one.lines.length - 1) * LINE);
      put(one.gap, { visibility: "inherit" });
      // No leader points at where a line is not.
      const isThere = !one.named.isGroup && Math.abs(at(ends, place) - projection.evenY(one.named.end(false))) < 1;
      put(one.leader, { "stroke-width": 1, "stroke-dasharray": "none", "stroke-opacity": isThere ? 0.8 : 0 });
      one.leader.setAttribute(
        "d",
        `M${tenth(room.right + 2)},${tenth(end)} L${tenth(room.right + 6)},${tenth(end)} L${tenth(x - 7)},${tenth(joint)} L${tenth(x - 3)},${tenth(joint)}`,
      );
    });
  }

  /** The gap between the modes, at the right edge of the plot. */
  private drawBracket({ named, bracket }: NameDrawn, { evenY, room }: Projection, end: number): void {
    const other = named.other ? evenY(named.other(false)) : Number.NaN;
    const isSeen = other > room.top && other < room.bottom && end > room.top && end < room.bottom && Math.abs(other - end) > 3;
    put(bracket, { d: isSeen ? `M${tenth(room.right + 2)},${tenth(other)} L${tenth(room.right + 2)},${tenth(end)}` : "" });
  }

  private drawKey(top: number): void {
    for (const one of this.drawn.values()) {
      put(one.bracket, { d: "" });
      const spot = this.spots.get(one.named.key);
      put(one.group, { visibility: spot ? "inherit" : "hidden", opacity: 1 });
      if (!spot) continue;
      const y = top + spot.row * (LINE + 2) + SMALL;
      const { named } = one;
      move(one.words, spot.x + DASH, y);
      const gap = this.spots.get(gapOf(named.key));
      put(one.gap, { visibility: gap ? "inherit" : "hidden" });
      if (gap) move(one.gap, gap.x, top + gap.row * (LINE + 2) + SMALL);
      const d = `M${spot.x},${y - 4} L${spot.x + DASH - 7},${y - 4}`;
      put(one.leader, {
        d: named.isGroup ? `M${spot.x + 6},${y - 4} L${spot.x + 6.01},${y - 4}` : d,
        "stroke-width": named.isGroup ? 7 : named.isBold ? 3.4 : 1.9,
        "stroke-linecap": named.isGroup ? "round" : "butt",
        "stroke-dasharray": named.isFloor ? "2 3" : named.isThin ? "6 4" : "none",
        "stroke-opacity": 1,
      });
    }
  }

  private write(): void {
    for (const one of this.drawn.values()) {
      const size = this.isKey ? SMALL : FONT;
      write(one.words, one.lines, LINE, { "font-size": size });
      const weight = one.named.isBold ? BOLD : 400;
      one.wide = Math.max(...one.lines.map(this.wide(size, weight)), ...one.gapLines.map(this.wide(SMALL)));
      this.writeGap(one);
    }
  }

  /** New numbers in the places that are held. */
  hold(isAtOnce: boolean): void {
    let isOther = false;
    for (const one of this.drawn.values()) {
      const { name, isBold, gap } = one.named;
      const wide = this.wide(this.isKey ? SMALL : FONT, isBold ? BOLD : 400);
      const lines = wrappedTo(name, one.lines.length, wide);
      // What a name goes on with after its colon is left out while there is no room for it.
      const isIn = lines.every((line) => wide(line) <= (this.rooms.get(one.named.key) ?? Infinity) + 1);
      one.lines = isIn ? lines : wrappedTo(name.split(":")[0] ?? name, one.lines.length, wide);
      const before = one.gapLines.length;
      one.gapLines = gap ? wrappedTo(gap, Math.max(1, before), this.wide(SMALL)) : [];
      isOther ||= one.gapLines.length !== before;
    }
    // What stands beside a line more makes room for it.
    if (isOther) {
      for (const one of this.drawn.values()) one.stood = one.stands;
      this.moving.restart(isAtOnce);
    }
    this.write();
  }

  private writeGap({ gap, gapLines }: NameDrawn): void {
    matched(gap, gapLines.length, () => part(gap, "text")).forEach((text, place) => {
      put(text, { y: place * LINE });
      say(text, at(gapLines, place));
    });
  }

  private pixel({ named }: NameDrawn, { evenY, room }: Projection, isAsked: boolean): number {
    return within(evenY(named.end(isAsked)), room.top, room.bottom);
  }
}

function gapOf(key: string): string {
  return `${key}\ngap`;
}

function heightOf({ lines, gapLines }: NameDrawn): number {
  return (lines.length + gapLines.length) * LINE;
}

/** How many times as much, in few digits. */
export function times(ratio: number): string {
  if (ratio >= 1000) return Math.round(ratio).toLocaleString("en-US");
  if (Math.abs(ratio - 1) < 0.1) return ratio.toFixed(2);
  return ratio >= 99.5 ? String(Math.round(ratio)) : String(Number(ratio.toPrecision(2)));
}
