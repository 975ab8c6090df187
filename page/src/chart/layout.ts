// Where everything of a picture of lines goes at rest: names, then the rail over what they leave, then the plot.

import type { Axes } from "../documents";
import { type AxesDrawn, type Format, tickText } from "./axes";
import { type Ends, type Projection, project, type Room } from "./frame";
import { type Labels, railOf } from "./labels";
import type { Legend, LegendAsked } from "./legend";
import { LINE, measure, SMALL } from "./measure";
import type { Names } from "./names";
import { railHeight } from "./rail";
import { NARROW, type Size } from "./stage";
import { ticksThatFit } from "./ticks";

const LEAST_RIGHT = 14;
const LEAST_TOP = 10;
const TICKS_HEIGHT = 24;
const TICK_GAP = { x: 14, y: 8 };

/** By axis, numbers that stand at it. */
export interface Ticks {
  x: readonly number[];
  y: readonly number[];
}

export interface LayoutAsked {
  axes: Axes;
  ends: Ends;
  size: Size;
  /** Numbers that may stand at the axes. */
  ticks: Ticks;
  units: Format;
  isPair: boolean;
  legend: Pick<LegendAsked, "isHaunted" | "isDragged">;
  /** Between the axis along and its numbers, in pixels. */
  gap: number;
  isAtOnce: boolean;
  /** Rows of words above the plot for which there is room in any case: those that an answer or another mode brings. */
  rows: number;
  /** Where the plot was, if it stays there as far as it can. */
  was: Room | undefined;
}

export class Layout {
  /** What stands above and below the plot, in pixels from the top. */
  foot = { above: 0, names: 0, caption: 0, key: 0 };
  /** Of the legend, whose other words depend on what is drawn. */
  key = { isPair: false, caption: 0, below: 0, width: 0 };

  constructor(
    private readonly axes: AxesDrawn,
    private readonly legend: Legend,
    private readonly names: Names,
    private readonly labels: Labels,
  ) {}

  /** The frame, with the numbers that have room at its axes. */
  lay(asked: LayoutAsked): { found: Projection; ticks: Record<keyof Ticks, number[]> } {
    const { axes, size, ticks, units, isAtOnce } = asked;
    const widthOfTick = (value: number) => measure(tickText(axes.x, value, units), SMALL);
    const beside = size.width < NARROW ? null : this.laid(asked, widthOfTick, false);
    const found = beside && this.names.stand(beside, isAtOnce) ? beside : this.laid(asked, widthOfTick, true);
    return {
      found,
      ticks: {
        x: ticksThatFit(ticks.x, found.x, widthOfTick, TICK_GAP.x),
        y: ticksThatFit(ticks.y, found.y, () => SMALL, TICK_GAP.y),
      },
    };
  }

  /** With the names of lines beside the plot, or in a key under it. */
  private laid(asked: LayoutAsked, widthOfTick: (value: number) => number, isKey: boolean): Projection {
    const { axes, ends, ticks, units, gap, isAtOnce, was } = asked;
    const { width, height } = asked.size;
    const left = Math.ceil(Math.max(24, ...ticks.y.map((value) => measure(tickText(axes.y, value, units), SMALL))) + 10);
    const captions = this.axes.caption(axes, width);
    this.key = { isPair: asked.isPair, caption: measure(axes.y.caption, SMALL), below: captions.y, width };
    const legend = this.legend.height({ ...this.key, ...asked.legend });
    const names = captions.y + legend;
    const above = names + (isKey ? 0 : this.names.above(width)) + 4;
    const lastTick = ticks.x.at(-1);
    const overhang = lastTick === undefined ? 0 : widthOfTick(lastTick) / 2;
    const frame = (right: number, top: number, bottom: number): Projection => project(axes, ends, { left, right, top, bottom });
    const needed = width - Math.max(LEAST_RIGHT, overhang, isKey ? 0 : this.names.margin(width, was && width - was.right));
    const right = was ? Math.min(was.right, needed) : needed;
    const key = isKey ? this.names.key(width) : 0;
    const bottom = height - gap - TICKS_HEIGHT - captions.x - (key ? key + 6 : 0);
    this.foot = {
      above: names,
      names: names + 4,
      caption: bottom + gap + TICKS_HEIGHT + SMALL,
      key: bottom + gap + TICKS_HEIGHT + captions.x + 8,
    };
    const rows = railHeight(bottom - above, height, isKey);
    if (was) {
      const kept = frame(right, was.top, bottom);
      const rail = this.labels.seat(() => kept, rows, width, isAtOnce);
      if (rail <= was.top - above && this.labels.isComplete) return kept;
    }
    const least = isKey || !asked.rows ? LEAST_TOP : railOf(asked.rows * LINE);
    const under = (rail: number) => frame(right, above + Math.max(least, rail), bottom);
    return under(this.labels.seat(under, rows, width, isAtOnce));
  }
}
