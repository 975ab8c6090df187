// The same chip twice: decode pours all of its memory for one column of tokens, prefill once for many; on one clock.

import { type Measure, SMALL } from "../chart/measure";
import { clamp } from "../chart/numbers";
import { element, part, put, say, tenth } from "../chart/svg";
import type { Axes, Side, TwoChips } from "../documents";
import type { Drawing, Handles } from "./drawing";
import type { Grip } from "./things";
import { AXIS, TimeAxis } from "./timeaxis";

const NARROW = 540;
const SECONDS = 14;
const GAP = 28;
const PAD = 12;
const LARGE = 17;
/** Height of what stands above a chip, of a lane below it, of both with the air around, and of what is said last. */
const HEAD = 24;
const LANE = 13;
const LANES = 42;
const SAID = 30;
const LEAST = 72;
const MOST = 420;
const FAINT = 0.3;
/** At the end no pass has begun anew; but the last one has ended, within so many passes. */
const LAST = 1 - 1e-6;
const ENDED = 1e-5;
/** A token's column has the same width on both chips, but is at least so wide where there is room. */
const LEAST_COLUMN = 4;

type Colour = "weights" | "kv" | "compute";

/** How much of a pass and of all before it is done at a time. */
function doneAt({ weights, kv, compute, tokens }: Side, time: number) {
  const long = passOf({ weights, kv, compute });
  const passes = Math.floor(time / long + 1e-9);
  const within = time - passes * long;
  const of = (start: number, length: number) => (length > 0 ? clamp((within - start) / length) : 0);
  const reading: Colour | null = within < weights ? "weights" : within < weights + kv ? "kv" : null;
  return {
    weights: of(0, weights),
    kv: of(weights, kv),
    computes: of(0, compute) < 1,
    reading,
    // All tokens of a pass go through the layers together, and come when it ends.
    tokens: tokens * Math.floor(time / long + ENDED),
    passes,
    within: within / long,
  };
}

/** As long as the longer of reading and computing. */
function passOf({ weights, kv, compute }: { weights: number; kv: number; compute: number }): number {
  return Math.max(weights + kv, compute);
}

/** Tokens of each sequence in all passes that have begun by a time. */
function begunBy(side: Side, time: number): number {
  return side.tokens * Math.ceil(time / passOf(side) - 1e-9);
}

function box(x: number, y: number, width: number, height: number): string {
  return width > 0 && height > 0 ? `M${tenth(x)} ${tenth(y)}h${tenth(width)}v${tenth(height)}h-${tenth(width)}z` : "";
}

/** One of the chips on the paper. */
class Half {
  private readonly group;
  private readonly paths;
  private readonly words;
  private tank = { left: 0, top: 0, wide: 0, high: 0 };
  private heap = { left: 0, top: 0, high: 0, pitch: 1 };

  constructor(parent: SVGElement) {
    this.group = part(parent, "g", { "font-size": SMALL });
    const path = (attributes: Record<string, string | number>) => part(this.group, "path", attributes);
    const fill = (colour: string, opacity = 1) => path({ fill: `var(--${colour})`, opacity });
    const still = [fill("weights", FAINT), fill("kv", FAINT), fill("compute", FAINT)] as const;
    this.paths = {
      die: path({ fill: "none", stroke: "var(--line)" }),
      room: path({ fill: "var(--beyond)" }),
      tank: [fill("weights", FAINT), fill("kv", FAINT)] as const,
      poured: [fill("weights"), fill("kv")] as const,
      pipe: path({ stroke: "var(--beyond)", "stroke-width": 16 }),
      flow: path({ "stroke-width": 10, "stroke-dasharray": "7 5" }),
      block: path({ fill: "var(--compute)" }),
      begun: fill("compute", FAINT),
      heap: path({ fill: "var(--compute)" }),
      still,
      lanes: [fill("weights"), fill("kv"), fill("compute")] as const,
    };
    const word = (attributes: Record<string, string | number>) =>
      part(this.group, "text", { fill: "var(--muted)", ...attributes });
    const middle = { "text-anchor": "middle" };
    this.words = {
      name: word({ "font-size": LARGE, "font-weight": 600, fill: "var(--ink)" }),
      tokens: word({}),
      tank: word(middle),
      block: word(middle),
      heap: word({ "text-anchor": "end", "font-weight": 600, fill: "var(--compute)" }),
      rate: word({ "font-size": LARGE, "font-weight": 600, fill: "var(--ink)" }),
      price: word({ "font-size": LARGE, "font-weight": 600, fill: "var(--money)", "text-anchor": "end" }),
    };
  }

  /** In a width and a height of its chip; x gives a time's place on the lanes. */
  fit(
    side: Side,
    left: number,
    top: number,
    width: number,
    high: number,
    end: number,
    columns: number,
    measure: Measure,
  ): void {
    const words = this.words;
    const { paths } = this;
    const say_ = (one: SVGTextElement, x: number, y: number, text: string) => {
      put(one, { x: tenth(x), y: tenth(y) });
      say(one, text);
    };
    say_(words.name, left, top + 16, side.name);
    const from = left + measure(side.name, LARGE, 600) + 10;
    say_(words.tokens, from, top + 16, from + measure(side.tokens_text, SMALL) < left + width ? side.tokens_text : "");
    const [upper, inner] = [top + HEAD, high - 2 * PAD - 16];
    put(paths.die, { d: box(left + 0.5, upper + 0.5, width - 1, high - 1) });
    const tank = { left: left + PAD, top: upper + PAD, wide: width * 0.2, high: inner };
    this.tank = tank;
    put(paths.room, { d: box(tank.left, tank.top, tank.wide, inner) });
    say_(words.tank, tank.left + tank.wide / 2, tank.top + inner + 15, "memory");
    const all = side.weights + side.kv;
    const weights = (inner * side.weights) / all;
    put(paths.tank[0], { d: box(tank.left, tank.top + inner - weights, tank.wide, weights) });
    put(paths.tank[1], { d: box(tank.left, tank.top, tank.wide, inner - weights) });
    const edge = Math.min(width * 0.15, inner * 0.6);
    const [x, middle] = [left + width * 0.36, tank.top + inner / 2];
    for (const one of [paths.pipe, paths.flow])
      put(one, { d: `M${tenth(tank.left + tank.wide)} ${tenth(middle)}H${tenth(x)}` });
    put(paths.block, { d: box(x, middle - edge / 2, edge, edge) });
    put(words.block, { x: tenth(x + edge / 2), y: tenth(middle + edge / 2 + 15) });
    const heap = x + edge + 2 * PAD;
    const wide = left + width - PAD - heap;
    const pitch = Math.max(wide / columns, Math.min(LEAST_COLUMN, wide / begunBy(side, end)));
    this.heap = { left: heap, top: tank.top + 14, high: inner - 14, pitch };
    put(words.heap, { x: tenth(left + width - PAD), y: tenth(tank.top + 6) });
    this.lane(side, left, upper + high + 8, width, end);
    const last = upper + high + LANES + AXIS + 18;
    // Where both are long its unit is said in short.
    const room = width - measure(side.price_text, LARGE, 600) - PAD;
    const [rate = ""] = measure(side.rate_text, LARGE, 600) > room ? side.rate_text.split(" a chip") : [side.rate_text];
    say_(words.rate, left, last, rate);
    say_(words.price, left + width, last, side.price_text);
  }

  /** When it reads, and when it computes. */
  private lane(side: Side, left: number, top: number, width: number, end: number): void {
    const scale = width / end;
    const long = passOf(side);
    const count = Math.ceil(end / long - 1e-9);
    const bars = (start: number, length: number, y: number) =>
      Array.from({ length: count }, (_, pass) => {
        const from = pass * long + start;
        const to = Math.min(end, from + length);
        const air = (to - from) * scale > 4 && length === long ? 1 : 0;
        return box(left + from * scale, y, (to - from) * scale - air, LANE);
      }).join("");
    const [reads, computes] = [top, top + LANE + 3];
    [bars(0, side.weights, reads), bars(side.weights, side.kv, reads), bars(0, side.compute, computes)].forEach((d, place) => {
      for (const group of [this.paths.still, this.paths.lanes]) put(group[place] as Element, { d });
    });
  }

  draw(side: Side, time: number, clip: string): void {
    const { paths, words, tank, heap } = this;
    const done = doneAt(side, time);
    const all = side.weights + side.kv;
    const high = (tank.high * side.weights) / all;
    const [weights, kv] = [high * (1 - done.weights), (tank.high - high) * (1 - done.kv)];
    put(paths.poured[0], { d: box(tank.left, tank.top + tank.high - weights, tank.wide, weights) });
    put(paths.poured[1], { d: box(tank.left, tank.top + tank.high - high - kv, tank.wide, kv) });
    put(paths.flow, {
      stroke: `var(--${done.reading ?? "beyond"})`,
      opacity: done.reading ? 1 : 0,
      "stroke-dashoffset": tenth(-time * 120),
    });
    put(paths.block, { opacity: done.computes ? 1 : FAINT });
    say(words.block, done.computes ? "computes" : "waits");
    const { pitch } = heap;
    const air = pitch > 3 ? 1 : 0;
    const row = (from: number, count: number, share: number) =>
      Array.from({ length: air ? count : 1 }, (_, one) =>
        box(
          heap.left + (from + one) * pitch,
          heap.top + heap.high * (1 - share),
          air ? pitch - air : count * pitch,
          heap.high * share,
        ),
      ).join("");
    const { tokens } = side;
    const come = done.tokens;
    const [begun, under] = [done.passes * tokens, come > done.passes * tokens ? 0 : tokens];
    put(paths.begun, { d: row(begun, under, 1) });
    put(paths.heap, { d: row(0, come, 1) + row(begun, under, done.within) });
    const each = (count: number) => `${count.toLocaleString("en-US")} token${count === 1 ? "" : "s"} each`;
    // A pass may end long after the clock does.
    const isPart = !come && tokens > 1;
    say(words.heap, isPart ? `${each(tokens)}, ${(100 * done.within).toFixed(1)} % done` : `${each(come)} so far`);
    for (const one of paths.lanes) put(one, { "clip-path": clip });
  }
}

export class TwoChipsDrawing implements Drawing<TwoChips> {
  readonly svg = element("svg", { role: "img" });
  private readonly halves;
  private readonly clips;
  private readonly axes = [new TimeAxis(), new TimeAxis()];
  private picture: TwoChips | null = null;
  private caption = "";
  private lies: { left: number; top: number; width: number; bottom: number }[] = [];

  constructor(private readonly handles: Handles) {
    twins += 1;
    const defs = part(this.svg, "defs");
    this.clips = [0, 1].map((one) => {
      const id = `twin-${twins}-${one}`;
      return { url: `url(#${id})`, rect: part(part(defs, "clipPath", { id }), "rect") };
    });
    this.halves = [0, 1].map(() => new Half(this.svg));
    this.svg.append(...this.axes.map(({ group }) => group));
  }

  seconds(): number {
    return SECONDS;
  }

  show(picture: TwoChips, axes: Axes): void {
    this.picture = picture;
    this.caption = axes.x.caption;
  }

  fit(width: number, room: number, measure: Measure): number {
    const { picture } = this;
    if (!picture) return 0;
    const isBeside = width >= NARROW;
    const around = HEAD + LANES + AXIS + SAID;
    const each = isBeside ? (width - GAP) / 2 : width;
    const high = clamp((isBeside ? room : room / 2) - around, LEAST, MOST);
    const columns = Math.max(...picture.sides.map((side) => begunBy(side, picture.end)));
    this.lies = picture.sides.map((_, place) => {
      const left = isBeside ? place * (each + GAP) : 0;
      const top = isBeside ? 0 : place * (around + high);
      return { left, top, width: each, bottom: top + HEAD + high + LANES };
    });
    this.lies.forEach(({ left, top, width: wide, bottom }, place) => {
      const side = picture.sides[place] as Side;
      this.halves[place]?.fit(side, left, top, wide, high, picture.end, columns, measure);
      const x = (time: number) => left + (wide * time) / picture.end;
      const lies = { left, right: left + wide, top: bottom - LANES + 4, bottom: bottom - 6, x };
      this.axes[place]?.fit(lies, picture.ticks, this.caption, ["drag the time"], measure);
      put(this.clips[place]?.rect as Element, { x: left, y: top, height: bottom - top });
    });
    return (isBeside ? 1 : 2) * (around + high);
  }

  draw(fraction: number): void {
    const { picture } = this;
    if (!picture) return;
    this.lies.forEach(({ left, width }, place) => {
      put(this.clips[place]?.rect as Element, { width: tenth(Math.max(0.01, width * fraction)) });
      this.halves[place]?.draw(
        picture.sides[place] as Side,
        Math.min(fraction, LAST) * picture.end,
        this.clips[place]?.url ?? "",
      );
      this.axes[place]?.draw(left + width * fraction, fraction >= 1, false);
    });
  }

  grip(x: number, y: number): Grip | null {
    const { seek } = this.handles;
    const place = this.axes.findIndex((axis) => axis.has(x, y));
    const lies = this.lies[place];
    if (!seek || !lies) return null;
    const to = (across: number) => seek(clamp((across - lies.left) / lies.width));
    return { cursor: "ew-resize", isHandle: this.axes[place]?.isHandle(x, y) ?? false, to };
  }

  now(fraction: number): string {
    return this.picture ? `${(fraction * this.picture.end).toFixed(1)} passes` : "";
  }

  described(): string {
    return this.picture?.text ?? "";
  }
}

let twins = 0;
