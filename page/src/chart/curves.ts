// A picture of lines: one frame for both modes, which is held while a hand drags and glides when it lets go.

import type { Axis, CurvesView } from "../documents";
import { sourced } from "../scenes/fetched";
import { AxesDrawn } from "./axes";
import { Beyond } from "./beyond";
import { touch } from "./boxes";
import { isCrossed } from "./crossing";
import { isCrowd } from "./crowd";
import { Dots } from "./dots";
import { type Ends, even, isSame as isSameEnds, isSameFrame, type Projection, type Room, uneven } from "./frame";
import { Gliding } from "./gliding";
import { isAmong, keyOf } from "./identity";
import { FrameKeeper, type ReadHeights } from "./keeper";
import { Layout, type Ticks } from "./layout";
import { Legend, type LegendAsked } from "./legend";
import { Lines } from "./lines";
import type { MarkOf } from "./mark";
import { Marks } from "./marks";
import { Approach, FOLLOW_S, isStill } from "./motion";
import { Names } from "./names";
import { named } from "./naming";
import { Overfull } from "./overfull";
import { Plumb } from "./plumb";
import { Pointer, type Seen } from "./pointer";
import { besideAnswer, leavingOf, namesAbove, pointsOf } from "./points";
import type { Predict } from "./predict";
import { knownOf } from "./shown_part";
import { type Ground, NARROW, type Plot, type Predicted, type Shown, type Size, type Stage } from "./stage";
import type { Stroke } from "./stroke";
import { clipped, fit, part } from "./svg";
import { ticksUpTo } from "./ticks";
import { Unknown } from "./unknown";

const PIXEL = 1;
/** Half of a dot, in pixels. */
const DOT = 6;
/** Of how high a line ends that has left the frame. */
const DIGITS = 3;

/** Of an axis: as far from its end lies what is asked at one. */
const CLEAR = 0.025;
/** What is nearer to it is not clear of it; less, so that ends that were moved once stay. */
const NEAR = 0.02;

/** Ends along: what is asked at one of them stands clear of it, so that neither covers the other; it stays when it is told. */
function clear(axis: Axis, predict: Predicted | null): [number, number] {
  const [first, last] = axis.ends ?? [0, 1];
  if (predict?.axis !== "y" || predict.x === null) return [first, last];
  const [low, high, place] = [first, last, predict.x].map((value) => even(axis, value)) as [number, number, number];
  const [by, near] = [CLEAR * (high - low), NEAR * (high - low)];
  return [place - low < near ? uneven(axis, low - by) : first, high - place < near ? uneven(axis, high + by) : last];
}

export class Curves implements Stage {
  private shown: (Shown & { view: CurvesView }) | null = null;
  private size: Size = { width: 0, height: 0 };
  private readonly approach = new Approach();
  private readonly gliding = new Gliding();
  /** At rest, of what is asked for now. */
  private asked: Ends = { x: [0, 1], y: [0, 1] };
  /** By axis, the numbers that may stand at it: of the answers whose ends it has. */
  private ticks: Ticks = { x: [], y: [] };
  /** Rows of words above the plot, for what an answer or another mode brings. */
  private rows = 0;
  /** As shown, of both modes. */
  private points: MarkOf[] = [];
  /** Right end of the frame as drawn, in even steps. */
  private edge = Infinity;
  /** Lines, by mode and name, whose names stand above where they leave the plot. */
  private leaving = new Set<string>();
  /** The same when a hand took hold. */
  private left = new Set<string>();
  private readonly keeper = new FrameKeeper();
  private readonly group: SVGGElement;
  private readonly clip: SVGRectElement;
  /** What is seen beyond both ends of the axis, too. */
  private readonly ends: SVGRectElement;
  private readonly legend: Legend;
  private isOtherLegend = false;
  /** Whether a hand holds the frame. */
  private isHeld = false;
  private readonly axes: AxesDrawn;
  private readonly overfull: Overfull;
  private readonly lines: Lines;
  private readonly marks: Marks;
  private readonly dots: Dots;
  private readonly beyond: Beyond;
  private readonly plumbLine: Plumb;
  private readonly names: Names;
  /** Null until something is asked, and until what asks it is there. */
  private predict: Predict | null = null;
  private readonly asking: SVGGElement;
  private readonly unknown: Unknown;
  private readonly pointer: Pointer;
  private readonly layout: Layout;

  constructor(private readonly ground: Ground) {
    this.group = part(ground.svg, "g");
    const back = part(this.group, "g");
    const { clip, inside } = clipped(this.group);
    this.clip = clip;
    this.ends = part(clip.parentElement as Element, "rect");
    const front = part(this.group, "g");
    this.axes = new AxesDrawn(back, front);
    this.overfull = new Overfull(inside);
    this.lines = new Lines(inside);
    this.beyond = new Beyond(front);
    this.plumbLine = new Plumb(front);
    this.names = new Names(front);
    // Leaders lie below dots, and dots are cut by no edge.
    const labels = part(front, "g");
    this.dots = new Dots(front);
    this.marks = new Marks(labels, front, ground.handles.drag !== undefined, {
      isFree: (box, projection) => !isCrossed(box, projection, [...this.lines.clear, ...this.lines.ghost.drawn], 0),
      isUncrossed: (box, projection) => !isCrossed(box, projection, this.lines.clear, 0),
      isBare: (box, projection, left) => {
        const taken = [this.plumbLine.covered, ...(this.predict?.spoken ?? []), ...this.dots.circlesAt(projection)];
        return !taken.some((each) => each && touch(box, each)) && !isCrossed(box, projection, this.lines.visible, left);
      },
      dots: (projection) => this.dots.pixelsAt(projection),
      guides: (projection) => [
        ...((this.shown && this.predict?.guideAt(projection, this.shown, this.lines)) ?? []),
        ...this.plumbLine.guideAt(projection, this.lines),
      ],
    });
    this.asking = part(front, "g");
    this.unknown = new Unknown(front);
    this.pointer = new Pointer(
      ground,
      front,
      () => this.predict,
      () => this.seen(),
    );
    this.legend = new Legend(front);
    this.layout = new Layout(this.axes, this.legend, this.names, this.marks.labels);
  }

  show(shown: Shown, size: Size, isHeld: boolean): void {
    const { view } = shown;
    if (view.kind !== "curves") throw new TypeError(`a ${view.kind} has no lines to draw`);
    const isSame = this.shown !== null && isSameFrame(this.shown.view, view);
    const isResized = size.width !== this.size.width || size.height !== this.size.height;
    const still = isStill() || !isSame;
    // Under a hand each answer is drawn at once: what glides after it is what nobody has set.
    const isAtOnce = still || (isHeld && isSame);
    if (!isSame) this.clearGhost();
    const drawn = isSame ? this.projection : null;
    const isOtherMode = isSame && shown.modes.join() !== this.shown?.modes.join();
    this.shown = { ...shown, view };
    this.size = size;
    const { modes, lines, predict, sketch } = shown;
    const { pictures, axes } = view;
    const isAsked = (name: string) => predict !== null && predict.line !== "" && isAmong([predict.line], name);
    const isTold = (name: string) => lines === null || isAmong(lines, name);
    const isYetToCome = (name: string) => {
      if (sketch) return sketch.until !== null || !isAmong(sketch.lines, name);
      return predict?.isOpen === true && isAsked(name);
    };
    const isHidden = (name: string) => !isTold(name) || isYetToCome(name);
    const isComing = sketch ? (name: string) => isTold(name) && isYetToCome(name) : isAsked;
    this.lines.isComing = isComing;
    if (isAtOnce) this.approach.restart(true);
    const { left } = this.approach;
    const [from, to] = predict?.isOpen ? predict.known : [null, sketch?.until ?? null];
    const known = knownOf(axes.x, from, to);
    const sketched = sketch?.lines ?? [predict?.line ?? ""];
    const knownOfLine = (name: string) => (known && isAmong(sketched, name) ? known : null);
    this.lines.ask(
      pictures,
      modes,
      axes,
      isHidden,
      knownOfLine,
      isCrowd(view, modes, isHidden),
      left,
      isAtOnce ? null : drawn,
      still,
    );
    if (!isSame && shown.isDrawn && !isStill()) this.lines.begin();
    this.dots.ask(pictures, modes, axes, left);
    const ends: Ends = { x: clear(axes.x, predict), y: view.axes.y.ends ?? [0, 1] };
    const before = isSame ? this.gliding.ends : null;
    this.isHeld = isHeld && before !== null;
    const was = (shown.isKept && !isHeld && before) || undefined;
    const frame =
      this.isHeld && before
        ? this.follow(this.shown, isHidden, before, ends)
        : was
          ? this.rest(this.shown, isHidden, was, ends)
          : ends;
    this.overfull.ask(pictures, modes, frame, isHidden);
    const isFrozen = this.isHeld && !isResized && frame === before;
    this.asked = frame;
    for (const name of ["x", "y"] as const) if (frame[name] !== before?.[name]) this.ticks[name] = axes[name].ticks ?? [];
    if (this.isHeld) this.ticks.y = ticksUpTo(axes.y, this.ticks.y, frame.y[1]);
    if (!was && !this.isHeld) this.keeper.begin(this.lines, axes, frame);
    if (shown.past?.kind === "curves") this.lines.ghost.stretch(shown.past.pictures, shown.past.axes);
    const seen = this.lines.named.filter((stroke) => !isHidden(stroke.line.name));
    // On a narrow screen names are in a key under the plot.
    const leaving = size.width < NARROW ? new Set<string>() : leavingOf(seen, axes, frame);
    // Under a hand none comes; the name of one that is back inside goes until the hand lets go.
    this.left = isFrozen ? this.left : leaving;
    this.leaving = new Set([...this.left].filter((key) => leaving.has(key)));
    const { Predict } = sourced.value ?? {};
    if (predict && Predict) this.predict ??= new Predict(this.ground, this.asking);
    this.predict?.ask(shown);
    this.unknown.ask(sketch ?? null);
    this.rows = shown.isWorded ? 1 : 0;
    const there = pointsOf(this.shown, sketch ? () => false : isHidden, frame, !this.isHeld, isAsked);
    const unsaid = there.map((one) => (this.overfull.says(one.mode, one.mark) ? { ...one, isLabelled: false } : one));
    const points = [
      ...besideAnswer(unsaid, this.shown, this.predict?.answer ?? null),
      ...namesAbove(seen, this.leaving, axes, frame),
    ];
    this.points = points;
    this.marks.ask(points, axes, modes.length > 1, left, still);
    this.marks.grip(this.pointer.held);
    const said = (value: number) => shown.units(value, axes.y.dimension, DIGITS);
    this.names.ask(
      named({
        view,
        modes,
        lines: this.lines,
        leaving: this.leaving,
        isHidden,
        isComing,
        isToldByMark: points.some(({ ratio }) => ratio),
        frame,
        isWide: size.width >= NARROW,
        // A key has no room for it but where a hand moves lines.
        beyond: this.isHeld || (shown.isCut && size.width >= NARROW) ? said : null,
        lastEdge: this.lastEdge,
        edge: () => this.edge,
        left: () => this.approach.left,
      }),
      Boolean(sketch),
    );
    if (isFrozen) this.renew();
    else {
      // From mode to mode lines move, and nothing else.
      const stays = was || (isOtherMode && before && isSameEnds([...frame.x, ...frame.y], [...before.x, ...before.y]));
      this.lay(frame, still || isResized, stays && !isResized ? this.gliding.room : undefined);
    }
    this.approach.restart(isAtOnce);
    this.pointer.refresh();
  }

  /** The frame under a hand. Beside the answer to a question what is turned is compared with that, on one scale for as long as what is read is in it. */
  private follow(shown: Shown & { view: CurvesView }, isHidden: (line: string) => boolean, was: Ends, fresh: Ends): Ends {
    const { axes } = shown.view;
    const read = this.readIn(shown, pointsOf(shown, isHidden, was, false));
    if (this.keeper.hasAnotherAlong(axes, this.lines, was, fresh, read)) return fresh;
    return this.keeper.underHand(axes, this.lines, was, fresh, read, shown.predict !== null);
  }

  /** Heights that are read: of bold lines over the handle and of the line of a question where it was asked; where there is neither, of marks that have words. */
  private readIn({ view: { axes }, modes, predict }: Shown & { view: CurvesView }, points: readonly MarkOf[]): ReadHeights {
    const found = new Map<string, number>();
    const read = (by: string, place: number | null, strokes: readonly Stroke[]) => {
      if (place === null) return;
      for (const stroke of strokes) {
        const height = uneven(axes.y, stroke.drawnAt(even(axes.x, place), 0));
        // A line that ends before it has none there.
        if (Number.isFinite(height)) found.set(`${by} ${stroke.key}`, height);
      }
    };
    read(
      "handle",
      this.plumbLine.x,
      this.lines.seen.filter((stroke) => stroke.line.is_bold),
    );
    if (predict?.axis === "y") {
      const asked = modes.flatMap((mode) => this.lines.of(mode, predict.line) ?? []);
      read("question", predict.x, asked);
    }
    if (!found.size) for (const { mark, mode, isLabelled } of points) if (isLabelled) found.set(keyOf(mode, mark.name), mark.y);
    return found;
  }

  /** The frame for what a hand has let go of; where another is asked for it waits for that one, and glides once. */
  private rest(shown: Shown & { view: CurvesView }, isHidden: (line: string) => boolean, was: Ends, fresh: Ends): Ends {
    const all = pointsOf(shown, isHidden, was, false);
    const found = this.keeper.afterHand(shown.view, this.lines, all, was, fresh);
    if (this.keeper.asksForAnother(shown.view, shown.modes, this.lines, all, was, found)) this.ground.handles.lost?.();
    return this.keeper.wantsAnother ? was : found;
  }

  /** New words where the hand lets nothing else change. */
  private renew(): void {
    const target = this.target;
    if (!target) return;
    this.names.hold(isStill());
    this.marks.labels.hold(target, this.size.width, isStill());
    this.dots.uncover(target, this.lines, this.marks.labels.takenAt(target));
  }

  /** Where everything goes at rest, or as it was. */
  private lay(ends: Ends, isAtOnce: boolean, was?: Room): void {
    if (!this.shown) return;
    const { view, units, modes } = this.shown;
    const { axes } = view;
    this.isOtherLegend = true;
    const { found, ticks } = this.layout.lay({
      axes,
      ends,
      size: this.size,
      ticks: this.ticks,
      units,
      isPair: modes.length > 1,
      legend: this.legendOf,
      gap: this.gap,
      rows: this.rows,
      isAtOnce,
      was,
    });
    this.gliding.ask(axes, ends, found.room, isAtOnce, this.isHeld ? FOLLOW_S : undefined);
    this.axes.ask(axes, ticks, units);
    const words = this.marks.labels.takenAt(found);
    this.dots.name(found, this.lines, words, this.marks.dotsAt(found));
    this.dots.uncover(found, this.lines, words);
  }

  private get gap(): number {
    return this.shown?.gap ?? 0;
  }

  private get legendOf(): Pick<LegendAsked, "isHaunted" | "isDragged"> {
    return { isHaunted: this.lines.ghost.isThere, isDragged: this.marks.isDraggable };
  }

  /** Right end of the frame at rest, in even steps. */
  private get lastEdge(): number {
    return this.shown ? even(this.shown.view.axes.x, this.asked.x[1]) : Infinity;
  }

  hold(): void {
    const drawn = this.projection;
    if (drawn) this.lines.haunt(this.approach.left, drawn);
    if (!this.pointer.taken) this.marks.forget();
    const ends = this.gliding.ends;
    const marks = this.points.filter(({ isName }) => !isName);
    if (this.shown && ends)
      this.keeper.hold(marks, this.pointer.taken, this.lines, this.shown.view.axes, ends, this.readIn(this.shown, marks));
    this.isOtherLegend = true;
  }

  clearGhost(): void {
    if (!this.lines.ghost.isThere) return;
    this.lines.ghost.forget();
    this.marks.forget();
    this.isOtherLegend = true;
    this.ground.wake();
  }

  step(seconds: number): boolean {
    const moves = [
      this.approach.step(seconds),
      this.gliding.step(seconds),
      this.lines.step(seconds),
      this.marks.step(seconds),
      this.names.step(seconds),
    ];
    this.draw();
    return moves.some(Boolean) || this.marks.labels.isCovered;
  }

  get plot(): Plot | null {
    const [room, rest, ends] = [this.projection?.room, this.gliding.room, this.gliding.ends];
    // Of lines at its edge a pixel more is drawn.
    const around = rest && this.size.height - (rest.bottom - rest.top) - 2 * PIXEL;
    return room && ends && around !== undefined ? { ...room, along: ends.x, around } : null;
  }

  plumb(x: number | null): void {
    const isNew = this.plumbLine.x === null && x !== null;
    this.plumbLine.x = x;
    // Words make room for it when it comes, not wherever it is moved.
    if (isNew && this.shown) this.show(this.shown, this.size, false);
  }

  private draw(): void {
    const projection = this.projection;
    if (!projection) return;
    this.edge = projection.across[1];
    const { left } = this.approach;
    const { left: from, right: to } = projection.room;
    // What is known of an asked line may be its end, a dot.
    const beyond = this.shown?.predict?.isOpen ? DOT : 0;
    fit(this.clip, projection.room, PIXEL);
    fit(this.ends, { ...projection.room, left: from - beyond, right: to + beyond }, PIXEL);
    if (this.isOtherLegend) this.legend.draw({ ...this.layout.key, ...this.legendOf });
    this.isOtherLegend = false;
    this.axes.draw(projection, this.gliding.part, this.layout.foot.caption, this.size.width, this.gap);
    this.lines.draw(projection, left);
    this.overfull.draw(projection, this.lines);
    const isSaid = this.isHeld || this.shown?.isCut;
    this.beyond.draw(projection, isSaid ? this.lines.seen.filter(({ key }) => !this.leaving.has(key)) : []);
    this.plumbLine.draw(projection, this.lines, left, this.gap);
    this.dots.draw(projection, left);
    this.marks.grip(this.pointer.held);
    this.marks.draw(projection, this.lines, left, this.size.width, this.layout.foot.above);
    // What a line was is compared once its frame is at rest.
    const isHushed = this.lines.ghost.isThere && this.gliding.part < 1 && this.shown?.modes.length === 1;
    this.names.draw(projection, this.layout.foot, this.size.width, isHushed);
    const words = this.marks.labels.takenAt(projection);
    const taken = this.shown?.predict ? [...words, ...this.dots.covered] : [];
    if (this.shown) this.predict?.draw(projection, this.shown, this.lines, taken, this.isHeld);
    this.plumbLine.giveWay([...words, ...(this.predict?.spoken ?? [])]);
    this.unknown.draw(projection, this.lines, words);
    this.pointer.draw();
  }

  private seen(): Seen | null {
    const { shown, projection, lines, marks, dots, size } = this;
    return shown && projection && { shown, projection, lines, marks, dots, size, left: this.approach.left };
  }

  /** As drawn now. */
  private get projection(): Projection | null {
    return this.shown && this.gliding.now(this.shown.view.axes);
  }

  /** As it will be at rest. */
  private get target(): Projection | null {
    return this.shown && this.gliding.atRest(this.shown.view.axes);
  }

  get frame(): Ends | null {
    const { wantsAnother, wantedAlong } = this.keeper;
    const held = this.gliding.ends;
    return wantsAnother ? wantedAlong && held && { ...held, x: wantedAlong } : held;
  }

  get pastReach(): [number, number] | null {
    const reach = this.lines.ghost.reach;
    const x = this.shown?.view.axes.x;
    return reach && x ? [uneven(x, reach[0]), uneven(x, reach[1])] : null;
  }

  remove(): void {
    this.pointer.remove();
    this.predict?.remove();
    this.group.remove();
  }
}
