// Names of lines: at their right ends, pushed apart; on a narrow screen in a key under the plot. Groups of dots, which have
// no end, have a key above it.

import { MODE_WORDS } from "../state/modes";
import type { Box } from "./boxes";
import type { Projection } from "./frame";
import { FONT, LINE, measure, SMALL, wrapped, wrappedTo } from "./measure";
import { Glide } from "./motion";
import { BOLD, DASH, LEADER, NameDrawn, type Named } from "./name";
import { at, mixed } from "./numbers";
import { flowed, fromTop, stacked } from "./stacking";
import { part } from "./svg";

const MOST_PART = 0.3;
const MOST_WIDTH = 170;
/** Room that a gap's number may need, in a key and beside the plot, where the wider of two stays when a hand comes. */
const WIDEST_GAP = `${MODE_WORDS.careful} 0.00× cheaper`;
const WIDEST_CHANGE = "0.00× cheaper than before";
const KEY_GAP = 16;
/** Names at the right may stand that much beyond the plot. */
const OVER = 6;
/** Beyond the widest of them. */
const MARGIN_END = 2;

export class Names {
  private drawn = new Map<string, NameDrawn>();
  private readonly parent: SVGGElement;
  private readonly moving = new Glide();
  private order: string[] = [];
  private isKey = false;
  private keepsPlaces = false;
  private spots = new Map<string, { x: number; row: number }>();
  private widest = MOST_WIDTH;
  /** Of the room that names have beside the plot. */
  private height = 0;
  /** Widths of the places that names have. */
  private rooms = new Map<string, number>();

  constructor(parent: SVGGElement) {
    this.parent = part(parent, "g", { "aria-hidden": "true", "font-size": FONT });
  }

  /** In a key, too, names that are still to come have their places where so many come that it would grow. */
  ask(all: readonly Named[], keepsPlaces: boolean): void {
    this.keepsPlaces = keepsPlaces;
    const wanted = new Set(all.map(({ key }) => key));
    for (const [key, one] of this.drawn) if (!wanted.has(key)) one.remove();
    // In the order of the lines, as a key is read.
    this.drawn = new Map(
      all.map((named) => {
        const one = this.drawn.get(named.key) ?? new NameDrawn(this.parent, named);
        one.ask(named);
        return [named.key, one];
      }),
    );
  }

  private groups(isGroup: boolean): NameDrawn[] {
    return [...this.drawn.values()].filter(({ named }) => named.isGroup === isGroup);
  }

  private sizeOf({ named }: NameDrawn): number {
    return this.isKey || named.isGroup ? SMALL : FONT;
  }

  private wide(size: number, weight = 400): (text: string) => number {
    return (text) => measure(text, size, weight);
  }

  /** Wrap names for the right margin, if they can be for one that is no wider than some pixels; gives its width. */
  margin(width: number, most = Infinity): number {
    this.widest = Math.min(MOST_WIDTH, MOST_PART * width, most - LEADER - MARGIN_END);
    let found = 0;
    const all = this.groups(false);
    for (const one of all) {
      const { name, isBold, gap } = one.named;
      one.lines = wrapped(name, this.widest, this.wide(FONT, one.weight));
      one.gapLines = gap ? wrapped(gap, this.widest, this.wide(SMALL)) : [];
      found = Math.max(found, this.room(name, isBold), ...one.gapLines.map(this.wide(SMALL)));
    }
    this.rooms = new Map(all.map(({ named }) => [named.key, found]));
    return found ? LEADER + found + MARGIN_END : 0;
  }

  /** Widest line of a name as it is wrapped, or of what may come to stand below a bold one. */
  private room(name: string, isBold: boolean): number {
    const wide = this.wide(FONT, isBold ? BOLD : 400);
    const change = isBold ? wrapped(WIDEST_CHANGE, this.widest, this.wide(SMALL)) : [];
    return Math.max(...wrapped(name, this.widest, wide).map(wide), ...change.map(this.wide(SMALL)));
  }

  /** Lay groups of dots out as a key above the plot; gives its height. */
  above(width: number): number {
    return this.flow(this.groups(true), width);
  }

  /** Order names by where their lines are asked to end; false where they do not fit beside the plot. */
  stand(projection: Projection, isStill: boolean): boolean {
    this.isKey = false;
    const all = this.groups(false);
    const ends = all.map((one) => one.end(projection, true));
    const order = fromTop(ends);
    const { top, bottom } = projection.room;
    this.height = bottom - top + 2 * OVER;
    const heights = all.map(({ height }) => height);
    if (!stacked(ends, heights, order, top - OVER, bottom + OVER)) return false;
    this.order = order.map((place) => at(all, place).named.key);
    for (const one of all) one.stood = one.stands;
    this.moving.restart(isStill);
    this.write();
    return true;
  }

  /** Lay names out as a key of a width; gives its height. */
  key(width: number): number {
    this.isKey = true;
    return this.flow(
      [...this.drawn.values()].filter(({ named }) => !named.isComing || this.keepsPlaces),
      width,
    );
  }

  private flow(all: readonly NameDrawn[], width: number): number {
    const items = all.flatMap(({ named, weight }) => {
      const name = { key: named.key, wide: DASH + this.wide(SMALL, weight)(named.name) };
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
    for (const { key, wide } of items) this.rooms.set(key, wide - DASH);
    this.write();
    return Math.max(0, ...spots.map(({ row }) => row + 1)) * (LINE + 2);
  }

  step(seconds: number): boolean {
    const moves = this.moving.step(seconds);
    if (this.moving.isOver) for (const one of this.drawn.values()) one.stood = null;
    return moves;
  }

  /** At the right of the plot, and above it from a height down; or all under it. */
  draw(projection: Projection, { names, key }: { names: number; key: number }, width: number, isHushed: boolean): void {
    for (const one of this.drawn.values()) one.hush(isHushed);
    if (this.isKey) return this.drawKey([...this.drawn.values()], key);
    this.drawKey(this.groups(true), names);
    this.drawEnds(projection, width);
  }

  private drawEnds(projection: Projection, width: number): void {
    const { room } = projection;
    const all = this.order.map((key) => this.drawn.get(key)).filter((one) => one !== undefined);
    // What comes while a hand drags has no place yet.
    for (const one of this.groups(false)) if (!all.includes(one)) one.show(false, 0);
    const ends = all.map((one) => one.end(projection, false));
    const heights = all.map(({ height }) => height);
    const order = all.map((_, place) => place);
    const seen: Box[] = [];
    const middles = stacked(ends, heights, order, room.top - OVER, room.bottom + OVER) ?? ends;
    all.forEach((one, place) => {
      const target = at(middles, place);
      one.stands = one.stood === null ? target : mixed(one.stood, target, this.moving.part);
      const [x, top] = [room.right + LEADER, one.stands - one.height / 2];
      one.drawBeside(top, at(ends, place), projection);
      const box = { left: x, right: x, top, bottom: top + one.height };
      // On the way to other ends of the plot names may come to lie over each other, or outside.
      const isFree =
        x + one.wide <= width + 1 && !seen.some((other) => other.top < box.bottom - 1 && box.top < other.bottom - 1);
      if (isFree) seen.push(box);
      one.show(true, isFree ? one.named.presence() : 0);
    });
  }

  private drawKey(all: readonly NameDrawn[], top: number): void {
    const down = (row: number) => top + row * (LINE + 2) + SMALL;
    for (const one of all) {
      const [spot, gap] = [this.spots.get(one.named.key), this.spots.get(gapOf(one.named.key))];
      one.show(spot !== undefined, one.named.isComing ? 0 : 1);
      if (spot) one.drawInKey(spot.x, down(spot.row), gap ? { x: gap.x, y: down(gap.row) } : null);
    }
  }

  private write(): void {
    for (const one of this.drawn.values()) one.write(this.sizeOf(one));
  }

  /** New numbers in the places that are held. */
  hold(isAtOnce: boolean): void {
    let isOther = false;
    // How high lines end that have left the frame is said of all, where there is room for it.
    const all = [...this.drawn.values()];
    const rows = all.reduce((sum, { lines, named }) => sum + lines.length + Math.min(1, named.gap.length), 0);
    const isRoomy = rows * LINE <= this.height;
    for (const one of all) {
      const { name, isBold } = one.named;
      const gap = isBold || isRoomy ? one.named.gap : "";
      const wide = this.wide(this.sizeOf(one), one.weight);
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
      for (const one of all) one.stood = one.stands;
      this.moving.restart(isAtOnce);
    }
    this.write();
  }
}

function gapOf(key: string): string {
  return `${key}\ngap`;
}
