// Stores below one another, the fastest above: what waits lies in the cheapest, and what each costs stands beside it.

import { FONT, SMALL } from "../chart/measure";
import { at, clamp } from "../chart/numbers";
import { element, matched, part, put, say, tenth } from "../chart/svg";
import type { Stores } from "../documents";
import { format } from "../state/quantity";
import type { Drawn, Given } from "./played";
import { type Accompanied, costOf, passing } from "./read";
import { colourIn } from "./words";

const SECONDS = 6;
/** Narrower it says less of each store, and narrower still not when it is the cheapest. */
const WIDE = 720;
const NARROW = 560;
/** Height of the line of words above all; and size of what waits, at most. */
const HEAD = 24;
const MOST_BOX = 22;
/** Of a cost: its dot, and from that to its number. */
const DOT = 4.5;
const GAP = 9;
/** Around words and what waits. */
const AIR = 8;
const BETWEEN = 4;
/** Where a wide picture has the two costs, and where their sum begins to be drawn. */
const COSTS = 0.4;
const HELD = 0.54;
const DRAWN = 0.7;
const HEADS = { retrieve: "to bring back", hold: "to hold an hour" };
/** The same where what each costs is not said beside it. */
const FEW_COSTS = 0.52;
const FEW_DRAWN = 0.56;
/** Costs that are less many times apart do not take all the room. */
const LEAST_SPREAD = 10;
/** Of all time, that what waits takes to move on; and in how many looks back it is found where it was. */
const FALLS = 0.06;
const LOOKS = 16;

/** Whether which of them is cheapest is asked: then the cost of none is known, but what it is made of. */
function isOpen({ companion, asked }: Accompanied): boolean {
  return asked !== "" && !(companion as Stores).stores.some(({ line }) => line === asked);
}

/** What each store costs at a time, as the chart has it; of what is asked nobody knows it. */
function costsAt(shown: Accompanied, x: number): number[] {
  const { curves, companion, asked } = shown;
  const isKnown = (line: string) => line !== asked && !isOpen(shown);
  const costs = (companion as Stores).stores.map(({ line }) => (isKnown(line) ? costOf(curves, line, x) : null));
  return costs.map((cost) => cost ?? Number.POSITIVE_INFINITY);
}

/** Which is the cheapest; none where no cost is known. */
function cheapest(costs: readonly number[]): number {
  const least = Math.min(...costs);
  return Number.isFinite(least) ? costs.indexOf(least) : -1;
}

export function saidOfStores(shown: Accompanied, x: number): string {
  const { stores, text } = shown.companion as Stores;
  if (isOpen(shown)) return `${text}. After ${format(x, shown.axes.x.dimension, 2)}: ?`;
  const costs = costsAt(shown, x);
  const said = (line: string, cost: number) => (line === shown.asked ? "?" : format(cost, shown.axes.y.dimension));
  const all = stores.map(({ line }, place) => `${line} ${said(line, at(costs, place))}`).join(", ");
  return `${text}. After ${format(x, shown.axes.x.dimension, 2)}: ${stores[cheapest(costs)]?.line}. ${all}`;
}

export class StoresDrawing implements Drawn {
  readonly svg = element("svg", { "aria-hidden": "true" });
  private readonly words = {
    what: part(this.svg, "text"),
    retrieve: part(this.svg, "text", { class: "muted" }),
    hold: part(this.svg, "text", { class: "muted" }),
    costs: part(this.svg, "text", { class: "muted" }),
  };
  private readonly rows = part(this.svg, "g");
  private readonly thing = part(this.svg, "rect", { rx: 2, "data-colour": "kv" });
  private given!: Given;
  // What was asked of it is asked at one time, at which it has to be seen.
  readonly isAtRest = true;

  seconds({ asked }: Accompanied): number {
    return asked ? 0 : SECONDS;
  }

  /** Where things lie: of the stores both ends, of their costs in words and as drawn. */
  places(stores: Stores["stores"]) {
    const { width, height } = this.given;
    const isNarrow = width < NARROW;
    const isWide = width >= WIDE;
    const row = (height - HEAD) / stores.length;
    const box = Math.min(MOST_BOX, row - 2 * BETWEEN);
    const left = Math.max(...stores.map(({ line }) => this.given.measure(line, FONT, 600))) + AIR;
    const right = isNarrow ? left + box + 2 * BETWEEN : width * (isWide ? COSTS : FEW_COSTS) - AIR;
    const numbers = this.given.measure("$0.00116 · 150k×", SMALL) + GAP;
    const from = isNarrow ? right + AIR : width * (isWide ? DRAWN : FEW_DRAWN);
    return { isNarrow, isWide, row, box, left, right, held: HELD * width, from, to: width - numbers };
  }

  draw(given: Given, moment: number): void {
    const { shown, x: end } = given;
    this.given = given;
    const { stores, thing_text: thing } = shown.companion as Stores;
    const { x: along, y: upright } = shown.axes;
    const low = along.ends?.[0] ?? end;
    const timeAt = (part: number) => low * (end / low) ** part;
    const now = timeAt(moment);
    passing.value = moment < 1 ? now : null;
    const costs = costsAt(shown, now);
    const best = cheapest(costs);
    const lies = this.places(stores);
    // No axis stands under them: the cheapest lies at the left, and the dearest as far from it as there is room.
    const least = costs[best] ?? 1;
    const spread = Math.log(Math.max(LEAST_SPREAD, Math.max(...costs.filter(Number.isFinite)) / least));
    const across = (cost: number) => lies.from + (lies.to - lies.from) * clamp(Math.log(cost / least) / spread);
    this.head(format(now, along.dimension, 2), stores[best]?.line ?? "?", thing, lies);
    const rows = matched(this.rows, stores.length, row);
    stores.forEach((store, place) => {
      const cost = at(costs, place);
      const isAsked = isOpen(shown) || store.line === shown.asked;
      const price = Number.isFinite(cost) ? format(cost, upright.dimension) : isAsked ? "?" : "";
      this.row(at(rows, place), store, {
        place,
        isBest: place === best,
        text: place === best || !Number.isFinite(cost) ? price : `${price} · ${format(cost / at(costs, best), "count", 2)}×`,
        x: Number.isFinite(cost) ? across(cost) : null,
        bestX: across(costs[best] ?? 0),
        lies,
      });
    });
    const place = this.placeOf(shown, timeAt, moment, best);
    const edge = lies.row - 2 * BETWEEN - lies.box;
    put(this.thing, {
      x: tenth(lies.left + BETWEEN),
      y: tenth(HEAD + place * lies.row + BETWEEN + edge / 2),
      width: tenth(lies.box),
      height: tenth(lies.box),
      opacity: best < 0 ? 0 : stores[best]?.is_kept ? 1 : 0.3,
    });
  }

  private row(group: Element, store: Stores["stores"][number], one: Row): void {
    const { line, retrieve_text, hold_text, when_text, is_kept } = store;
    const { place, isBest, x, bestX, text, lies } = one;
    const { isWide, row: high, box, left, right, held, from } = lies;
    const { asked } = this.given.shown;
    const [slab, stem, dot, name, when, fetched, holds, number] = [...group.children] as SVGElement[] as [
      SVGElement,
      SVGElement,
      SVGElement,
      SVGElement,
      SVGElement,
      SVGElement,
      SVGElement,
      SVGElement,
    ];
    const colour = colourIn(this.given.shown.curves, line);
    const [y, middle] = [HEAD + place * high, HEAD + (place + 0.5) * high];
    put(slab, {
      x: tenth(left),
      y: tenth(y + 1),
      width: tenth(Math.max(0, right - left)),
      height: tenth(high - 2),
      rx: 3,
      style: `fill: var(--${colour}); stroke: var(--${colour})`,
      "fill-opacity": isBest ? 0.16 : 0.1,
      "stroke-opacity": isBest ? 1 : 0.35,
      "stroke-dasharray": is_kept ? "none" : "4 3",
    });
    put(stem, { d: x === null ? "" : `M${tenth(bestX)} ${tenth(middle)}H${tenth(x)}`, style: `stroke: var(--${colour})` });
    put(dot, { cx: tenth(x ?? 0), cy: tenth(middle), r: x === null ? 0 : DOT, style: `fill: var(--${colour})` });
    const write = (words: SVGElement, across: number, said: string, isStrong: boolean, own: string) => {
      put(words, { x: tenth(across), y: tenth(middle + 4.5), class: isStrong ? "strong" : "muted", "data-colour": own });
      say(words, said);
    };
    write(name, 0, line, isBest, colour);
    const inside = left + box + 2 * BETWEEN + AIR;
    const isTold = !isOpen(this.given.shown) && this.given.measure(when_text, FONT, 600) < right - inside - AIR;
    write(when, inside, isTold ? when_text : "", isBest, colour);
    const isSaid = isWide && line !== asked;
    write(fetched, right + AIR, isSaid ? retrieve_text : "", false, "muted");
    write(holds, held, isSaid ? hold_text : "", false, "muted");
    write(number, (x ?? from) + GAP, text, isBest, isBest ? "money" : "muted");
  }

  /** In which store it lies, or between which two: it moves on a little after another has become the cheapest. */
  private placeOf(shown: Accompanied, timeAt: (part: number) => number, moment: number, best: number): number {
    if (moment >= 1 || best < 0) return Math.max(0, best);
    const before = Array.from({ length: LOOKS }, (_, look) => {
      const since = (look + 1) / LOOKS;
      return { since, place: cheapest(costsAt(shown, timeAt(Math.max(0, moment - FALLS * since)))) };
    }).find(({ place }) => place !== best);
    return before ? best + (before.place - best) * (1 - before.since) ** 2 : best;
  }

  private head(time: string, name: string, thing: string, lies: Row["lies"]): void {
    const { width } = this.given;
    const { isWide, right, held, from } = lies;
    const { whose, axes } = this.given.shown;
    const isNarrow = width < NARROW;
    const [long, short] = [`${thing} used again after ${time}: cheapest in ${name}`, `used again after ${time}: ${name}`];
    put(this.words.what, { x: 0, y: 14 });
    say(
      this.words.what,
      this.given.measure(long, FONT) < (isNarrow ? width - 28 : (isWide ? right : from) - AIR) ? long : short,
    );
    put(this.words.retrieve, { x: tenth(right + AIR), y: 14 });
    say(this.words.retrieve, isWide ? HEADS.retrieve : "");
    put(this.words.hold, { x: tenth(held), y: 14 });
    say(this.words.hold, isWide ? HEADS.hold : "");
    put(this.words.costs, { x: tenth(from), y: 14 });
    say(this.words.costs, isNarrow ? "" : `${axes.y.caption}${whose && `, ${whose}`}`);
  }
}

interface Row {
  place: number;
  isBest: boolean;
  /** What it costs. */
  text: string;
  /** Where its cost lies, and the least of all; null where it has none. */
  x: number | null;
  bestX: number;
  lies: ReturnType<StoresDrawing["places"]>;
}

/** The parts of a row: a store, what it costs as a line with a dot, and five texts. */
function row(): SVGGElement {
  const texts = Array.from({ length: 5 }, () => element("text"));
  return element("g", {}, element("rect"), element("path", { "stroke-width": 2, opacity: 0.45 }), element("circle"), ...texts);
}
