// Labels of marks: beside their dots where there is room, else in the rail above the plot. Places are found at rest and
// held while a hand drags.

import { type Box, type Led, uncovered } from "./boxes";
import { Bracket } from "./bracket";
import type { Projection } from "./frame";
import { type Around, InPlot, labelled, weightOf } from "./inplot";
import { ARRIVED, BOLD, BULLET, FAN, type MarkDrawn } from "./mark";
import { LINE, measure, SMALL, wrapped, wrappedTo } from "./measure";
import { Glide, isStill } from "./motion";
import { at, clamp } from "./numbers";
import { type Arrangement, arrange, bestSeat, lean, type Reach, rowHeights, settle, type Wanted } from "./rail";
import { since } from "./since";

const PADDING = 4;
/** A label wider than that part of the plot is written over two lines. */
const WIDE_PART = 0.42;
const LEAST_WRAP = 120;
const MOST_WRAP = 230;
/** Seats are kept at rest as long as no leader leans more. */
const MOST_LEAN = 24;
/** Beside a dot words are narrow: two short lines are nearer to it than a long one. */
const BESIDE_WRAP = 150;

export class Labels {
  private readonly seating = new Glide();
  /** Keys of the marks whose labels have seats, from left to right. */
  private order: string[] = [];
  private rows: number[] = [];
  /** Over how many lines each was written at rest. */
  private lines = new Map<string, number>();
  /** Whether labels leave out how far the modes are apart: a bracket says it, or there is no room for it. */
  private isTerse = false;
  /** Those that stand beside their dots. */
  private readonly inside: InPlot;

  constructor(
    private readonly marks: ReadonlyMap<string, MarkDrawn>,
    around: Around,
    parent: SVGGElement,
  ) {
    this.inside = new InPlot(marks, around, new Bracket(parent));
  }

  /** Places for labels of a plot under a rail of some height; gives that height. */
  seat(under: (rail: number) => Projection, tallest: number, width: number, isStill: boolean): number {
    const all = this.seated();
    for (const mark of all) mark.stood = mark.stands;
    const { inside } = this;
    this.isTerse = inside.hasTwins;
    let { height, projection } = this.placed(all, under, tallest, width);
    if (!inside.bracketed(projection) && this.isTerse) {
      this.isTerse = false;
      ({ height } = this.placed(all, under, tallest, width));
    }
    // A label without a place is not seen on its way out.
    if (isStill) for (const mark of all) mark.arrived = mark.seat || mark.spot ? ARRIVED : 0;
    // What goes fades where it stands, and so does the label of a mark that says no more than the other mode's.
    for (const mark of this.marks.values()) if (!all.includes(mark)) mark.seat = null;
    this.lines = new Map(all.map((mark) => [mark.key, mark.words.length]));
    this.seating.restart(isStill);
    for (const mark of all) mark.write();
    return height;
  }

  /** Labels beside their dots, as many as have room there, and the others above. */
  private placed(
    all: readonly MarkDrawn[],
    under: (rail: number) => Projection,
    tallest: number,
    width: number,
  ): { height: number; projection: Projection } {
    const above = new Set(all.filter(({ of }) => of.isName));
    for (;;) {
      const railed = all.filter((mark) => above.has(mark));
      for (const mark of railed) mark.spot = null;
      const height = this.seatAbove(railed, under(0), tallest, width);
      const projection = under(height);
      const rest = all.filter((mark) => !above.has(mark));
      const lost = this.inside.seat(rest, projection, (mark) =>
        this.lay(mark, (text, wide) => wrapped(text, BESIDE_WRAP, wide), true),
      );
      if (!lost.length) return { height, projection };
      for (const mark of lost) above.add(mark);
    }
  }

  /** Seats in the rail; gives its height. */
  private seatAbove(all: readonly MarkDrawn[], projection: Projection, tallest: number, width: number): number {
    const reach = reachOf(projection, width);
    // Where there is one row alone, labels are on one line.
    const widest = tallest < 2 * LINE ? Infinity : wrapAt(width);
    const isTerse = this.isTerse;
    const arranged = (isTerse: boolean) => {
      this.isTerse = isTerse;
      for (const mark of all) this.lay(mark, (text, wide) => wrapped(text, widest, wide));
      const wanted = all.map((mark) => this.wanted(mark, projection));
      const kept = this.kept(all);
      const isRoomy = kept && lean(wanted, kept, reach) <= MOST_LEAN && total(rowHeights(wanted, kept)) <= tallest;
      return { wanted, held: isRoomy ? kept : arrange(wanted, reach, tallest) };
    };
    let { wanted, held } = arranged(isTerse);
    // How far the modes are apart is not said where some number would not be said for it.
    if (!isTerse && held.seats.includes(null) && all.some((mark) => mark.of.ratio)) ({ wanted, held } = arranged(true));
    all.forEach((mark, place) => {
      mark.seat = at(held.seats, place);
    });
    this.order = held.order.map((place) => at(all, place).key);
    this.rows = rowHeights(wanted, held);
    return this.rows.length ? railOf(total(this.rows)) : 0;
  }

  /** Whether each label found a place. */
  get isComplete(): boolean {
    return this.seated().every((mark) => mark.seat || mark.spot);
  }

  /** New words in the seats that are held; marks that come meanwhile take a seat that is free. */
  hold(projection: Projection, width: number, isStill: boolean): void {
    const reach = reachOf(projection, width);
    const everything = this.seated();
    for (const mark of everything) {
      const count = this.lines.get(mark.key);
      const over = (text: string, wide: (text: string) => number) =>
        count ? wrappedTo(text, count, wide) : wrapped(text, wrapAt(width), wide);
      this.lay(mark, over, mark.spot !== null);
    }
    this.inside.hold(
      everything.filter((mark) => mark.spot || !mark.seat),
      projection,
    );
    const all = everything.filter((mark) => !mark.spot);
    this.order = this.order.filter((key) => this.marks.has(key));
    this.reorder(all);
    const fresh = all.filter((mark) => !this.order.includes(mark.key));
    if (fresh.length) {
      for (const mark of all) mark.stood = mark.stands;
      const wanted = all.map((mark) => this.wanted(mark, projection));
      for (const mark of fresh) {
        const x = mark.asked[0];
        const next = this.order.findIndex((key) => (this.marks.get(key)?.asked[0] ?? -Infinity) > x);
        this.order.splice(next < 0 ? this.order.length : next, 0, mark.key);
        const held = { seats: all.map((each) => each.seat), order: this.places(all) };
        mark.seat = bestSeat(wanted, held, all.indexOf(mark), reach, total(this.rows));
        if (mark.seat && mark.height > (this.rows[mark.seat.row] ?? 0)) mark.seat = null;
        this.lines.set(mark.key, mark.words.length);
      }
      this.seating.restart(isStill);
    }
    this.giveWay(all, projection, reach);
    for (const mark of everything) mark.write();
  }

  /** Where a mark has passed another their labels change places, too: no leader crosses another. */
  private reorder(all: readonly MarkDrawn[]): void {
    const along = (key: string) => this.marks.get(key)?.asked[0] ?? 0;
    const sorted = [...this.order].sort((one, other) => along(one) - along(other));
    if (sorted.every((key, place) => key === this.order[place])) return;
    this.order = sorted;
    for (const mark of all) mark.stood = mark.stands;
    this.seating.restart(isStill());
  }

  /** Where words have grown beyond what their rows hold, the lightest are not said until the hand lets go. */
  private giveWay(all: readonly MarkDrawn[], projection: Projection, reach: Reach): void {
    const wanted = all.map((mark) => this.wanted(mark, projection));
    const lightest = all.map((_, place) => place).sort((a, b) => at(wanted, a).weight - at(wanted, b).weight);
    for (const place of lightest) {
      if (settle(wanted, { seats: all.map((mark) => mark.seat), order: this.places(all) }, reach)) return;
      at(all, place).seat = null;
    }
  }

  /** Whether seats still change. */
  step(seconds: number): boolean {
    const moves = this.seating.step(seconds);
    if (this.seating.isOver) for (const mark of this.marks.values()) mark.stood = null;
    return moves;
  }

  /** Over dots as they are drawn now. */
  draw(projection: Projection, left: number, width: number, above: number): void {
    const { room } = projection;
    const beside = [...this.marks.values()].filter((mark) => mark.spot);
    for (const mark of beside) if (mark.spot) mark.drawBeside(mark.spot, this.seating.part);
    const all = [...this.marks.values()].filter((mark) => mark.seat && !mark.spot && mark.arrived > 0);
    const x = this.settled(all, left, reachOf(projection, width));
    all.forEach((mark, place) => {
      const row = mark.seat?.row ?? 0;
      const foot = room.top - FAN - total(this.rows.slice(0, row));
      mark.drawLabel(x ? at(x, place) : mark.pixel[0], foot, projection, this.seating.part);
    });
    for (const mark of this.marks.values())
      if (!all.includes(mark) && !mark.spot)
        mark.drawLabel(mark.stands?.[0] ?? mark.pixel[0], (mark.stands?.[1] ?? room.top) + mark.height, projection, 1);
    const rail = { left: -1, right: width + 1, top: above - 1, bottom: room.top - FAN + 1 };
    this.hideCovered(rail, projection, left);
    this.inside.draw(projection, left);
  }

  /** Of labels that come to lie over each other the lighter is not seen until there is room again. */
  private hideCovered(rail: Box, projection: Projection, left: number): void {
    const plot = projection.room.top;
    const rank = (mark: MarkDrawn) => (mark.isGone ? 0 : mark.isHeld ? Infinity : 1 + weightOf(mark.of));
    const all = [...this.marks.values()]
      .map((mark) => ({ mark, led: mark.led(plot) }))
      .filter((one): one is { mark: MarkDrawn; led: Led } => one.led !== null)
      .sort((one, other) => rank(other.mark) - rank(one.mark));
    const isFree = uncovered(
      all.map(({ led }) => led),
      all.map(({ mark }) => (mark.spot ? projection.room : rail)),
    );
    all.forEach(({ mark, led }, place) => {
      if (mark.isHeld) return;
      if (!isFree[place] || (mark.spot && !this.inside.isBare(led.words, projection, left))) mark.seen = 0;
    });
    for (const mark of this.marks.values()) mark.drawSeen();
  }

  /** Where leaders of seated labels begin now; closer together where words have grown beyond what a row holds. */
  private settled(all: readonly MarkDrawn[], left: number, reach: Reach): number[] | null {
    const held = { seats: all.map((mark) => mark.seat), order: this.places(all) };
    for (let kept = 1; kept > 0; kept -= 0.1) {
      const wanted = all.map((mark) => ({
        x: mark.pixel[0],
        width: kept * (mark.width + left * mark.wider),
        height: mark.height,
        weight: 0,
        presence: Math.min(1, mark.arrived),
      }));
      const found = settle(wanted, held, reach);
      if (found) return found;
    }
    return null;
  }

  /** Whether a label is on its way to be seen again; as drawn. */
  get isCovered(): boolean {
    return [...this.marks.values()].some((mark) => mark.seen > 0 && mark.seen < 1);
  }

  /** In the order that is held, places of marks in a list. */
  private places(all: readonly MarkDrawn[]): number[] {
    return this.order.map((key) => all.findIndex((mark) => mark.key === key)).filter((place) => place >= 0);
  }

  /** What covers the plot at rest. */
  takenAt(projection: Projection): Box[] {
    return this.inside.takenAt(projection);
  }

  private seated(): MarkDrawn[] {
    return labelled(this.marks);
  }

  private lay(mark: MarkDrawn, over: (text: string, wide: (text: string) => number) => string[], isBeside = false): void {
    const { isTold, isName, isBold, mark: shown, ratio } = mark.of;
    const wide = (words: string) => measure(words, SMALL, isName && isBold ? BOLD : 400);
    const before = mark.width;
    const text = mark.was ? since(mark.was, joined(shown.text)) : joined(shown.text);
    mark.words = over(ratio && !this.isTerse ? `${text}, ${ratio}` : text, wide);
    mark.wides = mark.words.map((words, place) => wide(words) + (isTold && !place && !isBeside ? BULLET.width : 0));
    mark.width = Math.max(...mark.wides);
    mark.wider = before ? mark.wider + before - mark.width : 0;
  }

  private wanted(mark: MarkDrawn, { evenX, room }: Projection): Wanted {
    return {
      x: clamp(evenX(mark.asked[0]), room.left, room.right),
      width: mark.width,
      height: mark.height,
      weight: weightOf(mark.of),
    };
  }

  /** The seats of now, if every label has one and they come in the same order. */
  private kept(all: readonly MarkDrawn[]): Arrangement | null {
    const order = this.places(all);
    if (order.length !== all.length || all.some((mark) => !mark.seat)) return null;
    const isSorted = order.every((place, which) => !which || at(all, at(order, which - 1)).asked[0] <= at(all, place).asked[0]);
    return isSorted ? { seats: all.map((mark) => mark.seat), order } : null;
  }
}

/** Height of a rail with rows. */
export function railOf(rows: number): number {
  return rows + FAN + PADDING;
}

function wrapAt(width: number): number {
  return Math.min(MOST_WRAP, Math.max(LEAST_WRAP, WIDE_PART * width));
}

/** Labels may use the whole width of the picture, leaders that of the plot. */
function reachOf({ room }: Projection, width: number): Reach {
  return { low: 0, high: width, from: room.left, to: room.right };
}

/** On one line: words that were below each other in a picture of their own. */
export function joined(text: string): string {
  return text.replace(/([^:,])\n(?=[\d$+-])/g, "$1, ").replaceAll("\n", " ");
}

function total(heights: readonly number[]): number {
  return heights.reduce((sum, height) => sum + height, 0);
}
