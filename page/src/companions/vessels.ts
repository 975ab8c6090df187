// Vessels that fill one after another to the costs of a bill, and beside them all of it.

import { type Bill, billAt, percent } from "../bill/bill";
import { FONT, type Measure, SMALL } from "../chart/measure";
import { clamp } from "../chart/numbers";
import { element, matched, part, put, say, tenth } from "../chart/svg";
import type { Vessels } from "../documents";
import { format } from "../state/quantity";
import type { Drawn } from "./played";
import type { Accompanied } from "./shown";

const SECONDS = 5;
const NARROW = 600;
/** Height of the words above, of the pipe below them, and of names and shares at the foot. */
const [HEAD, PIPE, FOOT] = [22, 12, 36];
/** Room for what fills them, for what is written at their level, and for the least of all. */
const [FILLER, LEVEL, LEAST] = [150, 74, 66];
/** Of all that can be seen, the least sum. */
const SHOWN = 1.2;
const MOST_WIDE = 120;
const HALVES = ["", "", "half each", "a third each", "a quarter each"];
const FLOW = 60;

/** The bill at a place, by the vessels in their order. */
function billOf({ curves, companion }: Accompanied, x: number): { bill: Bill; costs: number[] } | null {
  const bill = billAt(curves, x);
  if (!bill) return null;
  const costs = (companion as Vessels).vessels.map(
    ({ part: name }) => bill.total * (bill.parts.find((one) => one.name === name)?.part ?? 0),
  );
  return { bill, costs };
}

/** The least sum of all that is drawn. */
function leastOf({ curves: { bill } }: Accompanied): number {
  const [side = []] = bill;
  const sums = side[0]?.y.map((_, place) => side.reduce((sum, { y }) => sum + (y[place] ?? 0), 0)) ?? [];
  return sums.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY);
}

export function saidOfVessels(shown: Accompanied, x: number): string {
  const found = billOf(shown, x);
  const parts = found?.bill.parts.map(({ name, part }) => `${name} ${percent(part)}`).join(", ") ?? "";
  const over = found ? found.bill.total / leastOf(shown) : 1;
  return `${(shown.companion as Vessels).text}. ${whatOf(shown, x)}: ${parts}; all ${format(over, "count")} times the least`;
}

function whatOf({ companion, axes }: Accompanied, x: number): string {
  const [caption = ""] = axes.x.caption.split(",");
  const { filler_text: filler } = companion as Vessels;
  return filler ? `a ${filler} of ${format(x, axes.x.dimension)} ${caption}` : `${caption} = ${format(x, axes.x.dimension)}`;
}

function box(left: number, top: number, width: number, height: number): string {
  return width > 0 && height > 0 ? `M${tenth(left)} ${tenth(top)}h${tenth(width)}v${tenth(height)}h${-tenth(width)}z` : "";
}

export class VesselsDrawing implements Drawn {
  readonly svg = element("svg", { "aria-hidden": "true" });
  private readonly filler = part(this.svg, "rect", { "data-colour": "weights", rx: 2 });
  private readonly pipe = part(this.svg, "path", { class: "pipe", fill: "none", "stroke-width": 5 });
  private readonly flow = part(this.svg, "path", {
    class: "flow",
    style: "fill: none",
    "stroke-width": 5,
    "stroke-dasharray": "7 5",
  });
  private readonly fills = part(this.svg, "g");
  private readonly walls = part(this.svg, "path", { fill: "none", stroke: "var(--muted)", "stroke-width": 1.25 });
  private readonly equal = part(this.svg, "path", { class: "was" });
  private readonly mark = part(this.svg, "path", { stroke: "var(--ink)", "stroke-width": 1.5 });
  private readonly names = part(this.svg, "g");
  private readonly words = {
    what: part(this.svg, "text"),
    filler: part(this.svg, "text", { class: "muted", "text-anchor": "middle" }),
    equal: part(this.svg, "text", { class: "muted" }),
    least: part(this.svg, "text", { class: "muted" }),
  };
  private shown: Accompanied | null = null;
  private x = 1;
  private size = { width: 0, height: 0 };
  private measure: Measure = () => 0;

  seconds(): number {
    return (this.shown?.companion as Vessels | undefined)?.vessels.some(({ does_text }) => does_text) ? SECONDS : 0;
  }

  show(shown: Accompanied, x: number): void {
    [this.shown, this.x] = [shown, x];
  }

  fit(width: number, height: number, measure: Measure): void {
    this.size = { width, height };
    this.measure = measure;
  }

  draw(moment: number, seconds: number): void {
    const { shown, x } = this;
    const found = shown && billOf(shown, x);
    if (!found || !this.size.width) return;
    const { vessels, filler_text } = shown.companion as Vessels;
    const { width, height } = this.size;
    const { bill, costs } = found;
    const hasFiller = filler_text !== "" && width >= NARROW;
    const [left, right] = [hasFiller ? FILLER : 0, width - LEAST];
    const [top, bottom] = [HEAD + (filler_text ? PIPE : 0), height - FOOT];
    const slot = (right - left - LEVEL) / (vessels.length + 1);
    const wide = Math.min(MOST_WIDE, slot * 0.72);
    // Those of the parts, then, behind the words of their level, all of them.
    const middleOf = (place: number) => left + slot * (place + 0.5) + (place === vessels.length ? LEVEL : 0);
    const most = Math.max(SHOWN * leastOf(shown), bill.total);
    const high = (cost: number) => (bottom - top) * clamp(cost / most);
    const poured = this.seconds() ? moment * bill.total : bill.total;
    let before = 0;
    const levels = costs.map((cost) => {
      const level = clamp(poured - before, 0, cost);
      before += cost;
      return level;
    });
    const active = moment < 1 && this.seconds() ? levels.filter((level) => level > 0).length - 1 : -1;
    const colours = vessels.map(({ part: name }) => bill.parts.find((one) => one.name === name)?.colour ?? "muted");
    const fills = matched(this.fills, 2 * vessels.length, () => element("path"));
    let stacked = 0;
    levels.forEach((level, place) => {
      const all = middleOf(vessels.length) - wide / 2;
      const [one, other] = [fills[2 * place] as Element, fills[2 * place + 1] as Element];
      put(one, {
        "data-colour": colours[place] ?? "",
        d: box(middleOf(place) - wide / 2, bottom - high(level), wide, high(level)),
      });
      const [low, up] = [high(stacked), high(stacked + level)];
      put(other, { "data-colour": colours[place] ?? "", d: box(all, bottom - up, wide, up - low) });
      stacked += level;
    });
    const places = vessels.map((_, place) => place).concat(vessels.length);
    put(this.walls, {
      d: places
        .map((place) => {
          const from = middleOf(place) - wide / 2;
          return `M${tenth(from)} ${top}V${tenth(bottom)}h${tenth(wide)}V${top}`;
        })
        .join(""),
    });
    this.name(
      places,
      middleOf,
      [...bill.parts.map(({ part: share }) => percent(share)), `${format(bill.total, "count")}×`],
      bottom,
    );
    this.mean(bill.total / vessels.length, middleOf, wide, vessels.length, (cost) => bottom - high(cost), top);
    this.least(middleOf(vessels.length) + wide / 2, bottom - high(leastOf(shown)));
    this.tap(hasFiller, active, middleOf, (place) => bottom - high(levels[place] ?? 0), colours[active] ?? "muted", seconds);
    const does = active >= 0 ? ` ${vessels[active]?.does_text}` : "";
    const { whose } = shown;
    put(this.words.what, { x: 0, y: 14 });
    const texts = [`${whatOf(shown, x)}${does}${whose && `, ${whose}`}`, `${whatOf(shown, x)}${does}`, whatOf(shown, x)];
    say(this.words.what, texts.find((text) => this.measure(text, FONT) < width - 28) ?? "");
  }

  private name(places: number[], middleOf: (place: number) => number, shares: string[], bottom: number): void {
    const vessels = (this.shown?.companion as Vessels).vessels;
    const texts = matched(this.names, 2 * places.length, () => element("text", { "text-anchor": "middle" }));
    for (const place of places) {
      const name = vessels[place]?.part ?? "all";
      const half = this.measure(name, SMALL) / 2;
      const x = Math.max(middleOf(place), half);
      const [above, below] = [texts[2 * place] as Element, texts[2 * place + 1] as Element];
      put(above, { x: tenth(x), y: tenth(bottom + 15), class: "muted" });
      say(above, name);
      put(below, { x: tenth(middleOf(place)), y: tenth(bottom + 31), class: "strong" });
      say(below, shares[place] ?? "");
    }
  }

  /** The level at which all parts would be alike. */
  private mean(
    cost: number,
    middleOf: (place: number) => number,
    wide: number,
    count: number,
    y: (cost: number) => number,
    top: number,
  ): void {
    const level = y(cost);
    const [from, to] = [middleOf(0) - wide / 2 - 5, middleOf(count - 1) + wide / 2 + 5];
    const isSeen = level > top;
    put(this.equal, { d: isSeen ? `M${tenth(from)} ${tenth(level)}H${tenth(to)}` : "" });
    put(this.words.equal, { x: tenth(to + 5), y: tenth(level + 4) });
    say(this.words.equal, isSeen ? (HALVES[count] ?? "equal") : "");
  }

  private least(from: number, y: number): void {
    put(this.mark, { d: `M${tenth(from - 6)} ${tenth(y)}h12` });
    put(this.words.least, { x: tenth(from + 9), y: tenth(y + 4) });
    say(this.words.least, "the least");
  }

  /** From what they are paid for into the vessel that fills. */
  private tap(
    hasFiller: boolean,
    active: number,
    middleOf: (place: number) => number,
    levelOf: (place: number) => number,
    colour: string,
    seconds: number,
  ): void {
    const { shown, x } = this;
    const { ends = [1, 1] } = shown?.axes.x ?? {};
    const y = HEAD + 4;
    const side = hasFiller ? Math.sqrt(x / ends[1]) * Math.min(FILLER - 50, this.size.height - FOOT - HEAD) : 0;
    put(this.filler, { x: 4, y: tenth(HEAD), width: tenth(side), height: tenth(side) });
    put(this.words.filler, { x: tenth(4 + Math.max(side, 40) / 2), y: tenth(HEAD + side + 15) });
    say(this.words.filler, hasFiller ? ((shown?.companion as Vessels).filler_text ?? "") : "");
    const last = ((shown?.companion as Vessels).vessels.length ?? 1) - 1;
    const from = hasFiller ? 4 + side : 0;
    put(this.pipe, { d: hasFiller ? `M${tenth(from)} ${y}H${tenth(middleOf(last))}` : "" });
    const to = active >= 0 ? middleOf(active) : 0;
    put(this.flow, {
      "data-colour": colour,
      d: active >= 0 ? `M${tenth(hasFiller ? from : to)} ${y}H${tenth(to)}V${tenth(levelOf(active))}` : "",
      "stroke-dashoffset": tenth(-seconds * FLOW),
    });
  }
}
