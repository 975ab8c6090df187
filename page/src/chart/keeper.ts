// When a frame is held, and when it is left: the one place that says so.
//
// Under a hand axes stay: what is dragged would run away from it, and nobody compares heights on two scales. What leaves the
// frame says so (`beyond.ts`). But what is read stays in sight: the height of bold lines where the handle reads them, and of
// the line of a question beside its answer. As soon as such a height comes to an edge of the axis up, this follows in steps
// (`following.ts`); so it does, but beside an answer, once little of a bold line that a control moves is left in the frame, or
// all lines lie low in it. And as soon as the mark that the handle follows comes to an end of the axis along, the picture is
// asked for in the frame that is best for it (`askPictures`). When the hand lets go axes stay, too, as long as the picture is still
// good in them: what was let go of lies where it was let go. They glide, once, where a mark has come to the edge or gone
// beyond, or where the bold line has left the frame or is a small part of it; and then each axis as little as is
// needed: along it reaches just beyond that mark, up it stays if the lines still stand well in it. A picture that is asked
// for otherwise (a fresh load, a typed value, another mode) has the frame that is best for it.

import type { Axes, CurvesView, Mode } from "../documents";
import { followed } from "./following";
import { type Ends, even, evenEnds, isSame, uneven } from "./frame";
import { keyOf } from "./identity";
import type { Lines } from "./lines";
import type { MarkOf } from "./mark";
import type { Standing } from "./stroke";

/** Of how the bold line stood at first: below it the axis up is another, and if that is not enough the one along, too. */
const AT_REST: Standing = { inside: 0.85, reach: 0.5 };
const POOR: Standing = { inside: 0.6, reach: 0.35 };
/** The same under a hand, of how it stood when it took hold, or since the axis up was changed last. */
const LITTLE: Standing = { inside: 1 / 3, reach: 1 / 3 };
/** Of the axis along: a mark that is nearer to an end of it, and was not before, is at the edge. */
const EDGE = 0.1;
/** The same up, of what is read under a hand. */
const EDGE_UP = 0.05;
/** Of the axis up: below it all lines lie low, if they stood higher before. In half the range they end well below its top: it is not halved and doubled in turn. */
const LOW = 0.4;
const LOWER = 0.8;
/** Over the highest line in the frame. */
const HEADROOM = 1.05;
/** Where such a mark is brought. */
const BACK = 0.16;
/** Of the axis up: a mark may stand so near to its upper end. */
const UPPER = 0.02;
/** Of the frame's width: by less two ends along are one, written twice. */
const ROUNDED = 1e-6;
/** Of the frame's width: a picture may end so far within, or beyond, where it is known at certain points alone. */
const SHORT = 0.02;

type Along = [low: number, high: number];
type Point = Pick<MarkOf, "mark" | "mode">;
/** Heights that are read, by what they are. */
export type ReadHeights = ReadonlyMap<string, number>;

export class FrameKeeper {
  /** Whether a frame that was let go of shows no more what the board is about, so that another is asked for. */
  wantsAnother = false;
  /** Ends along of that other one; null for those that are best for what it shows. */
  wantedAlong: Along | null = null;
  /** How bold lines stood in the frame that was made for them. */
  private fresh: Standing = { inside: 0, reach: 0 };
  /** The same when a hand took hold, or since the axis up followed it. */
  private held: Standing = { inside: 0, reach: 0 };
  /** How high lines reached then, as a part of the axis up. */
  private heldTop = 1;
  /** By what it is, where on the axis up stood then what is read and was in the frame, from 0 to 1. */
  private heldRead = new Map<string, number>();
  /** Whether a hand drags a mark: from under it the axis does not go. */
  private isMarkDragged = false;
  /** By key, where along marks stood when the hand took hold, as a part of the axis: those that must not come to the edge. */
  private heldAlong = new Map<string, number>();
  /** Of these, those that lay between the axis' ends. */
  private heldInside: readonly Point[] = [];

  /** A hand takes hold, of one of these marks or of all that a control moves. */
  hold(points: readonly Point[], dragged: Point | null, lines: Lines, axes: Axes, ends: Ends, reads: ReadHeights): void {
    this.want(false, null);
    this.noteHeld(lines, axes, ends, reads);
    this.isMarkDragged = dragged !== null;
    const part = partAlong(axes, ends.x);
    const kept = dragged ? points.filter((point) => keyOfPoint(point) === keyOfPoint(dragged)) : points;
    this.heldInside = kept.filter(({ mark: { x } }) => part(x) >= 0 && part(x) <= 1);
    // Where both modes come to the same numbers they are one picture: a mark is then known by its name alone.
    this.heldAlong = new Map(
      kept.flatMap((point) => [point.mark.name, keyOfPoint(point)].map((key) => [key, part(point.mark.x)])),
    );
  }

  /** Lines have a frame of their own, in which nothing has strayed yet. */
  begin(lines: Lines, axes: Axes, ends: Ends): void {
    this.fresh = worst(lines, axes, ends);
    this.want(false, null);
  }

  /** The ends under a hand: those that were, but for an axis up at whose edge a height is that is read; or, where nothing is compared with an answer, in which little is left of a bold line. */
  underHand(axes: Axes, lines: Lines, was: Ends, fresh: Ends, reads: ReadHeights, isCompared: boolean): Ends {
    if (this.isMarkDragged) return was;
    const parts = partsUp(axes, was.y, reads);
    for (const [name, part] of parts) if (!this.heldRead.has(name) && isWithin(part)) this.heldRead.set(name, part);
    const seen = [...parts].filter(([name]) => this.heldRead.has(name));
    const isOut = seen.some(([name, part]) => isAtEdge(part, this.heldRead.get(name) ?? part, EDGE_UP));
    if (!isOut && (isCompared || !this.isEmptier(axes, lines, was))) return was;
    // A line that ends before the handle has no height there.
    const read = Math.max(...seen.map(([name]) => reads.get(name) ?? Number.NaN).filter(Number.isFinite));
    const y = followed(axes.y, was.y, within(lines, axes, was, fresh.y), read, 1 - EDGE_UP);
    if (isSame(y, was.y)) return was;
    const ends = { x: was.x, y };
    this.noteHeld(lines, axes, ends, reads);
    return ends;
  }

  /** Whether little is left in a frame of the bold line that stood in it, or all lines lie low there. */
  private isEmptier(axes: Axes, lines: Lines, was: Ends): boolean {
    const isLow = !axes.y.is_logarithmic && topOf(lines, axes, was) < Math.min(LOW, LOWER * this.heldTop);
    return isLow || isLost(worst(lines, axes, was, true), partOf(this.held, LITTLE));
  }

  /** Whether a picture under a hand has another frame along: one was asked for, since what the hand sets had left it. */
  hasAnotherAlong(axes: Axes, lines: Lines, was: Ends, fresh: Ends, reads: ReadHeights): boolean {
    const part = partAlong(axes, was.x);
    const isSameAlong = Math.abs(part(fresh.x[0])) < ROUNDED && Math.abs(part(fresh.x[1]) - 1) < ROUNDED;
    if (isSameAlong || this.isMarkDragged) return false;
    this.noteHeld(lines, axes, fresh, reads);
    return true;
  }

  private noteHeld(lines: Lines, axes: Axes, ends: Ends, reads: ReadHeights): void {
    this.held = worst(lines, axes, ends, true);
    this.heldTop = topOf(lines, axes, ends);
    this.heldRead = new Map([...partsUp(axes, ends.y, reads)].filter(([, part]) => isWithin(part)));
  }

  /** The ends for what a hand has let go of: those that were, the others where one of both axes needs them. */
  afterHand({ axes, pictures }: CurvesView, lines: Lines, points: readonly Point[], was: Ends, fresh: Ends): Ends {
    const x = isSame(was.x, fresh.x) ? was.x : fresh.x;
    const isHigh = points.some((point) => this.stoodAt(point, pictures) !== undefined && isAbove(axes, point.mark.y, was.y));
    const isPoor = isHigh || isLost(worst(lines, axes, { x, y: was.y }), partOf(this.fresh, AT_REST));
    return { x, y: isPoor ? fresh.y : was.y };
  }

  /** Whether other ends along are to be asked for, for what a hand has let go of; not twice. */
  asksForAnother(
    view: CurvesView,
    modes: readonly Mode[],
    lines: Lines,
    points: readonly Point[],
    was: Ends,
    ends: Ends,
  ): boolean {
    if (!isSame(was.x, ends.x)) return this.want(false, null);
    const { axes, pictures } = view;
    const part = partAlong(axes, ends.x);
    const known = Object.values(pictures).map(({ x }) => [part(x[0] ?? Number.NaN), part(x.at(-1) ?? Number.NaN)] as const);
    const isCut = known.some(([low, high]) => low < -SHORT || high > 1 + SHORT);
    const isShort = known.every(([low, high]) => low > EDGE || high < 1 - EDGE);
    if (isCut || isShort || this.isGone(points, modes)) return this.want(true, null);
    if (isLost(worst(lines, axes, ends), partOf(this.fresh, POOR))) return this.want(true, null);
    const parts = points.flatMap((point) => {
      const before = this.stoodAt(point, pictures);
      const now = part(point.mark.x);
      return before !== undefined && isAtEdge(now, before) ? [now] : [];
    });
    if (!parts.length) return this.want(false, null);
    return this.want(true, reaching(axes, ends.x, Math.min(...parts), Math.max(...parts)));
  }

  /** Whether a mark that stood in the frame is not there: pictures end where the frame does, and have nothing of what lies beyond. */
  private isGone(points: readonly Point[], modes: readonly Mode[]): boolean {
    const there = new Set(points.map(keyOfPoint));
    return this.heldInside.some((point) => modes.includes(point.mode) && !there.has(keyOfPoint(point)));
  }

  private stoodAt(point: Point, pictures: CurvesView["pictures"]): number | undefined {
    return this.heldAlong.get(Object.keys(pictures).length > 1 ? keyOfPoint(point) : point.mark.name);
  }

  private want(wantsAnother: boolean, wantedAlong: Along | null): boolean {
    const wantedBefore = this.wantsAnother;
    this.wantsAnother = wantsAnother;
    this.wantedAlong = wantedAlong;
    return wantsAnother && !wantedBefore;
  }
}

function keyOfPoint({ mark, mode }: Point): string {
  return keyOf(mode, mark.name);
}

/** Where a value lies between ends along: 0 at the left, 1 at the right. */
function partAlong({ x: axis }: Axes, [low, high]: Along): (value: number) => number {
  const [from, to] = [even(axis, low), even(axis, high)];
  return (value) => (even(axis, value) - from) / (to - from);
}

function isAbove({ y: axis }: Axes, value: number, [low, high]: Along): boolean {
  return (even(axis, value) - even(axis, low)) / (even(axis, high) - even(axis, low)) > 1 - UPPER;
}

/** Where heights lie between ends up: 0 at the bottom, 1 at the top. */
function partsUp({ y: axis }: Axes, [low, high]: Along, heights: ReadHeights): Map<string, number> {
  const [from, to] = [even(axis, low), even(axis, high)];
  return new Map([...heights].map(([name, height]) => [name, (even(axis, height) - from) / (to - from)]));
}

function isWithin(part: number): boolean {
  return part >= 0 && part <= 1;
}

/** How high the highest line runs between ends along, as a part of the axis up; nothing where none runs there. */
function topOf(lines: Lines, axes: Axes, ends: Ends): number {
  const [across, [bottom, top]] = evenEnds(axes, ends);
  return Math.max(0, ...lines.seen.map((stroke) => (stroke.highest(across) - bottom) / (top - bottom)));
}

/** Ends up that are best for a picture, but no higher than what is seen of it in a frame, which may be less of it along. */
function within(lines: Lines, axes: Axes, was: Ends, [low, high]: Along): Along {
  if (axes.y.is_logarithmic) return [low, high];
  const seen = topOf(lines, axes, { x: was.x, y: [low, high] }) * HEADROOM;
  return seen > 0 && seen < 1 ? [low, low + seen * (high - low)] : [low, high];
}

/** Whether something is at an end of an axis, nearer than it stood before. */
function isAtEdge(now: number, before: number, edge = EDGE): boolean {
  return now < Math.min(edge, before) || now > Math.max(1 - edge, before);
}

/** Ends along between which marks that lie from one part of the axis to another come off its ends. */
function reaching({ x: axis }: Axes, [low, high]: Along, first: number, last: number): Along | null {
  const [from, to] = [even(axis, low), even(axis, high)];
  const at = (part: number) => uneven(axis, from + part * (to - from));
  if (last > 1 - EDGE) return first < EDGE ? null : [low, at(last / (1 - BACK))];
  // Nothing lies below the low end of a linear axis: the other comes nearer.
  if (!axis.is_logarithmic) return first > 0 ? [low, at(first / BACK)] : null;
  return [at((first - BACK) / (1 - BACK)), high];
}

/** How bold lines stand; or all, where a hand holds a picture without one. */
function standings(lines: Lines, axes: Axes, ends: Ends, isAny: boolean): Standing[] {
  const [across, up] = evenEnds(axes, ends);
  const bold = lines.seen.filter((stroke) => stroke.line.is_bold);
  return (isAny && !bold.length ? lines.seen : bold).map((stroke) => stroke.standing(across, up, !axes.y.is_logarithmic));
}

/** How the one stands that stands worst. */
function worst(lines: Lines, axes: Axes, ends: Ends, isAny = false): Standing {
  const found = standings(lines, axes, ends, isAny);
  const least = (name: keyof Standing) => Math.min(1, ...found.map((one) => one[name]));
  return { inside: least("inside"), reach: least("reach") };
}

function partOf(first: Standing, part: Standing): Standing {
  return { inside: part.inside * first.inside, reach: part.reach * first.reach };
}

/** Whether most of a line has left the frame, or it lies flat on the axis. */
function isLost(now: Standing, kept: Standing): boolean {
  return now.inside < kept.inside || now.reach < kept.reach;
}
