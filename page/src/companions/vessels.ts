// Vessels that fill one after another to the costs of a bill, and beside them all of it.

import { type Bill, billAt, percent } from "../bill/bill";
import { SMALL } from "../chart/measure";
import { at, clamp } from "../chart/numbers";
import { element, matched, part, put, say, tenth } from "../chart/svg";
import type { Vessels } from "../documents";
import { box } from "../machine/places";
import { format } from "../state/quantity";
import type { Drawn, Given } from "./played";
import type { Accompanied } from "./read";
import { write } from "./words";

const SECONDS = 5;
/** Narrower there is no room for what fills them. */
const NARROW = 600;
/** Height of the words above, of the pipe below them, and of names and shares at the foot. */
const HEAD = 22;
const PIPE = 12;
const FOOT = 36;
/** Width of what fills them; of a vessel, as a part of its place and at most. */
const FILLER = 150;
const FILLED = 0.72;
const MOST_WIDE = 120;
/** As wide as a sum is written. */
const SUM = "0.000×";
/** The highest level that is seen, over the least sum; and pixels that a vessel of a pile has at least, to be counted. */
const SHOWN = 1.2;
const LEAST_HIGH = 4;
/** Of a vessel, that is not seen to be too much for it. */
const ALL_BUT = 0.01;
/** Of what flows: pixels in a second. */
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
  const sums = side[0]?.y.map((_, place) => side.reduce((sum, { y }) => sum + at(y, place), 0)) ?? [];
  return Math.min(...sums);
}

export function saidOfVessels(shown: Accompanied, x: number): string {
  const found = billOf(shown, x);
  const parts = found?.bill.parts.map(({ name, part }) => `${name} ${percent(part)}`).join(", ") ?? "";
  const all = found ? `; all ${times(found.bill.total)}, the least ${times(leastOf(shown))}` : "";
  return `${(shown.companion as Vessels).text}. ${whatOf(shown, x)}: ${parts}${all}`;
}

/** A sum, as the chart's axis has it. */
function times(sum: number): string {
  return `${format(sum, "count")}×`;
}

function whatOf({ companion, axes }: Accompanied, x: number): string {
  const words = axes.x.caption.split(", ");
  const { filler_text: filler } = companion as Vessels;
  return filler
    ? `a ${filler} of ${format(x, axes.x.dimension)} ${words.at(-1)}`
    : `${words[0]} = ${format(x, axes.x.dimension)}`;
}

/** Where things lie. */
interface Places {
  top: number;
  bottom: number;
  wide: number;
  /** Left end of a vessel; the last is that of all. */
  left: (place: number) => number;
  /** Level of a cost. */
  level: (cost: number) => number;
  /** What a vessel holds: the least sum. */
  holds: number;
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
  private readonly seams = part(this.svg, "path", { stroke: "var(--background)" });
  private readonly equal = part(this.svg, "path", { class: "was" });
  private readonly mark = part(this.svg, "path", { stroke: "var(--ink)", "stroke-width": 1.5 });
  private readonly names = part(this.svg, "g", { "text-anchor": "middle" });
  private readonly words = {
    what: part(this.svg, "text"),
    filler: part(this.svg, "text", { class: "muted", "text-anchor": "middle" }),
    equal: part(this.svg, "text", { class: "muted", "text-anchor": "end" }),
    least: part(this.svg, "text", { class: "muted" }),
  };
  private given!: Given;
  /** Filled as the chart and its strip say. */
  readonly isAtRest = true;

  seconds({ companion }: Accompanied): number {
    return (companion as Vessels).vessels.some(({ does_text }) => does_text) ? SECONDS : 0;
  }

  draw(given: Given, moment: number, seconds: number): void {
    const { shown, x } = given;
    const found = billOf(shown, x);
    if (!found) return;
    this.given = given;
    const { vessels } = shown.companion as Vessels;
    const { bill, costs } = found;
    const isOver = moment >= 1 || !this.seconds(shown);
    const poured = isOver ? bill.total : moment * bill.total;
    let before = 0;
    const levels = costs.map((cost) => {
      const level = clamp(poured - before, 0, cost);
      before += cost;
      return level;
    });
    const active = isOver ? -1 : levels.filter((level) => level > 0).length - 1;
    const colours = vessels.map(({ part: name }) => bill.parts.find((one) => one.name === name)?.colour ?? "muted");
    const places = this.places(vessels.length, bill.total);
    this.fill(levels, colours, places);
    // Numbers rise with what they are of.
    this.name([...levels.map((level) => percent(level / bill.total)), times(poured)], places);
    this.levels(bill.total / vessels.length, vessels.length, places);
    this.tap(active, at(colours, Math.max(0, active)), levels, places, seconds);
    const what = whatOf(shown, x);
    const does = active < 0 ? what : `${what} ${vessels[active]?.does_text}`;
    const texts = [shown.whose ? `${does}, ${shown.whose}` : does, does, what];
    write(this.words.what, texts, { x: 0, y: 14, room: given.width - 28, weight: 400 }, given);
  }

  private get isNarrow(): boolean {
    return this.given.width < NARROW;
  }

  /** Whether what fills them is drawn. */
  private get hasFiller(): boolean {
    return !this.isNarrow && (this.given.shown.companion as Vessels).filler_text !== "";
  }

  /** At the level at which all are alike. */
  private get equalText(): string {
    return this.isNarrow ? "equal" : "equal shares";
  }

  /** At the level of the least sum, where there is room for it. */
  private leastText(sum: string): string {
    return this.isNarrow ? "" : `the least ${sum}`;
  }

  /** Of so many vessels and that of all, behind the words at their level. */
  private places(count: number, total: number): Places {
    const { width, height } = this.given;
    const widths = [this.equalText, this.leastText(SUM)].map((text) => this.given.measure(text, SMALL));
    const [equal, least] = widths.map((width) => width + 16) as [number, number];
    const left = (this.hasFiller ? FILLER : 0) + equal;
    const slot = (width - left - least) / (count + 1);
    const wide = Math.min(MOST_WIDE, slot * FILLED);
    const [top, bottom] = [HEAD + (this.hasFiller ? PIPE : 0), height - FOOT];
    const holds = leastOf(this.given.shown);
    const most = Math.max(SHOWN * holds, total);
    return {
      top,
      bottom,
      wide,
      left: (place) => left + slot * place + (slot - wide) / 2,
      level: (cost) => bottom - ((bottom - top) * cost) / most,
      holds,
    };
  }

  private fill(levels: readonly number[], colours: readonly string[], { top, bottom, wide, left, level, holds }: Places): void {
    const fills = matched(this.fills, 2 * levels.length, () => element("path"));
    let below = 0;
    levels.forEach((cost, place) => {
      const colour = at(colours, place);
      put(at(fills, 2 * place), { "data-colour": colour, d: box(left(place), level(cost), wide, bottom - level(cost)) });
      const [low, high] = [level(below), level(below + cost)];
      put(at(fills, 2 * place + 1), { "data-colour": colour, d: box(left(levels.length), high, wide, low - high) });
      below += cost;
    });
    // What one does not hold stands in further ones on it; where they are too low to be counted, it runs over.
    const pile = (cost: number) => (bottom - level(holds) < LEAST_HIGH ? 1 : Math.max(1, Math.ceil(cost / holds - ALL_BUT)));
    const floors = [...levels, below].map((cost, place) => ({ from: tenth(left(place)), pile: pile(cost) }));
    const wall = ({ from, pile }: (typeof floors)[number]) => {
      const rim = tenth(Math.max(top, level(pile * holds)));
      return `M${from} ${rim}V${tenth(bottom)}h${tenth(wide)}V${rim}`;
    };
    const seams = ({ from, pile }: (typeof floors)[number]) =>
      Array.from({ length: pile - 1 }, (_, nth) => `M${from} ${tenth(level((nth + 1) * holds))}h${tenth(wide)}`).join("");
    put(this.walls, { d: floors.map(wall).join("") });
    put(this.seams, { d: floors.map(seams).join(""), "stroke-width": tenth(Math.min(2, (bottom - level(holds)) / 6)) });
  }

  /** What each is, and its share. */
  private name(shares: readonly string[], { bottom, wide, left }: Places): void {
    const { vessels } = this.given.shown.companion as Vessels;
    const texts = matched(this.names, 2 * shares.length, () => element("text"));
    shares.forEach((share, place) => {
      const name = vessels[place]?.part ?? "all";
      const middle = Math.max(left(place) + wide / 2, this.given.measure(name, SMALL) / 2);
      put(at(texts, 2 * place), { x: tenth(middle), y: tenth(bottom + 15), class: "muted" });
      say(at(texts, 2 * place), name);
      put(at(texts, 2 * place + 1), { x: tenth(middle), y: tenth(bottom + 31), class: "strong" });
      say(at(texts, 2 * place + 1), share);
    });
  }

  /** The level at which all parts would be alike, and that of the least sum. */
  private levels(mean: number, count: number, { wide, left, level, holds }: Places): void {
    const [from, to] = [left(0) - 5, left(count - 1) + wide + 5];
    put(this.equal, { d: `M${tenth(from)} ${tenth(level(mean))}H${tenth(to)}` });
    put(this.words.equal, { x: tenth(from - 4), y: tenth(level(mean) + 4) });
    say(this.words.equal, this.equalText);
    const [edge, least] = [left(count) + wide, level(holds)];
    // Clear of the rim.
    put(this.mark, { d: `M${tenth(edge + 3)} ${tenth(least)}h7` });
    put(this.words.least, { x: tenth(edge + 14), y: tenth(least + 4) });
    // What could be saved may be a pixel high.
    say(this.words.least, this.leastText(times(holds)));
  }

  /** From what they are paid for into the vessel that fills. */
  private tap(active: number, colour: string, levels: readonly number[], places: Places, seconds: number): void {
    const { wide, left, level } = places;
    const { companion, axes } = this.given.shown;
    const { filler_text: filler } = companion as Vessels;
    const middle = (place: number) => tenth(left(place) + wide / 2);
    const y = HEAD + 4;
    // Its area is as its size, which is the largest at the end of the axis.
    const most = Math.min(FILLER - 50, this.given.height - HEAD - FOOT);
    const side = this.hasFiller ? most * Math.sqrt(this.given.x / (axes.x.ends?.[1] ?? this.given.x)) : 0;
    put(this.filler, { x: 4, y: HEAD, width: tenth(side), height: tenth(side) });
    put(this.words.filler, { x: tenth(4 + Math.max(side, this.given.measure(filler, SMALL)) / 2), y: tenth(HEAD + side + 15) });
    say(this.words.filler, this.hasFiller ? filler : "");
    // Where nothing flows it would lead nowhere.
    put(this.pipe, { d: this.hasFiller && active >= 0 ? `M${tenth(4 + side)} ${y}H${middle(levels.length - 1)}` : "" });
    const from = this.hasFiller ? tenth(4 + side) : middle(Math.max(0, active));
    put(this.flow, {
      "data-colour": colour,
      d: active < 0 ? "" : `M${from} ${y}H${middle(active)}V${tenth(level(at(levels, active)))}`,
      "stroke-dashoffset": tenth(-seconds * FLOW),
    });
  }
}
