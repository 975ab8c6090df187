// Two rectangles at one scale, each as high as its number of things and as wide as the chart says of each: what the first
// is known to be, and what as many as are asked about come to. Beside them, of what is handed on, the way that it takes.

import { SMALL } from "../chart/measure";
import { clamp } from "../chart/numbers";
import { element, part, put, say, tenth } from "../chart/svg";
import type { Abreast } from "../documents";
import { box } from "../machine/places";
import { format } from "../state/quantity";
import type { Clock, Drawn, Given } from "./played";
import { type Accompanied, costOf } from "./read";
import { timesOf, write } from "./words";

const SECONDS = 4;
/** Height of a row of what is asked, at least. */
const ROW = 5;
/** Height of the words above each rectangle; the least height of one; and between words. */
const NAME = 20;
const LEAST = 1.5;
const AIR = 10;
/** Narrower there is no room for the way, which has so much of the width. */
const NARROW = 600;
const WAY = 0.3;
/** Of the way: a rack and its network cards, half a switch, and how far a dash is from the next one. */
const RACK = 16;
const CARD = 6;
const SWITCH = 15;
const DASH = 14;
/** What a hand takes above and below the clock, as much as a thumb. */
const REACH = 16;

interface Sized {
  count: number;
  /** As wide as the chart has it; null where it is asked. */
  each: number | null;
}

function sized({ curves, companion, asked }: Accompanied, x: number): [Sized, Sized] {
  const { line, first, count = x } = companion as Abreast;
  const of = (number: number, isAsked: boolean) => ({ count: number, each: isAsked ? null : costOf(curves, line, number) });
  return [of(first, false), of(Math.round(count), asked === line)];
}

/** In full, and shorter. */
function words(shown: Accompanied, { count, each }: Sized, first: Sized): string[] {
  const { things, limit, whole_text: whole } = shown.companion as Abreast;
  const { dimension } = shown.axes.y;
  // A rate is told as exactly as where it is asked for, a guess as beside its dot.
  const told = (value: number) => (limit ? format(value, dimension) : Math.round(value).toLocaleString("en"));
  const number = count.toLocaleString("en");
  const name = `${number} ${things[count === 1 ? 0 : 1]}`;
  const from = limit ? `${name} at once` : `${name} share a step`;
  if (each === null) return [`${from}: ${shown.guess == null ? "?" : `you ${format(shown.guess, dimension)}`}`];
  const share = `${name}, ${count > 1 ? `each with 1/${number} of ` : ""}${whole}: ${told(each)}`;
  const all = `${from}: ${told(each)} each, ${format(count * each, "count")} tokens a second together`;
  const isFirst = count === first.count;
  const bound = limit && costOf(shown.curves, limit, count);
  const over = isFirst || !first.each ? "" : `, ${format((count * each) / (first.count * first.each), "count", 2)}×`;
  const under = bound && !isFirst ? `, ${timesOf(each / bound, limit?.split(":")[0] ?? "", 2)}` : "";
  const long = limit ? share : all;
  const then = limit ? under : over;
  const whose = shown.whose && isFirst ? `, ${shown.whose}` : "";
  return [long + then + whose, long + then, long, `${name}: ${told(each)}`];
}

export function saidOfAbreast(shown: Accompanied, x: number): string {
  const [first, then] = sized(shown, x);
  return [(shown.companion as Abreast).text, ...[first, then].map((one) => words(shown, one, first)[0])].join(". ");
}

export class AbreastDrawing implements Drawn {
  readonly svg = element("svg", { "aria-hidden": "true" });
  private readonly fade = part(this.svg, "linearGradient", { id: "unknown" });
  private readonly stops = [0, 1].map((offset) => part(this.fade, "stop", { offset, "stop-opacity": 0.7 * (1 - offset) }));
  private readonly way = {
    parts: part(this.svg, "path", { class: "die" }),
    rest: part(this.svg, "path", { class: "lead rest" }),
    goes: part(this.svg, "path", { class: "lead" }),
    cards: part(this.svg, "path", { "data-colour": "links" }),
    names: [0, 1, 2].map((place) =>
      part(this.svg, "text", { class: "muted", "text-anchor": ["start", "middle", "end"][place] ?? "" }),
    ),
  };
  private readonly asked = part(this.svg, "path", { fill: "url(#unknown)" });
  private readonly mark = part(this.svg, "text", { class: "asked", "text-anchor": "middle" });
  private readonly whole = part(this.svg, "path", { class: "dim" });
  private readonly done = part(this.svg, "path");
  private readonly guess = part(this.svg, "path", { class: "guess" });
  private readonly limit = part(this.svg, "path", { stroke: "var(--also)", "stroke-width": 1.5 });
  private readonly names = [part(this.svg, "text"), part(this.svg, "text")];
  private readonly level = part(this.svg, "text", { class: "muted", "text-anchor": "end" });
  clock: Clock = { name: "time", left: 0, top: 0, width: 0, height: 0, text: "" };

  seconds(): number {
    return SECONDS;
  }

  draw(given: Given, moment: number): void {
    const { shown, x, width, height, measure } = given;
    const { limit = "" } = shown.companion as Abreast;
    const pair = sized(shown, x);
    const [first, then] = pair;
    const bound = limit ? costOf(shown.curves, limit, first.count) : null;
    const isTime = limit !== "";
    // Once both are known they are the scale: beside what is far more, one would be a sliver.
    const isFar = bound !== null && then.each !== null && bound > Math.max(first.each ?? 0, then.each);
    const most = Math.max(first.each ?? 0, then.each ?? 0, isFar ? 0 : (bound ?? 0));
    const left = isTime && width >= NARROW ? width * WAY : 0;
    const across = (each: number) => clamp((each / most) * (width - left), 1, width - left);
    const unit = (height - 2 * NAME - 4) / (first.count + then.count);
    const thin = Math.max(LEAST, first.count * unit);
    const tops: [number, number] = [NAME, 2 * NAME + thin];
    const thick = height - tops[1] - 4;
    // A time passes for both alike; of a rate each has its own.
    const now = moment * (first.each ?? 0);
    const part = (each: number) => (isTime ? Math.min(each, now) : each * moment);
    const draw = (of: (each: number) => number) =>
      pair.map(({ each }, place) => (each === null ? "" : box(left, tops[place] ?? 0, across(of(each)), place ? thick : thin)));
    const colour = isTime ? "links" : "compute";
    for (const stop of this.stops) put(stop, { "stop-color": `var(--${colour})` });
    put(this.whole, { "data-colour": colour, d: draw((each) => each).join("") });
    put(this.done, { "data-colour": colour, d: moment ? draw(part).join("") : "" });
    const { guess } = shown;
    const isOpen = then.each === null;
    // As far as it is guessed, or fading away.
    const row = thick / Math.min(then.count, Math.ceil(thick / ROW));
    const wide = guess == null ? width - left : across(guess);
    const rows = Array.from({ length: Math.round(thick / row) }, (_, place) => box(left, tops[1] + place * row, wide, row / 2));
    put(this.asked, { d: isOpen ? rows.join("") : "", fill: guess == null ? "url(#unknown)" : `var(--${colour})` });
    put(this.mark, { x: tenth(left + (width - left) / 2), y: tenth(tops[1] + thick / 2 + 10) });
    say(this.mark, isOpen && guess == null ? "?" : "");
    put(this.guess, { d: guess == null ? "" : box(left, tops[1], across(guess) - 1, thick) });
    const taken = 28 + (limit ? measure(`← ${limit}`, SMALL) + AIR : 0);
    pair.forEach((one, place) => {
      const text = this.names[place] as SVGElement;
      const room = width - left - (place ? 0 : taken);
      const all = words(shown, one, first);
      put(text, { class: one.each === null ? "" : "strong" });
      write(text, all, { x: left, y: (tops[place] ?? 0) - 6, room }, given, all.at(-1));
    });
    const edge = left + across(bound ?? 0) - 0.75;
    put(this.limit, { d: bound && !isFar ? `M${tenth(edge)} ${NAME - 2}V${tenth(height)}` : "" });
    // At its own edge, else where the first one's words leave it room, with an arrow to that.
    const named = left + measure(this.names[0]?.textContent ?? "", SMALL, 600) + AIR;
    const isNear = !isFar && limit !== "" && edge - measure(limit, SMALL) < named;
    const level = isFar ? `${limit} →` : isNear ? `← ${limit}` : limit;
    put(this.level, { x: tenth(isNear ? width - 28 : Math.min(edge, width - 28)), y: NAME - 6 });
    say(this.level, level);
    this.leads(given, left - 3 * AIR, then, moment);
    const top = tops[0] - REACH;
    const text = isTime ? format(now, shown.axes.y.dimension) : format(moment, "s");
    this.clock = { ...this.clock, left, top, width: across(first.each ?? 0), height: thin + 2 * REACH, text };
  }

  /** From each port up to a switch and down again; before an answer through the first alone. */
  private leads({ height }: Given, width: number, { count, each }: Sized, moment: number): void {
    const isThere = width > 0;
    const [top, high] = [NAME, height - NAME - 4];
    const [middle, pitch] = [top + high / 2, high / count];
    const lead = (port: number) => {
      const y = tenth(top + (port + 0.5) * pitch);
      const [near, far, at] = [tenth(width / 2 - SWITCH), tenth(width / 2 + SWITCH), tenth(middle + (y - middle) / 3)];
      return `M${RACK + CARD} ${y}L${near} ${at}M${far} ${at}L${tenth(width - RACK - CARD)} ${y}`;
    };
    const all = isThere ? Array.from({ length: count }, (_, port) => lead(port)) : [];
    const seen = each === null ? 1 : count;
    const thick = clamp(0.4 * pitch, 0.5, 3);
    put(this.way.rest, { d: all.slice(seen).join(""), "stroke-width": tenth(thick) });
    put(this.way.goes, { d: all.slice(0, seen).join(""), "stroke-width": tenth(each === null ? 2 : thick) });
    put(this.way.goes, { "stroke-dasharray": moment < 1 ? "8 6" : "", "stroke-dashoffset": tenth(-12 * DASH * moment) });
    const card = (port: number) =>
      [RACK, width - RACK - CARD].map((x) => box(x, top + port * pitch, CARD, 0.7 * pitch)).join("");
    put(this.way.cards, { d: isThere ? Array.from({ length: seen }, (_, port) => card(port)).join("") : "" });
    const [rack, far] = [box(0.5, top, RACK, high), box(width - RACK - 0.5, top, RACK, high)];
    const hub = box(width / 2 - SWITCH, middle - high / 5, 2 * SWITCH, high / 2.5);
    put(this.way.parts, { d: isThere ? rack + hub + far : "" });
    ["a rack, its cards", "switch", "next rack"].forEach((name, place) => {
      const text = this.way.names[place] as SVGElement;
      put(text, { x: tenth((width * place) / 2), y: tenth(place === 1 ? middle - high / 5 - 6 : NAME - 6) });
      say(text, isThere ? name : "");
    });
  }
}
