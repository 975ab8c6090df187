// Racks under traffic: each chip with its experts, lit by their visits; and a few tokens on their way to theirs.

import type { Measure } from "../chart/measure";
import { at, clamp } from "../chart/numbers";
import { element, matched, put, say } from "../chart/svg";
import type { Axes, Racks, Token } from "../documents";
import { type Drawing, eased, type Handles } from "./drawing";
import { Profile } from "./profile";
import { press } from "./things";
import { ChipTraffic } from "./traffic";
import { length, type Place, type Point, path, pointAt, type Wiring, wired } from "./wiring";

const SECONDS_PER_TOKEN = 2.6;
const SMALL = 13;
const FONT = 14;
const TITLE = 15;
/** Heat at which an expert is lit in full, in means. */
const HOTTEST = 4;
/** Moments of a token, in parts of its time. */
const APPEARS = 0.1;
const ARRIVES = 0.5;
const RETURNS = 0.68;
const BACK = 0.94;

export class RacksDrawing implements Drawing<Racks> {
  readonly svg = element("svg", { role: "img" });
  private readonly frames = element("g");
  private readonly links = element("g", { fill: "none", stroke: "var(--muted)", "stroke-width": 1.5 });
  private readonly chips = element("g");
  private readonly experts = element("g", { fill: "var(--compute)" });
  private readonly words = element("g");
  private readonly ways = element("g", {
    fill: "none",
    stroke: "var(--links)",
    "stroke-width": 1.6,
    "stroke-linejoin": "round",
  });
  private readonly rings = element("g", { fill: "none", stroke: "var(--links)", "stroke-width": 2.5 });
  private readonly pulses = element("g", { fill: "var(--links)" });
  private readonly home = element("circle", { fill: "var(--links)", stroke: "var(--background)", "stroke-width": 1.5 });
  private readonly said = element("text", { "font-size": FONT, fill: "var(--links)", "font-weight": 600 });
  private readonly profile = new Profile();
  /** Above where the tokens are. */
  private readonly hint = element("text", { y: 16, "font-size": SMALL, "text-anchor": "end", fill: "var(--muted)" });
  readonly things: ChipTraffic;
  private picture: Racks | null = null;
  private wiring: Wiring | null = null;
  /** Of each token to each of its experts. */
  private routes: Point[][][] = [];
  /** Of an expert's place, in pixels: its width and its height. */
  private slot = 4;
  private high = 4;
  /** Of a chip, in experts. */
  private columns = 2;
  private rows = 2;
  /** Number of the token whose ways are drawn; -1 of none. */
  private shown = -1;
  private fraction = 0;

  constructor({ seek }: Handles) {
    // The tokens of a chip that was taken take the place of those that are played.
    this.things = new ChipTraffic(() => seek?.(this.fraction));
    this.svg.append(
      this.frames,
      this.links,
      this.chips,
      this.experts,
      this.words,
      this.profile.line,
      this.things.group,
      this.ways,
      this.rings,
      this.home,
      this.pulses,
      this.said,
      this.hint,
    );
  }

  seconds(): number {
    return SECONDS_PER_TOKEN * (this.picture?.tokens.length ?? 0);
  }

  show(picture: Racks, _: Axes): void {
    this.picture = picture;
    this.shown = -1;
  }

  fit(width: number, room: number, measure: Measure): number {
    const { picture } = this;
    if (!picture) return 0;
    const { length: count } = picture.racks;
    const wiring = wired(picture, width, room, count > 1 ? measure(nameOf(count - 1), TITLE, 600) : 0);
    this.wiring = wiring;
    const { frames, joined, pitch } = wiring;
    this.words.replaceChildren();
    this.frames.replaceChildren();
    this.links.replaceChildren();
    frames.forEach(({ x, y, wide, high, name }, rack) => {
      const style = { "font-size": TITLE, "font-weight": 600, fill: "var(--ink)" };
      if (frames.length > 1) this.words.append(element("text", { x: name[0], y: name[1], ...style }, nameOf(rack)));
      const outline = { rx: 6, fill: "none", stroke: "var(--muted)", "stroke-opacity": 0.5 };
      this.frames.append(element("rect", { x: x - 4, y: y - 4, width: wide + 8, height: high + 8, ...outline }));
      if (rack) this.links.append(element("path", { d: path(joined(rack - 1, rack)) }));
    });
    this.light(picture, pitch);
    this.nameLink(picture, wiring);
    put(this.said, { x: 0, y: 16 });
    this.profile.fit(picture, wiring);
    this.things.fit(picture, wiring, this.profile);
    const racks = Math.max(...frames.map(({ x, wide }) => x + wide));
    const longest = Math.max(...picture.tokens.map((_, number) => measure(this.visitsOf(picture, number), FONT, 600)));
    put(this.hint, { x: racks });
    const hints = [`${press()} a chip to see where its tokens go`, `${press()} a chip`];
    say(this.hint, hints.find((words) => longest + measure(words, SMALL) + 14 < racks) ?? "");
    this.routes = picture.tokens.map((token) =>
      token.visits.map((visit) => this.route(wiring, token, visit.chip, visit.expert)),
    );
    this.shown = -1;
    return wiring.height;
  }

  draw(fraction: number): void {
    const { picture } = this;
    this.fraction = fraction;
    if (!picture?.tokens.length) return;
    const { shown } = this.things;
    if (shown) {
      for (const part of [this.home, this.rings, this.ways, this.pulses]) put(part, { display: "none" });
      put(this.hint, { opacity: 0 });
      say(this.said, shown);
      return;
    }
    for (const part of [this.home, this.rings, this.ways, this.pulses]) put(part, { display: "inline" });
    const count = picture.tokens.length;
    const along = fraction * count;
    const number = Math.min(Math.floor(along), count - 1);
    // The last one stays where its visits are seen.
    const within = number === count - 1 ? Math.min(along - number, 1) * RETURNS : along - number;
    const token = at(picture.tokens, number);
    this.take(token, number);
    const there = eased(within, APPEARS, ARRIVES);
    const back = eased(within, RETURNS, BACK);
    const isThere = within >= ARRIVES;
    const fade = 1 - eased(within, BACK, 1);
    put(this.home, { opacity: Math.min(eased(within, 0, APPEARS), fade) });
    put(this.rings, { opacity: isThere ? Math.min(fade, 1 - 0.8 * back) : 0 });
    put(this.ways, { opacity: 0.85 * fade * (1 - back) });
    const routes = at(this.routes, number);
    [...this.ways.children].forEach((way, place) => {
      const long = length(at(routes, place));
      put(way, { "stroke-dasharray": long, "stroke-dashoffset": long * (1 - there) });
    });
    [...this.pulses.children].forEach((pulse, place) => {
      const [x, y] = pointAt(at(routes, place), back > 0 ? 1 - back : there);
      put(pulse, { cx: x, cy: y, opacity: (there > 0 && there < 1) || (back > 0 && back < 1) ? 1 : 0 });
    });
    say(this.said, this.visitsOf(picture, number));
  }

  played(): void {
    if (this.things.shown) this.things.take(-1);
  }

  now(fraction: number): string {
    const count = this.picture?.tokens.length ?? 0;
    return `token ${Math.min(Math.floor(fraction * count), count - 1) + 1} of ${count}`;
  }

  described(): string {
    const { picture } = this;
    if (!picture) return "";
    return [picture.text, picture.busiest_text, picture.leaving_text].filter(Boolean).join(". ");
  }

  private visitsOf(picture: Racks, number: number): string {
    const { near, beyond } = at(picture.tokens, number);
    const where = picture.racks.length > 1 ? `, ${near} in its rack, ${beyond} beyond` : "";
    return `token ${number + 1}: ${near + beyond} visits${where}`;
  }

  /** Every chip, with its experts as bright as they are visited; the busiest is framed where it is busier. */
  private light(picture: Racks, pitch: number): void {
    const inner = pitch * 0.88;
    const most = Math.max(1, Math.min(16, picture.slots));
    this.columns = Math.ceil(Math.sqrt(most));
    this.rows = Math.ceil(most / this.columns);
    this.slot = inner / this.columns;
    this.high = inner / this.rows;
    const all = [...(this.wiring?.places.values() ?? [])];
    const frames = matched(this.chips, all.length, () => element("rect"));
    all.forEach(({ chip, x, y }, place) => {
      const isBusiest = !this.wiring?.isAlike && chip.number === picture.busiest;
      put(at(frames, place), {
        x: x + pitch * 0.06,
        y: y + pitch * 0.06,
        width: inner,
        height: inner,
        rx: 2,
        fill: "var(--beyond)",
        stroke: isBusiest ? "var(--ink)" : "none",
        "stroke-width": isBusiest ? 4 : 0,
      });
    });
    const held = all.flatMap((place) =>
      place.chip.experts.slice(0, this.columns * this.rows).map((expert, slot) => ({ place, expert, slot })),
    );
    const cells = matched(this.experts, held.length, () => element("rect"));
    const air = Math.max(0.6, Math.min(1.5, this.slot * 0.12));
    const [wide, high] = [this.slot - air, this.high - air];
    held.forEach(({ place, expert, slot }, number) => {
      const [x, y] = this.cell(place, slot);
      const heat = at(picture.heat, expert);
      put(at(cells, number), {
        x: x - wide / 2,
        y: y - high / 2,
        width: wide,
        height: high,
        rx: Math.min(2, wide / 6),
        "fill-opacity": Math.sqrt(clamp(heat / HOTTEST, 0.01)).toFixed(3),
      });
    });
  }

  /** Middle of a place for an expert. */
  private cell({ x, y, size }: Place, slot: number): Point {
    return [
      x + size * 0.06 + ((slot % this.columns) + 0.5) * this.slot,
      y + size * 0.06 + (Math.floor(slot / this.columns) + 0.5) * this.high,
    ];
  }

  /** How much of the traffic takes the link: on it where two racks leave room, else below them. */
  private nameLink(picture: Racks, { frames, gates, loads, bottom }: Wiring): void {
    if (frames.length < 2) return;
    const text = picture.leaving_text;
    const style = { "font-size": FONT, fill: "var(--ink)", "font-weight": 600, "text-anchor": "middle" };
    const [from, to] = [at(gates, 0), at(gates, 1)];
    if (frames.length === 2 && to[0] - from[0] > 80) {
      const [number, ...rest] = [text.split(" of ")[0] as string, "of all visits", "leave", "their rack"];
      const x = (from[0] + to[0]) / 2;
      this.words.append(element("text", { ...style, x, y: from[1] - 10, "font-size": 17 }, number));
      const quiet = { ...style, x, "font-size": SMALL, "font-weight": 400, fill: "var(--muted)" };
      for (const [place, line] of rest.entries())
        this.words.append(element("text", { ...quiet, y: from[1] + 20 + place * 15 }, line));
    } else {
      const right = loads.top < bottom ? loads.left - 40 : loads.width;
      this.words.append(element("text", { ...style, x: right / 2, y: bottom + 10 }, text));
    }
  }

  /** A token's way to one of its experts. */
  private route({ places, joined }: Wiring, token: Token, to: number, expert: number): Point[] {
    const [from, end] = [places.get(token.chip), places.get(to)] as [Place, Place];
    const start: Point = [from.x + from.size / 2, from.y + from.size / 2];
    const slot = end.chip.experts.indexOf(expert);
    const goal =
      slot < 0 || slot >= this.columns * this.rows
        ? ([end.x + end.size / 2, end.y + end.size / 2] as Point)
        : this.cell(end, slot);
    return from.rack === end.rack ? [start, goal] : [start, ...joined(from.rack, end.rack), goal];
  }

  /** The ways of another token, and where it lies. */
  private take(token: Token, number: number): void {
    if (this.shown === number) return;
    this.shown = number;
    const routes = at(this.routes, number);
    const ways = matched(this.ways, routes.length, () => element("path"));
    const rings = matched(this.rings, routes.length, () => element("rect"));
    const pulses = matched(this.pulses, routes.length, () => element("circle"));
    const [wide, high] = [Math.max(6, this.slot + 1), Math.max(6, this.high + 1)];
    routes.forEach((route, place) => {
      const [x, y] = at(route, route.length - 1);
      put(at(ways, place), { d: path(route) });
      put(at(rings, place), { x: x - wide / 2, y: y - high / 2, width: wide, height: high, rx: 3 });
      put(at(pulses, place), { r: 4 });
    });
    const home = this.wiring?.places.get(token.chip) as Place;
    put(this.home, { cx: home.x + home.size / 2, cy: home.y + home.size / 2, r: Math.max(5, Math.min(9, home.size * 0.22)) });
  }
}

function nameOf(rack: number): string {
  return `rack ${rack + 1}`;
}
