// Labels beside the dots of their marks, and the bracket between the two modes' marks: what of words lies in the plot.

import { boxAt, dotBoxes, HELD_RINGS, leadBoxes, nearSpot, type Spot, spotFor, spotsFor, type Worded } from "./beside";
import { type Box, isInside, touch } from "./boxes";
import type { Bracket, Twins } from "./bracket";
import type { Projection } from "./frame";
import type { MarkDrawn, MarkOf } from "./mark";
import { at, clamp } from "./numbers";

/** Words keep so far away from the edges of the plot, and from a leader that passes them. */
const INSET = 4;
const PASSING = 3;

/** In pixels. */
interface Guide {
  x: number;
  top: number;
}

/** What else is in the plot that words may not cover. */
export interface Around {
  /** Whether no line will run through a box, at rest, nor one as it was before a hand took hold. */
  isFree: (box: Box, projection: Projection) => boolean;
  /** The same of lines as they are alone. */
  isUncrossed: (box: Box, projection: Projection) => boolean;
  /** The same as drawn now, so much before rest. */
  isBare: (box: Box, projection: Projection, left: number) => boolean;
  /** Dots that lie on no line, at rest. */
  dots: (projection: Projection) => readonly (readonly [number, number])[];
  /** Guides that will run down to the axis along: where, and from which height. */
  guides: (projection: Projection) => readonly Guide[];
}

export class InPlot {
  constructor(
    private readonly marks: ReadonlyMap<string, MarkDrawn>,
    private readonly around: Around,
    private readonly bracket: Bracket,
  ) {}

  /** Whether two marks are to be compared. */
  get hasTwins(): boolean {
    return this.twins() !== null;
  }

  /** Spots for labels in the plot, the weightiest first; gives those without. */
  seat(all: readonly MarkDrawn[], projection: Projection, lay: (mark: MarkDrawn) => void): MarkDrawn[] {
    const first = [...all].sort((one, other) => weightOf(other.of) - weightOf(one.of));
    for (const mark of first) {
      mark.seat = null;
      lay(mark);
    }
    const taken = [...this.dotsAt(projection), ...this.passing(projection)];
    const found = (order: readonly MarkDrawn[]) => {
      const wanted = order.map((mark) => ({ ...worded(mark, projection), before: mark.spot }));
      const spots = spotsFor(wanted, inset(projection), taken, (box) => this.around.isFree(box, projection));
      return new Map(order.map((mark, place) => [mark, at(spots, place)]));
    };
    const without = (some: ReadonlyMap<MarkDrawn, Spot | null>) => first.filter((mark) => !some.get(mark));
    let best = found(first);
    // Who finds none may find one before the others.
    const lost = without(best);
    const again = lost.length ? found([...lost, ...first.filter((mark) => !lost.includes(mark))]) : best;
    if (without(again).length < lost.length) best = again;
    for (const [mark, spot] of best) mark.spot = spot;
    return without(best);
  }

  /** Whether a bracket between the modes' marks found room; else it is to be said in words. */
  bracketed(projection: Projection): boolean {
    const isFree = (box: Box) =>
      this.around.isFree(box, projection) && !this.passing(projection).some((each) => touch(each, box));
    const taken = [...this.wordsAt(projection), ...this.dotsAt(projection)];
    return this.bracket.find(this.twins(), { ...projection, room: inset(projection) }, isFree, taken);
  }

  /**
   * Labels keep their sides of their dots: one that a line or other words come to lie under is not seen for as long as they do.
   *
   * What hops is not read. Only where nobody has a place yet one is looked for, and for words that a hand itself moves: these
   * are shown on another side, if one is free.
   */
  hold(all: readonly MarkDrawn[], projection: Projection): void {
    this.bracket.renew(this.twins());
    const dots = this.dotsAt(projection);
    // Only words that a hand holds keep clear of ghosts, too: a line that leaves its ghost beside words is no reason for
    // these to leave as well.
    const { isFree, isUncrossed } = this.around;
    for (const mark of all) {
      if (mark.spot && !mark.isHeld) continue;
      const isClear = (box: Box) => (mark.isHeld ? isFree : isUncrossed)(box, projection);
      const others = all.filter((one) => one !== mark && one.spot).flatMap((one) => boxesOf(one, projection));
      const taken = [...this.passing(projection), ...others];
      // Words over a dot that lies still are read for that moment; under a line they are not.
      const here = mark.spot && boxAt(worded(mark, projection), mark.spot);
      if (here && isInside(here, projection.room) && isClear(here) && !taken.some((each) => touch(each, here))) continue;
      const [words, room] = [worded(mark, projection), inset(projection)];
      // What a hand moves says its numbers wherever that is.
      const found = spotFor(words, null, room, [...dots, ...taken], isClear, HELD_RINGS);
      const spot = found ?? (mark.isHeld ? nearSpot(words, mark.spot, room) : null);
      if (!spot || spot === mark.spot) continue;
      mark.spot = spot;
      mark.stood = null;
      mark.seen = 0;
    }
  }

  /** Whether no line lies over a box now. */
  isBare(box: Box, projection: Projection, left: number): boolean {
    return this.around.isBare(box, projection, left);
  }

  /** The bracket, once labels are where they are. */
  draw(projection: Projection, left: number): void {
    const plot = projection.room.top;
    const all = [...this.marks.values()].filter((mark) => mark.seen && mark.arrived > 0);
    const words = all.flatMap((mark) => (mark.spot ? (mark.led(plot)?.words ?? []) : []));
    const leaders = all.flatMap((mark) => (mark.spot ? [] : (mark.led(plot)?.leaders ?? [])));
    const isFree = (box: Box) => this.isBare(box, projection, left) && !leaders.some((each) => touch(box, each));
    this.bracket.draw(inset(projection), isFree, words);
  }

  /** What covers the plot at rest: words beside dots, leaders to dots, the bracket. */
  takenAt(projection: Projection): Box[] {
    return [...this.wordsAt(projection), ...this.passing(projection), ...this.bracket.taken];
  }

  private wordsAt(projection: Projection): Box[] {
    return labelled(this.marks).flatMap((mark) => (mark.spot ? boxesOf(mark, projection) : []));
  }

  private dotsAt(projection: Projection): Box[] {
    const marks = [...this.marks.values()].filter((mark) => !mark.isGone && !mark.of.isName);
    return dotBoxes([...marks.map((mark) => pixelAt(mark, projection)), ...this.around.dots(projection)]);
  }

  /** Leaders from the rail down to dots, and guides. */
  private passing(projection: Projection): Box[] {
    const { top, bottom: foot } = projection.room;
    const upright = (x: number, from: number, to: number): Box => ({
      left: x - PASSING,
      right: x + PASSING,
      top: from,
      bottom: to,
    });
    const railed = labelled(this.marks).filter((mark) => mark.seat && !mark.spot && !mark.of.isName);
    return [
      ...railed.map((mark) => pixelAt(mark, projection)).map(([x, y]) => upright(x, top, y)),
      ...this.around.guides(projection).map((guide) => upright(guide.x, guide.top, foot)),
    ];
  }

  /** The mark that says how far the modes are apart, with the other mode's. */
  private twins(): Twins | null {
    const careful = labelled(this.marks).find(({ of }) => of.ratio && !of.isComing);
    const lecture = careful && this.marks.get(`lecture\n${careful.of.mark.name}`);
    return careful && lecture && !lecture.isGone
      ? { careful, lecture, axis: careful.of.ratioAxis, words: careful.of.ratio }
      : null;
  }
}

/** Marks whose words are to be said. */
export function labelled(marks: ReadonlyMap<string, MarkDrawn>): MarkDrawn[] {
  return [...marks.values()].filter((mark) => !mark.isGone && mark.of.isLabelled);
}

/** Names of lines come first, then what lies on the board's own line, then careful numbers. */
export function weightOf({ isName, isBold, mode }: MarkOf): number {
  return (isName ? 4 : 0) + (isBold ? 2 : 0) + (mode === "careful" ? 1 : 0);
}

function pixelAt({ asked: [x, y] }: MarkDrawn, { evenX, evenY, room }: Projection): [number, number] {
  return [clamp(evenX(x), room.left, room.right), clamp(evenY(y), room.top, room.bottom)];
}

function worded(mark: MarkDrawn, projection: Projection): Worded {
  const [x, y] = pixelAt(mark, projection);
  return { x, y, width: mark.width, height: mark.height };
}

/** Where the words of a label in the plot lie at rest, and its leader. */
function boxesOf(mark: MarkDrawn, projection: Projection): Box[] {
  const one = worded(mark, projection);
  return mark.spot ? [boxAt(one, mark.spot), ...leadBoxes(one, mark.spot)] : [];
}

function inset({ room: { left, right, top, bottom } }: Projection): Box & Projection["room"] {
  return { left: left + INSET, right: right - INSET, top: top + INSET, bottom: bottom - INSET };
}
