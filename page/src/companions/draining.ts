// Stores side by side that are read out, all from the same moment on: how much of each is left, on a clock in powers of ten.

import { percent } from "../bill/bill";
import { FONT, SMALL } from "../chart/measure";
import { at, clamp } from "../chart/numbers";
import { element, matched, part, put, say, tenth } from "../chart/svg";
import type { Draining } from "../documents";
import { box } from "../machine/places";
import { format } from "../state/quantity";
import type { Clock, Drawn, Given } from "./played";
import type { Accompanied } from "./read";
import { write } from "./words";

const SECONDS = 7;
/** Height of the names above, of what is left below, and of the clock. */
const HEAD = 20;
const LEFT = 20;
const TIME = 34;
/** On the right lies what plays it. */
const PACE = 20;
/** A store's part of its place; a hand on the clock and what it takes above and below. */
const WIDE = 0.62;
const KNOB = 5;
const REACH = 16;
/** The clock begins at such a part of the first store's time. */
const BEGIN = 0.1;

/** What is left of each store at a time, in words. */
function leftOf(drain_s: number, drain_text: string, now: number): string[] {
  if (now >= drain_s) return [`read in ${drain_text}`, drain_text];
  const left = `${percent(1 - now / drain_s)} left`;
  return [`${left} of ${drain_text}`, left];
}

export function saidOfDraining({ companion }: Accompanied): string {
  const { read_out: stores, moments, text } = companion as Draining;
  const said = moments.map(({ at: time, text: after }) => {
    const each = stores.map(({ name, drain_s, drain_text }) => `${name} ${leftOf(drain_s, drain_text, time)[0]}`);
    return `After ${after}: ${each.join(", ")}`;
  });
  return [text, ...said].join(". ");
}

/** Of its clock, s. */
interface Ends {
  begin: number;
  end: number;
}

function endsOf({ companion }: Accompanied): Ends {
  const { read_out: stores, moments } = companion as Draining;
  const end = at(moments, moments.length - 1).at;
  return { begin: BEGIN * Math.min(at(stores, 0).drain_s, end), end };
}

/** The time at a part of the clock, and the other way round: at its end both are so exactly. */
function timeAt(moment: number, { begin, end }: Ends): number {
  return end * (begin / end) ** (1 - moment);
}

function momentAt(time: number, { begin, end }: Ends): number {
  return 1 - Math.log(end / time) / Math.log(end / begin);
}

export class DrainingDrawing implements Drawn {
  readonly svg = element("svg", { "aria-hidden": "true" });
  private readonly stores = part(this.svg, "g", { "text-anchor": "middle" });
  private readonly axis = part(this.svg, "path", { class: "edge" });
  private readonly ticks = part(this.svg, "g", { class: "ticks" });
  private readonly knob = part(this.svg, "circle", { class: "hand", r: KNOB });
  private readonly time = part(this.svg, "text", { class: "strong" });
  clock: Clock = { name: "time", left: 0, top: 0, width: 0, height: 0, text: "" };

  seconds(): number {
    return SECONDS;
  }

  /** At the first moment that stores are held against: at the last one hardly any has something left. */
  rests(shown: Accompanied): number {
    return momentAt(at((shown.companion as Draining).moments, 0).at, endsOf(shown));
  }

  /** The clock begins earlier where the first store is read out sooner. */
  kept(moment: number, before: Accompanied, shown: Accompanied): number {
    return clamp(momentAt(timeAt(moment, endsOf(before)), endsOf(shown)));
  }

  draw(given: Given, moment: number): void {
    const { shown, width, height, measure } = given;
    const { read_out: stores, moments } = shown.companion as Draining;
    const ends = endsOf(shown);
    const now = timeAt(moment, ends);
    const high = height - HEAD - LEFT - TIME;
    const place = (width - PACE) / stores.length;
    matched(this.stores, stores.length, store).forEach((drawn, nth) => {
      const { name, capacity_text: capacity, drain_s, drain_text, colour } = at(stores, nth);
      const [whole, rest, what, left] = [...drawn.children] as [SVGElement, SVGElement, SVGElement, SVGElement];
      const [x, wide] = [place * (nth + (1 - WIDE) / 2), place * WIDE];
      const level = high * Math.max(0, 1 - now / drain_s);
      put(whole, { d: box(x, HEAD, wide, high) });
      put(rest, { "data-colour": colour, d: box(x, HEAD + high - level, wide, level) });
      const spot = { x: place * (nth + 0.5), room: place - 4 };
      write(what, [`${name}, ${capacity}`, name], { ...spot, y: 14 }, given);
      write(left, leftOf(drain_s, drain_text, now), { ...spot, y: HEAD + high + 15, size: SMALL }, given);
    });
    const y = height - TIME + 12;
    const words = `after ${format(now, "s")}`;
    const from = Math.max(...["after 999 ms", words].map((one) => measure(one, FONT, 600))) + 14;
    const to = width - KNOB - 2;
    const across = (time: number) => from + (to - from) * momentAt(time, ends);
    put(this.axis, { d: `M${tenth(from)} ${y}H${tenth(to)}` });
    matched(this.ticks, moments.length, () => element("g", {}, element("path"), element("text"))).forEach((tick, nth) => {
      const { at: time, text } = at(moments, nth);
      const [line, name] = [...tick.children] as [SVGElement, SVGElement];
      put(line, { d: `M${tenth(across(time))} ${y - 5}v10` });
      put(name, { x: tenth(across(time)), y: y + 18, "text-anchor": nth < moments.length - 1 ? "middle" : "end" });
      say(name, text);
    });
    put(this.knob, { cx: tenth(across(now)), cy: y });
    put(this.time, { x: 0, y: y + 4 });
    say(this.time, words);
    this.clock = { ...this.clock, left: from, top: y - REACH, width: to - from, height: 2 * REACH, text: format(now, "s") };
  }
}

/** All of it, what is left, its name, and how much that is. */
function store(): SVGGElement {
  return element(
    "g",
    {},
    element("path", { class: "cell" }),
    element("path"),
    element("text"),
    element("text", { class: "muted" }),
  );
}
