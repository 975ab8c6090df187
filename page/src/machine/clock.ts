// One step in time: what is read and what is computed meanwhile, as two lanes under a hand.

import { scaleLinear } from "d3-scale";

import { percent } from "../bill/bill";
import { FONT, type Measure, SMALL } from "../chart/measure";
import { clamp } from "../chart/numbers";
import { element, matched, part, put, say, tenth } from "../chart/svg";
import { format } from "../state/quantity";
import { counted, type Load, stepS } from "./load";
import { box, LANE, type Places, WORDS } from "./places";

const PAD = 6;
/** From the lanes up to the feet of the words above them, which the head of the hand passes under. */
const ABOVE = 11;
/** Between two numbers of the axis, at least. */
const PITCH = 90;

/** As many of them at most. */
const MOST_TICKS = 7;

/** Words in a lane: from where to where along. */
type Said = [from: number, to: number];

/** Round times up to the longest: about so many, and few enough to be read. */
export function ticksOf(mostS: number, about: number): number[] {
  const scale = scaleLinear([0, mostS], [0, 1]);
  for (let count = Math.max(2, Math.min(about, MOST_TICKS)); ; count -= 1) {
    const all = scale.ticks(count);
    if (all.length <= MOST_TICKS) return all;
  }
}

export class Clock {
  private readonly bed;
  private readonly bars;
  private readonly done;
  private readonly idle;
  private readonly end;
  private readonly hand;
  private readonly words;
  private readonly ticks;
  /** Grounds of words in bars: how far those are done passes under them. */
  private readonly chips;
  /** Of both lanes. */
  private said: Said[][] = [[], []];
  private places: Places | null = null;
  private load: Load | null = null;

  constructor(
    parent: SVGElement,
    id: string,
    private readonly measure: Measure,
    /** Whether parts are said as shares of the step, and not in seconds. */
    private readonly inShares: boolean,
  ) {
    const group = part(parent, "g", { class: "lanes" });
    this.bed = part(group, "path", { class: "free" });
    const lanes = (name: string) =>
      (["weights", "kv", "compute"] as const).map((colour) =>
        part(group, "path", { class: name, ...(colour && { "data-colour": colour }) }),
      );
    this.bars = lanes("dim");
    this.done = lanes("");
    this.idle = part(group, "path", { fill: `url(#${id}-idle)` });
    this.end = part(group, "path", { class: "edge" });
    this.hand = part(group, "path", { class: "hand" });
    this.chips = [0, 1, 2].map(() => part(group, "rect", { class: "chip", rx: 2, height: LANE - 2 }));
    const word = (name: string, colour = "") => part(group, "text", { class: name, ...(colour && { "data-colour": colour }) });
    this.words = {
      reading: word("muted"),
      computing: word("muted"),
      weights: word("strong", "weights"),
      kv: word("strong", "kv"),
      compute: word("strong", "compute"),
      idle: word("muted halo"),
      outcome: word("outcome"),
      whose: word("muted"),
    };
    this.ticks = part(group, "g", { class: "ticks" });
  }

  show(load: Load, places: Places, whose: string): void {
    this.places = places;
    this.load = load;
    const { clock } = places;
    const wide = clock.right - clock.left;
    const x = this.scale(load);
    const lower = clock.bottom - LANE;
    const [read, computed, step] = [load.weightsS + load.kvS, load.computeS, stepS(load)];
    put(this.bed, { d: (read ? box(clock.left, clock.top, wide, LANE) : "") + box(clock.left, lower, wide, LANE) });
    this.segments(load).forEach(([from, to, y], which) =>
      put(this.bars[which] as Element, { d: box(x(from), y, x(to) - x(from), LANE) }),
    );
    put(this.end, { d: `M${tenth(x(step))} ${this.upper(load) - 5}V${clock.bottom + 5}` });
    const { words } = this;
    const { names } = clock;
    for (const [one, text, top] of [
      [words.reading, "reading", clock.top],
      [words.computing, "computing", lower],
    ] as const) {
      put(one, { x: names ?? 0, y: top + 12.5 });
      say(one, names === null || (text === "reading" && !read) ? "" : text);
    }
    const said = (name: string, time: number) =>
      this.inShares ? `${name} ${percent(step ? time / step : 0)}` : `${name} ${format(time, "s")}`;
    const fits = (texts: string[], from: number, to: number) =>
      texts.find((text) => this.measure(text, FONT, 600) + 2 * PAD <= x(to) - x(from));
    // Behind their bar the words of the weights would lie on the next one, and name that.
    const fetches = load.weightsS
      ? [...(this.inShares ? [said("weight fetch", load.weightsS)] : []), said("weights", load.weightsS)]
      : [""];
    const weights = fits(fetches, 0, load.weightsS) ?? (load.kvS ? "" : (fetches[0] ?? ""));
    this.said = [[], []];
    this.within(words.weights, 0, weights, x(0), x(load.weightsS), clock.top);
    const reads = load.kvS ? [said(this.inShares ? "KV fetch" : "KV", load.kvS), said("KV", load.kvS)] : [""];
    const kv = fits(reads, load.weightsS, read) ?? reads[0] ?? "";
    // What has no room in its bar stands behind it, or above its end.
    const isAbove = this.within(words.kv, 1, kv, x(load.weightsS), x(read), clock.top);
    const compute = load.computeS ? said("compute", load.computeS) : "";
    this.within(words.compute, 2, compute, x(0), x(computed), lower);
    const [early, y] = [this.wait(load, x, compute, isAbove ? "" : kv), read < computed ? clock.top : lower];
    put(this.idle, { d: read > 0 ? box(early, y, x(step) - early, LANE) : "" });
    put(words.outcome, { x: names === null ? clock.left : 0, y: this.upper(load) - ABOVE });
    const [count, takes] = [counted(load), format(stepS(load), "s")];
    const all = load.batch >= 1.5 ? `for each of ${count} sequences` : "for 1 sequence";
    const outcomes = [
      ...(whose && places.rack ? [`${takes} a step: +1 token ${all}, ${whose}`] : []),
      `${takes} a step: +1 token ${all}`,
      `${takes}: +1 token ${all}`,
      `${takes}: +1 token for each of ${count}`,
      `${takes} a step`,
    ];
    const room = (isAbove ? clock.end - this.measure(kv, FONT, 600) - 2 * PAD : clock.end) - (names ?? clock.left);
    say(words.outcome, outcomes.find((one) => this.measure(one, FONT, 600) < room) ?? "");
    put(words.whose, { x: clock.left, y: clock.bottom + 2 * WORDS });
    say(words.whose, places.rack ? "" : whose);
    // On the first view shares are told, and no times.
    if (!this.inShares) this.tick(load, x);
  }

  /** Who waits for whom; returns where the hatching begins, which lies under no words. */
  private wait(load: Load, x: (time: number) => number, compute: string, kv: string): number {
    const { words } = this;
    const places = this.places;
    if (!places) return 0;
    const { clock } = places;
    const [read, computed] = [load.weightsS + load.kvS, load.computeS];
    const isMemory = read > computed;
    const text = isMemory ? "arithmetic waits for memory" : "memory waits for arithmetic";
    // Words of a bar that have no room in it stand behind it.
    const behind = (name: string, from: number, to: number) => {
      const named = this.measure(name, FONT, 600) + 2 * PAD;
      return x(to) + (name && named > x(to) - x(from) ? named : 0);
    };
    const end = isMemory ? behind(compute, 0, computed) : behind(kv, load.weightsS, read);
    const wide = this.measure(text, FONT) + 2 * PAD;
    const isSaid = read > 0 && computed > 0 && end + wide < x(stepS(load));
    if (isSaid) this.said[isMemory ? 1 : 0]?.push([end, end + wide]);
    put(words.idle, { x: tenth(end + PAD), y: (isMemory ? clock.bottom - LANE : clock.top) + 12.5 });
    say(words.idle, isSaid ? text : "");
    return isSaid ? end + wide : end;
  }

  /** Words in their bar, or behind it; returns whether there is no room for them but above its end. */
  private within(one: SVGTextElement, which: number, text: string, left: number, right: number, top: number): boolean {
    const [wide, end] = [this.measure(text, FONT, 600), this.places?.clock.right ?? right];
    const isIn = wide + 2 * PAD <= right - left;
    const isAbove = !isIn && right + PAD + wide > end;
    const from = isIn ? left : right;
    if (text && !isAbove) this.said[top === this.places?.clock.top ? 0 : 1]?.push([from, from + wide + 2 * PAD]);
    const chip = { x: tenth(left + PAD / 2), y: top + 1, width: tenth(wide + PAD) };
    put(this.chips[which] as Element, isIn && text ? chip : { width: 0 });
    put(one, {
      class: isIn ? "strong inside" : "strong halo",
      "text-anchor": isAbove ? "end" : "start",
      x: tenth(isIn ? left + PAD : isAbove ? (this.places?.clock.end ?? end) : right + PAD),
      y: top + (isAbove ? -ABOVE : 12.5),
    });
    say(one, text);
    return isAbove;
  }

  private tick(load: Load, x: (time: number) => number): void {
    const places = this.places;
    if (!places) return;
    const { clock } = places;
    const all = load.mostS > 0 ? ticksOf(load.mostS, (clock.right - clock.left) / PITCH) : [];
    const groups = matched(this.ticks, all.length, () =>
      element("g", {}, element("path"), element("text", { "text-anchor": "middle" })),
    );
    all.forEach((time, place) => {
      const [line, text] = (groups[place] as SVGGElement).children as unknown as [SVGPathElement, SVGTextElement];
      put(line, { d: `M${tenth(x(time))} ${clock.bottom + 2}v4` });
      const words = time ? format(time, "s") : "0";
      put(text, {
        x: tenth(clamp(x(time), clock.left + this.measure(words, SMALL) / 2, clock.right - this.measure(words, SMALL) / 2)),
        y: clock.bottom + 17,
      });
      say(text, words);
    });
  }

  /** From when to when, and in which lane, by colours. */
  private segments(load: Load): [from: number, to: number, y: number][] {
    const clock = this.places?.clock ?? { top: 0, bottom: 0 };
    const read = load.weightsS + load.kvS;
    return [
      [0, load.weightsS, clock.top],
      [load.weightsS, read, clock.top],
      [0, load.computeS, clock.bottom - LANE],
    ];
  }

  /** Where the first lane begins: the second, where nothing is read. */
  private upper(load: Load): number {
    const { top, bottom } = this.places?.clock ?? { top: 0, bottom: 0 };
    return load.weightsS + load.kvS > 0 ? top : bottom - LANE;
  }

  private scale(load: Load): (time: number) => number {
    const { left, right } = this.places?.clock ?? { left: 0, right: 0 };
    return (time) => left + (load.mostS > 0 ? (time / load.mostS) * (right - left) : 0);
  }

  draw(moment: number): void {
    const [load, places] = [this.load, this.places];
    if (!load || !places) return;
    const x = this.scale(load);
    const time = moment * stepS(load);
    this.segments(load).forEach(([from, to, y], which) => {
      const end = clamp(time, from, to);
      put(this.done[which] as Element, { d: box(x(from), y, x(end) - x(from), LANE) });
    });
    const [top, bottom] = [this.upper(load), places.clock.bottom];
    const at = tenth(x(time));
    // It strikes through no words.
    const lanes = (top < bottom - LANE ? [top, bottom - LANE] : [bottom - LANE]).map((from) => {
      const isSaid = this.said[from === places.clock.top ? 0 : 1]?.some(([start, end]) => start < at && at < end);
      return isSaid ? "" : `M${at} ${from - 1}v${LANE + 2}`;
    });
    put(this.hand, { d: `M${at} ${top - 5}v4${lanes.join("")}M${at} ${bottom}v3M${at - 4} ${top - 7}h8l-4 6z` });
    put(this.words.outcome, { "data-over": moment >= 1 ? "yes" : "" });
  }
}
