// A picture of lines: one frame for both modes, which is held while a hand drags and glides when it lets go.

import type { CurvesView } from "../documents";
import { AxesDrawn, tickText } from "./axes";
import { isCrossed } from "./crossing";
import { Dots } from "./dots";
import { type Ends, endsBetween, even, type Projection, project, type Room, roomBetween, ticksThatFit, uneven } from "./frame";
import { isAmong } from "./identity";
import { Legend, type LegendAsked } from "./legend";
import { Lines } from "./lines";
import { Watch } from "./lost";
import type { MarkOf } from "./mark";
import { Marks } from "./marks";
import { LINE, SMALL } from "./measure";
import { Approach, Glide, isStill } from "./motion";
import { Names } from "./names";
import { named } from "./naming";
import { Plumb } from "./plumb";
import { Pointer, type Seen } from "./pointer";
import { leavingOf, namesAbove, pointsOf } from "./points";
import { Predict } from "./predict";
import { type Ground, NARROW, type Shown, type Size, type Stage } from "./stage";
import { clipped, part, put } from "./svg";

/** Of the whole height, at most for labels of marks. */
const RAIL_PART = 0.3;
const MOST_ROWS = 3;
const NARROW_RAIL_PART = 0.12;
/** Of the whole height; where less is left the rail has one row. */
const LEAST_PLOT_PART = 0.36;
/** In pixels: a rail of one row, and a plot that is worth one. */
const ONE_ROW = 34;
const LEAST_PLOT = 60;
const LEAST_RIGHT = 14;
const LEAST_TOP = 10;
const TICKS_HEIGHT = 24;
const TICK_GAP = { x: 14, y: 8 };
const PIXEL = 1;

export class Curves implements Stage {
  private shown: (Shown & { view: CurvesView }) | null = null;
  private size: Size = { width: 0, height: 0 };
  private readonly approach = new Approach();
  private readonly glide = new Glide();
  private ends: { from: Ends; to: Ends } | null = null;
  private room: { from: Room; to: Room } | null = null;
  /** At rest, of what is asked for now. */
  private asked: Ends = { x: [0, 1], y: [0, 1] };
  /** By axis, the numbers that may stand at it: of the answers whose ends it has. */
  private ticks: { x: readonly number[]; y: readonly number[] } = { x: [], y: [] };
  /** As shown, of both modes. */
  private points: MarkOf[] = [];
  /** Right end of the frame as drawn, in even steps. */
  private edge = Infinity;
  /** Lines, by mode and name, whose names stand above where they leave the plot. */
  private leaving = new Set<string>();
  private readonly watch = new Watch();
  /** What stands above and below the plot, in pixels from the top. */
  private foot = { above: 0, caption: 0, key: 0 };
  private readonly group: SVGGElement;
  private readonly clip: SVGRectElement;
  private readonly legend: Legend;
  private isOtherLegend = false;
  /** Whether what a hand holds, or held last, is a mark. */
  private isDragging = false;
  private key = { isPair: false, caption: 0, below: 0, width: 0 };
  private readonly axes: AxesDrawn;
  private readonly lines: Lines;
  private readonly marks: Marks;
  private readonly dots: Dots;
  private readonly plumbLine: Plumb;
  private readonly names: Names;
  private readonly predict: Predict;
  private readonly pointer: Pointer;

  constructor(private readonly ground: Ground) {
    this.group = part(ground.svg, "g");
    const back = part(this.group, "g");
    const { clip, inside } = clipped(this.group);
    this.clip = clip;
    const front = part(this.group, "g");
    this.axes = new AxesDrawn(back, front);
    this.lines = new Lines(inside);
    this.plumbLine = new Plumb(front);
    this.names = new Names(front, ground.measure);
    // Leaders lie below dots, and dots are cut by no edge.
    const labels = part(front, "g");
    this.dots = new Dots(front, ground.measure);
    this.marks = new Marks(labels, front, ground.measure, ground.handles.drag !== undefined, {
      isFree: (box, projection) => !isCrossed(box, projection, this.lines.seen, 0),
      isBare: (box, projection, left) => !isCrossed(box, projection, this.lines.visible, left),
      dots: (projection) => this.dots.pixelsAt(projection),
      guides: (projection) => (this.shown ? this.predict.guideAt(projection, this.shown.view.axes.x) : []),
    });
    this.predict = new Predict(ground, front);
    this.pointer = new Pointer(ground, front, this.predict, () => this.seen());
    this.legend = new Legend(front, ground.measure);
  }

  show(shown: Shown, size: Size, isHeld: boolean): void {
    const { view } = shown;
    if (view.kind !== "curves") throw new TypeError(`a ${view.kind} has no lines to draw`);
    const isSame = this.shown !== null && isSameFrame(this.shown.view, view);
    const isResized = size.width !== this.size.width || size.height !== this.size.height;
    const still = isStill() || !isSame;
    if (!isSame) this.clearGhost();
    const drawn = isSame ? this.projection : null;
    this.shown = { ...shown, view };
    this.size = size;
    const { modes, lines, predict } = shown;
    const { pictures, axes } = view;
    const isHidden = (name: string) =>
      (lines !== null && !isAmong(lines, name)) ||
      (predict?.isOpen && predict.line !== "" && isAmong([predict.line], name)) === true;
    const { left } = this.approach;
    this.lines.ask(pictures, modes, axes, isHidden, left, drawn, still);
    if (!isSame && shown.isDrawn && !isStill()) this.lines.begin();
    this.dots.ask(pictures, modes, axes, left);
    const ends: Ends = { x: view.axes.x.ends ?? [0, 1], y: view.axes.y.ends ?? [0, 1] };
    const held = isHeld && isSame && !isResized ? this.ends?.to : undefined;
    const isFrozen = held !== undefined && !this.watch.takes(this.lines, axes, held, ends);
    const was = shown.isKept && !isHeld && isSame ? this.ends?.to : undefined;
    const all = was ? pointsOf(this.shown, isHidden, was, false) : [];
    const frame = isFrozen ? held : was ? this.watch.rests(this.shown.view, this.lines, all, was, ends) : ends;
    this.asked = frame;
    if (!isFrozen)
      for (const name of ["x", "y"] as const) if (frame[name] !== was?.[name]) this.ticks[name] = axes[name].ticks ?? [];
    // Under a hand that moves a mark the frame stays: it would run away from the hand.
    const isLost = was
      ? this.watch.restless(this.shown.view, this.lines, all, was, frame)
      : this.watch.strays(this.lines, axes, frame, isFrozen, this.isDragging);
    if (isLost) this.ground.handles.lost?.();
    if (shown.past?.kind === "curves") this.lines.ghost.stretch(shown.past.pictures, shown.past.axes);
    const seen = this.lines.named.filter((stroke) => !isHidden(stroke.line.name));
    // On a narrow screen names are in a key under the plot.
    if (!isFrozen) this.leaving = size.width < NARROW ? new Set() : leavingOf(seen, axes, frame);
    const points = [...pointsOf(this.shown, isHidden, frame, !isFrozen), ...namesAbove(seen, this.leaving, axes, frame)];
    this.points = points;
    this.marks.ask(points, axes, modes.length > 1, left, still);
    this.marks.grip(this.pointer.held);
    this.names.ask(
      named({
        view,
        modes,
        lines: this.lines,
        leaving: this.leaving,
        isHidden,
        isToldByMark: points.some(({ ratio }) => ratio),
        frame,
        lastEdge: this.lastEdge,
        edge: () => this.edge,
        left: () => this.approach.left,
      }),
    );
    if (!isSame) this.predict.forget();
    this.predict.ask(shown);
    if (isFrozen) this.renew();
    else this.lay(frame, still || isResized, was && !isResized ? this.room?.to : undefined);
    this.approach.restart(still);
    this.pointer.refresh();
  }

  /** New words where the hand lets nothing else change. */
  private renew(): void {
    const target = this.target;
    if (!target) return;
    this.names.hold(isStill());
    this.marks.labels.hold(target, this.size.width, isStill());
    this.dots.uncover(target, this.lines);
  }

  /** Where everything goes at rest: names, then the rail over what they leave, then what is left for the plot, or as it was. */
  private lay(ends: Ends, isAtOnce: boolean, was?: Room): void {
    if (!this.shown) return;
    const {
      view: { axes },
      units,
      modes,
    } = this.shown;
    const { width, height } = this.size;
    const measure = this.ground.measure();
    const texts = this.ticks;
    const left = Math.ceil(Math.max(24, ...texts.y.map((value) => measure(tickText(axes.y, value, units), SMALL))) + 10);
    const widthOfTick = (value: number) => measure(tickText(axes.x, value, units), SMALL);
    const captions = this.axes.caption(axes, width, measure);
    this.key = { isPair: modes.length > 1, caption: measure(axes.y.caption, SMALL), below: captions.y, width };
    const legend = this.legend.height(this.legendAsked);
    this.isOtherLegend = true;
    const above = captions.y + legend + 4;
    const lastTick = texts.x.at(-1);
    const overhang = lastTick === undefined ? 0 : widthOfTick(lastTick) / 2;
    const frame = (right: number, top: number, bottom: number): Projection => project(axes, ends, { left, right, top, bottom });
    const laid = (isKey: boolean): Projection => {
      const needed = width - Math.max(LEAST_RIGHT, overhang, isKey ? 0 : this.names.margin(width, was && width - was.right));
      const right = was ? Math.min(was.right, needed) : needed;
      const key = isKey ? this.names.key(width) : 0;
      const bottom = height - this.gap - TICKS_HEIGHT - captions.x - (key ? key + 6 : 0);
      this.foot = {
        above: captions.y + legend,
        caption: bottom + this.gap + TICKS_HEIGHT + SMALL,
        key: bottom + this.gap + TICKS_HEIGHT + captions.x + 8,
      };
      const tallest = Math.max(2 * LINE, Math.min(MOST_ROWS * LINE, (isKey ? NARROW_RAIL_PART : RAIL_PART) * height));
      const plot = bottom - above;
      // Where there is hardly room for the plot labels have one row, or none: the pointer says what they would.
      const rows = plot - ONE_ROW < LEAST_PLOT ? 0 : plot - tallest < LEAST_PLOT_PART * height ? LINE : tallest;
      const { labels } = this.marks;
      if (was) {
        const kept = frame(right, was.top, bottom);
        const rail = labels.seat(() => kept, rows, width, isAtOnce);
        if (rail <= was.top - above && labels.isComplete) return kept;
      }
      const under = (rail: number) => frame(right, above + Math.max(LEAST_TOP, rail), bottom);
      return under(labels.seat(under, rows, width, isAtOnce));
    };
    const beside = width < NARROW ? null : laid(false);
    const found = beside && this.names.stand(beside, isAtOnce) ? beside : laid(true);
    const now = this.current;
    this.ends = { from: now?.ends ?? ends, to: ends };
    this.room = { from: now?.room ?? found.room, to: found.room };
    this.glide.restart(isAtOnce);
    const ticks = {
      x: ticksThatFit(texts.x, found.x, widthOfTick, TICK_GAP.x),
      y: ticksThatFit(texts.y, found.y, () => SMALL, TICK_GAP.y),
    };
    this.axes.ask(axes, ticks, units, measure);
    this.dots.name(found, this.lines, this.marks.labels.takenAt(found));
    this.dots.uncover(found, this.lines);
  }

  private get gap(): number {
    return this.shown?.gap ?? 0;
  }

  private get legendAsked(): LegendAsked {
    return { ...this.key, isHaunted: this.lines.ghost.isThere, isDragged: this.marks.isDraggable };
  }

  /** Right end of the frame at rest, in even steps. */
  private get lastEdge(): number {
    return this.shown ? even(this.shown.view.axes.x, this.asked.x[1]) : Infinity;
  }

  hold(): void {
    const drawn = this.projection;
    if (drawn) this.lines.haunt(this.approach.left, drawn);
    this.isDragging = this.pointer.held !== null;
    if (this.shown && this.ends) this.watch.hold(this.points, this.pointer.held, this.shown.view.axes, this.ends.to);
    this.isOtherLegend = true;
    this.predict.forget();
  }

  clearGhost(): void {
    if (!this.lines.ghost.isThere) return;
    this.lines.ghost.forget();
    this.isOtherLegend = true;
    this.ground.wake();
  }

  step(seconds: number): boolean {
    const moves = [
      this.approach.step(seconds),
      this.glide.step(seconds),
      this.lines.step(seconds),
      this.marks.step(seconds),
      this.names.step(seconds),
    ];
    this.draw();
    return moves.some(Boolean) || this.marks.labels.isCovered;
  }

  get plot(): Room | null {
    return this.projection?.room ?? null;
  }

  plumb(x: number | null): void {
    this.plumbLine.x = x;
  }

  private draw(): void {
    const projection = this.projection;
    if (!projection) return;
    this.edge = projection.across[1];
    const { left } = this.approach;
    const { room } = projection;
    put(this.clip, {
      x: room.left - PIXEL,
      y: room.top - PIXEL,
      width: Math.max(0, room.right - room.left + 2 * PIXEL),
      height: Math.max(0, room.bottom - room.top + 2 * PIXEL),
    });
    if (this.isOtherLegend) this.legend.draw(this.legendAsked);
    this.isOtherLegend = false;
    this.axes.draw(projection, this.glide.part, this.foot.caption, this.size.width, this.gap);
    this.lines.draw(projection, left);
    this.plumbLine.draw(projection, this.lines, left, this.gap);
    this.dots.draw(projection, left);
    this.marks.grip(this.pointer.held);
    this.marks.draw(projection, this.lines, left, this.size.width, this.foot.above);
    this.names.draw(projection, this.foot.key, this.size.width);
    if (this.shown) this.predict.draw(projection, this.shown, this.lines);
    this.pointer.draw();
  }

  private seen(): Seen | null {
    const { shown, projection, lines, marks, dots, size } = this;
    return shown && projection && { shown, projection, lines, marks, dots, size, left: this.approach.left };
  }

  /** As drawn now. */
  private get projection(): Projection | null {
    const now = this.current;
    return now && this.shown ? project(this.shown.view.axes, now.ends, now.room) : null;
  }

  /** As it will be at rest. */
  private get target(): Projection | null {
    return this.ends && this.room && this.shown ? project(this.shown.view.axes, this.ends.to, this.room.to) : null;
  }

  private get current(): { ends: Ends; room: Room } | null {
    if (!this.ends || !this.room || !this.shown) return null;
    const { part: glided } = this.glide;
    return {
      ends: endsBetween(this.shown.view.axes, this.ends.from, this.ends.to, glided),
      room: roomBetween(this.room.from, this.room.to, glided),
    };
  }

  get frame(): Ends | null {
    const { isStrayed, wanted } = this.watch;
    const held = this.ends?.to ?? null;
    return isStrayed ? wanted && held && { ...held, x: wanted } : held;
  }

  get pastReach(): [number, number] | null {
    const reach = this.lines.ghost.reach;
    const x = this.shown?.view.axes.x;
    return reach && x ? [uneven(x, reach[0]), uneven(x, reach[1])] : null;
  }

  remove(): void {
    this.pointer.remove();
    this.predict.remove();
    this.group.remove();
  }
}

/** Whether one view's lines may turn into another's. */
function isSameFrame(one: CurvesView, other: CurvesView): boolean {
  return (
    (["x", "y"] as const).every(
      (name) =>
        one.axes[name].caption === other.axes[name].caption &&
        one.axes[name].is_logarithmic === other.axes[name].is_logarithmic,
    ) && one.heading === other.heading
  );
}
