// A step's batch as a pile of rows under what is computed meanwhile: weights that all rows share, and a context that each
// reads for itself. Width is time, so that what is longer than computing leaves the arithmetic without work.

import { percent } from "../bill/bill";
import { SMALL } from "../chart/measure";
import { element, part, put, tenth } from "../chart/svg";
import type { Batched } from "../documents";
import { box } from "../machine/places";
import { format } from "../state/quantity";
import type { Drawn, Given } from "./played";
import { type Accompanied, costOf } from "./read";
import { multiple, write } from "./words";

/** Height of the words above, of computing, between it and the rows, and of the words below them. */
const HEAD = 21;
const LANE = 15;
const AIR = 4;
const FOOT = 18;
/** Of the names at the left; narrower there are none. */
const NAMES = 82;
const NARROW = 600;
/** The longest time that is seen without a smaller scale, in those of computing; and beyond what is longer. */
const SHOWN = 2;
const BEYOND = 1.03;
/** Rows of a balance batch; and lower ones are not told apart. */
const ROWS = 4;
const LEAST_HIGH = 3;
/** Parts of a context at most, between which there are lines, and how wide they are at least. */
const PARTS = 10;
const LEAST_WIDE = 6;

interface Times {
  weights: number;
  context: number;
  /** What reading takes, over computing. */
  reading: number;
  price: number | null;
}

function timesAt({ curves, companion }: Accompanied, x: number): Times {
  const { balance_batches: batches, crossover_tokens: crossover, price } = companion as Batched;
  const [weights, context] = [1 / batches, x / crossover];
  return { weights, context, reading: weights + context, price: price ? costOf(curves, price, x) : null };
}

const times = (value: number) => format(value, "count");

function words(shown: Accompanied, x: number): string[] {
  const { reading, price } = timesAt(shown, x);
  const [context, whose] = [`context ${format(x, "count")}`, shown.whose && `, ${shown.whose}`];
  const cost = Math.max(1, reading);
  const than = `reading takes ${multiple(times(reading), "as long as computing")}`;
  const busy = `arithmetic is busy ${percent(1 / cost)}`;
  const short = `${context}: reading ${times(reading)}×`;
  if (price === null) return [`${context}: ${than}, ${busy}${whose}`, `${context}: ${than}, ${busy}`, `${context}: ${busy}`];
  // A list gives a price's step alone: its scale is ours.
  const { price_at_tokens: laidAt } = shown.companion as Batched;
  const laid = `list price drawn to meet the cost at ${format(laidAt, "count")}`;
  const paid = `a token costs ${multiple(times(cost), "its computing")}`;
  const long = `${context}: ${paid}; ${laid}`;
  const brief = `${format(x, "count")}: cost ${times(cost)}×, price drawn to meet it at ${format(laidAt, "count")}`;
  return [`${long}, since only its jump is known${whose}`, `${long}, since only its jump is known`, long, brief, short];
}

export function saidOfBatched(shown: Accompanied, x: number): string {
  return `${shown.companion.text}. ${words(shown, x)[0]}`;
}

/** The smallest of 1, 2 and 5 by a power of ten of which a length has no more than so many. */
export function partOf(length: number): number {
  const ten = 10 ** Math.floor(Math.log10(length / PARTS));
  return ten * ([1, 2, 5].find((one) => one * ten * PARTS >= length) ?? 10);
}

export class BatchedDrawing implements Drawn {
  readonly svg = element("svg", { "aria-hidden": "true" });
  private readonly computes = part(this.svg, "path", { "data-colour": "compute" });
  private readonly waits = part(this.svg, "path", { class: "free" });
  private readonly weights = part(this.svg, "path", { "data-colour": "weights" });
  private readonly contexts = part(this.svg, "path", { "data-colour": "kv" });
  private readonly seams = part(this.svg, "path", { class: "between" });
  private readonly done = part(this.svg, "path", { fill: "none", stroke: "var(--compute)", "stroke-width": 2 });
  private readonly price = part(this.svg, "path", { fill: "none", stroke: "var(--money)", "stroke-width": 2 });
  private readonly words = {
    what: part(this.svg, "text"),
    computing: part(this.svg, "text", { class: "muted" }),
    reading: part(this.svg, "text", { class: "muted" }),
    batch: part(this.svg, "text", { class: "muted" }),
    idle: part(this.svg, "text", { class: "muted" }),
    weights: part(this.svg, "text", { class: "muted" }),
    context: part(this.svg, "text", { class: "muted", "text-anchor": "end" }),
    price: part(this.svg, "text", { class: "strong", "data-colour": "money" }),
  };

  seconds(): number {
    return 0;
  }

  draw(given: Given): void {
    const { shown, x, width, height } = given;
    const { balance_batches: batches } = shown.companion as Batched;
    const { weights, context, reading, price } = timesAt(shown, x);
    const names = width < NARROW ? 0 : NAMES;
    const most = Math.max(SHOWN, BEYOND * Math.max(reading, price ?? 0));
    const across = (time: number) => names + ((width - names) * time) / most;
    const [top, bottom] = [HEAD + LANE + AIR, height - FOOT];
    const [lane, high] = [across(1), bottom - top];
    put(this.computes, { d: box(names, HEAD, lane - names, LANE) });
    const [from, until] = [across(Math.min(1, reading)), across(Math.max(1, reading))];
    put(this.waits, { d: reading > 1 ? box(lane, HEAD, until - lane, LANE) : box(from, top, lane - from, high) });
    put(this.weights, { d: box(names, top, across(weights) - names, high) });
    put(this.contexts, { d: box(across(weights), top, across(reading) - across(weights), high) });
    // A row for each of the batch's parts, over the contexts alone: weights are read once for all of them.
    const each = high / (ROWS * batches);
    const lines = each < LEAST_HIGH ? 0 : Math.ceil(ROWS * batches - 1e-9) - 1;
    const rows = Array.from(
      { length: lines },
      (_, nth) => `M${tenth(across(weights))} ${tenth(top + (nth + 1) * each)}H${tenth(across(reading))}`,
    );
    const every = partOf(x);
    const tokens = format(x, "count");
    const wide = (across(reading) - across(weights)) / (x / every);
    const parts = Array.from(
      { length: wide < LEAST_WIDE ? 0 : Math.ceil(x / every - 1e-9) - 1 },
      (_, nth) => `M${tenth(across(weights + (context * (nth + 1) * every) / x))} ${top}v${tenth(high)}`,
    );
    put(this.seams, { d: rows.join("") + parts.join("") });
    put(this.done, { d: `M${tenth(lane)} ${HEAD}V${bottom + 3}` });
    put(this.price, { d: price === null ? "" : `M${tenth(across(price))} ${HEAD}V${bottom + 3}` });
    write(this.words.what, words(shown, x), { x: 0, y: 14, room: width }, given);
    const named = { x: 0, room: names, size: SMALL };
    write(this.words.computing, ["computing"], { ...named, y: HEAD + 12 }, given);
    write(this.words.reading, ["reading"], { ...named, y: top + 12 }, given);
    write(this.words.batch, [`batch ${format(batches, "count")} B*`], { ...named, y: top + 28 }, given);
    const idle = { x: (reading > 1 ? lane : from) + 6, room: until - from - 10, size: SMALL };
    write(
      this.words.idle,
      reading > 1 ? ["arithmetic waits", "waits"] : ["memory waits", "waits"],
      { ...idle, y: reading > 1 ? HEAD + 12 : top + high / 2 + 4 },
      given,
    );
    const below = height - 4;
    const share = `${format(weights, "count", 2)}×`;
    const [first, second] = [across(weights) - names, across(reading) - across(weights)];
    write(
      this.words.weights,
      [`weights, read once: ${share}`, `weights ${share}`, "weights"],
      { x: names, y: below, room: first, size: SMALL },
      given,
    );
    const end = { x: across(reading), y: below, room: second, size: SMALL };
    write(
      this.words.context,
      [`each its own ${tokens} tokens, a line every ${format(every, "count")}`, `each its own ${tokens}`, tokens],
      end,
      given,
    );
    const right = width - across(price ?? 0) - 6;
    write(
      this.words.price,
      price === null ? [] : ["price"],
      { x: across(price ?? 0) + 6, y: HEAD + 12, room: right, size: SMALL },
      given,
    );
  }
}
