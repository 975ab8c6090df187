// How long all took, from their arrival to their token: a histogram that fills, and above it the train that rides there.

import type { Measure } from "../chart/measure";
import { at } from "../chart/numbers";
import { element, put, say } from "../chart/svg";
import type { Trains } from "../documents";
import { type Box, RIDE } from "./station";

const SMALL = 13;
const FONT = 14;
/** Bins of a period; and where it begins, since nobody takes less than the ride. */
const BINS = 10;
const FIRST = 0.9;
const TRAIN = 74;
/** Below the upper edge of the histogram: its row of words, which requests that get off come out under. */
const WORDS = 16;

export class Arrivals {
  readonly axis = element("g");
  /** Words over the histogram. */
  readonly labels = element("g", { "pointer-events": "none" });
  readonly riding = element("g");
  private chart: Box = { left: 0, top: 0, width: 0, height: 0 };
  private periods = 3;

  constructor() {
    this.riding.append(
      element("line", { stroke: "var(--muted)", "stroke-width": 1 }),
      element("rect", { width: TRAIN, height: 22, rx: 5, fill: "var(--also)" }),
      element("text", { "font-size": SMALL, "text-anchor": "middle", fill: "var(--background)" }),
    );
  }

  fit(picture: Trains, chart: Box, caption: string, measure: Measure): void {
    this.chart = chart;
    const { passed, train } = picture.requests;
    const late = Math.max(0, ...passed.filter((_, place) => train[place] !== -1));
    this.periods = late > 1 ? late + 2.1 : 3.1;
    this.rule(picture, caption, measure);
  }

  /** The ride takes a period; a part below zero is of no ride. */
  ride(along: number, number: number): void {
    const { left, width, top } = this.chart;
    const y = top - RIDE;
    const [rail, box, word] = [...this.riding.children] as [SVGElement, SVGElement, SVGElement];
    put(rail, { x1: left, x2: left + width, y1: y + 24, y2: y + 24 });
    const [x, opacity] = [this.middle(Math.max(0, along)) - TRAIN / 2, along < 0 ? 0 : 1];
    put(box, { x, y, opacity });
    put(word, { x: x + TRAIN / 2, y: y + 15, opacity });
    say(word, `train ${number}`);
  }

  /** Of the riding train: from where requests get off. */
  middle(along: number): number {
    return this.chart.left + (this.chart.width - TRAIN) * along + TRAIN / 2;
  }

  /** Where requests come out. */
  get top(): number {
    return this.chart.top + WORDS;
  }

  /** Which part of the histogram a time falls into, in periods. */
  binOf(periods: number): number {
    return Math.floor(periods * BINS);
  }

  /** Stack what falls into each bin, several abreast, as large as leaves room for the highest; the radius of each. */
  pile(bins: Map<number, number[]>, radius: number, put: (which: number, place: [number, number]) => void): number {
    const { top, width, height } = this.chart;
    const wide = width / (this.periods - FIRST) / BINS;
    const most = Math.max(1, ...[...bins.values()].map((one) => one.length));
    const high = height - 26;
    let size = Math.min(2 * radius + 2, wide);
    while (size > 1.5 && Math.ceil(most / Math.floor((wide - 1) / size || 1)) * size > high) size -= 0.1;
    const abreast = Math.max(1, Math.floor((wide - 1) / size));
    for (const [bin, places] of bins) {
      const left = this.across(bin / BINS) + (wide - abreast * size) / 2;
      places.forEach((which, order) => {
        put(which, [left + ((order % abreast) + 0.5) * size, top + height - (Math.floor(order / abreast) + 0.5) * size]);
      });
    }
    return Math.max(0.8, size / 2 - 0.35);
  }

  private across(periods: number): number {
    return this.chart.left + (this.chart.width * (periods - FIRST)) / (this.periods - FIRST);
  }

  private rule(picture: Trains, caption: string, measure: Measure): void {
    const { left, top, width, height } = this.chart;
    const bottom = top + height;
    const text = (x: number, y: number, said: string, more: Record<string, string | number> = {}) =>
      element("text", { x, y, "font-size": SMALL, fill: "var(--muted)", ...more }, said);
    this.axis.replaceChildren(
      element("line", { x1: left, x2: left + width, y1: bottom + 1, y2: bottom + 1, stroke: "var(--muted)" }),
    );
    for (let period = Math.ceil(FIRST); period <= this.periods; period++) {
      const x = this.across(period);
      this.axis.append(element("line", { x1: x, x2: x, y1: bottom + 1, y2: bottom + 6, stroke: "var(--muted)" }));
      this.axis.append(
        text(x, bottom + 20, at(picture.clock, period), {
          "text-anchor": left + width - x < 24 ? "end" : x - left < 24 ? "start" : "middle",
        }),
      );
    }
    this.axis.append(text(left, bottom + 38, `${caption} →`));
    const missed = this.across(2);
    const mean = this.across(picture.mean_periods);
    this.axis.append(
      element("line", { x1: mean, x2: mean, y1: top + 4, y2: bottom, stroke: "var(--ink)", "stroke-width": 1.5 }),
      element("line", { x1: missed, x2: missed, y1: top + 4, y2: bottom, stroke: "var(--muted)", "stroke-dasharray": "2 3" }),
    );
    this.labels.replaceChildren(
      text(mean - 6, top + 10, picture.mean_text, {
        "text-anchor": "end",
        fill: "var(--ink)",
        "font-weight": 600,
        "font-size": mean - 6 - measure(picture.mean_text, FONT, 600) < 0 ? SMALL - 1 : FONT,
      }),
      text(missed + 6, top + 10, `just missed: ${picture.clock[2]}`),
    );
    // Below what they are of: whoever was left behind comes down over the axis there.
    if (picture.departures.some((one) => one.left)) {
      const end = { "text-anchor": "end", fill: "var(--wrong)", "font-weight": 600 };
      this.labels.append(text(left + width, bottom + 38, "left behind: longer", end));
    }
  }
}
