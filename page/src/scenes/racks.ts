// Racks under traffic: each chip with its experts, lit by their visits; and a few tokens on their way to theirs.

import { at, clamp } from "../chart/numbers";
import { element, matched, put, say } from "../chart/svg";
import type { Axes, Chip, Racks, Token } from "../documents";
import { type Drawing, eased } from "./drawing";

const NARROW = 560;
const SECONDS_PER_TOKEN = 2.6;
const SMALL = 12;
const FONT = 13;
const TITLE = 15;
const MOST_COLUMNS = 9;
/** Sides of a chip, where there is a choice. */
const LEAST_CHIP = 30;
const MOST_CHIP = 50;
/** Room for the words above and below the loads. */
const PROFILE = 50;
/** Heat at which an expert is lit in full, in means. */
const HOTTEST = 4;
/** Moments of a token, in parts of its time. */
const APPEARS = 0.1;
const ARRIVES = 0.5;
const RETURNS = 0.68;
const BACK = 0.94;

type Point = [number, number];

interface Place {
  chip: Chip;
  rack: number;
  x: number;
  y: number;
  size: number;
}

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
  private readonly line = element("g");
  private picture: Racks | null = null;
  private places = new Map<number, Place>();
  /** Where each rack's traffic leaves it. */
  private gates: Point[] = [];
  /** The way between two racks' gates. */
  private joined: (from: number, to: number) => Point[] = () => [];
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

  constructor() {
    this.svg.append(
      this.frames,
      this.links,
      this.chips,
      this.experts,
      this.words,
      this.line,
      this.ways,
      this.rings,
      this.home,
      this.pulses,
      this.said,
    );
  }

  seconds(): number {
    return SECONDS_PER_TOKEN * (this.picture?.tokens.length ?? 0);
  }

  show(picture: Racks, _: Axes): void {
    this.picture = picture;
    this.shown = -1;
  }

  fit(width: number, room: number): number {
    const { picture } = this;
    if (!picture) return 0;
    const isNarrow = width < NARROW;
    const count = picture.racks.length;
    const abreast = Math.min(count, isNarrow ? 2 : 4);
    const lines = Math.ceil(count / abreast);
    // Between two racks the link lies in the middle; between more it lies below them.
    const gap = count === 2 ? (isNarrow ? 34 : 170) : 28;
    const chips = Math.max(...picture.racks.map((rack) => rack.chips.length));
    const columns = Math.min(
      chips,
      count === 1 && !isNarrow ? 2 * MOST_COLUMNS : MOST_COLUMNS - (chips % 8 || chips % 9 === 0 ? 0 : 1),
    );
    const rows = Math.ceil(chips / columns);
    const head = count > 1 ? 26 : 4;
    const trunk = count > 2 ? 34 : 14;
    const top = 34;
    const skyline = isNarrow ? 64 : 84;
    const below = (count > 1 ? 30 : 8) + skyline + PROFILE;
    const fitting = (room - top - below - lines * (head + trunk)) / lines / rows;
    const pitch = Math.min((width - 12 - (abreast - 1) * gap) / abreast / columns, clamp(fitting, LEAST_CHIP, MOST_CHIP));
    const wide = columns * pitch;
    const left = (width - abreast * wide - (abreast - 1) * gap) / 2;
    const high = rows * pitch;
    this.places.clear();
    this.gates = [];
    this.frames.replaceChildren();
    this.words.replaceChildren();
    picture.racks.forEach((rack, number) => {
      const x = left + (number % abreast) * (wide + gap);
      const y = top + Math.floor(number / abreast) * (head + high + trunk);
      if (count > 1)
        this.words.append(
          element("text", { x, y: y + 16, "font-size": TITLE, "font-weight": 600, fill: "var(--ink)" }, `rack ${number + 1}`),
        );
      this.frames.append(
        element("rect", {
          x: x - 4,
          y: y + head - 4,
          width: wide + 8,
          height: high + 8,
          rx: 6,
          fill: "none",
          stroke: "var(--muted)",
          "stroke-opacity": 0.5,
        }),
      );
      rack.chips.forEach((chip, place) => {
        this.places.set(chip.number, {
          chip,
          rack: number,
          x: x + (place % columns) * pitch,
          y: y + head + Math.floor(place / columns) * pitch,
          size: pitch,
        });
      });
      if (count === 2) this.gates.push([number ? x - 4 : x + wide + 4, y + head + high / 2]);
      else this.gates.push([x + wide / 2, y + head + high + 4]);
    });
    this.join(count, abreast, left, top, head + high + trunk, head + high);
    const bottom = top + lines * (head + high + trunk);
    this.light(picture, pitch);
    if (count > 1) this.nameLink(width, count, isNarrow, top + head + high / 2, left + wide, gap, bottom);
    put(this.said, { x: 0, y: 16 });
    const end = this.profile(picture, width, bottom + (count > 1 ? 30 : 8), skyline);
    this.routes = picture.tokens.map((token) => token.visits.map((visit) => this.route(token, visit.chip, visit.expert)));
    this.shown = -1;
    return end;
  }

  draw(fraction: number): void {
    const { picture } = this;
    if (!picture?.tokens.length) return;
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
    const where = picture.racks.length > 1 ? `, ${token.near} in its rack, ${token.beyond} beyond` : "";
    say(this.said, `token ${number + 1}: ${token.near + token.beyond} visits${where}`);
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

  /** Every chip, with its experts as bright as they are visited; the busiest is framed. */
  private light(picture: Racks, pitch: number): void {
    const inner = pitch * 0.88;
    const most = Math.max(1, Math.min(16, picture.slots));
    this.columns = Math.ceil(Math.sqrt(most));
    this.rows = Math.ceil(most / this.columns);
    this.slot = inner / this.columns;
    this.high = inner / this.rows;
    const all = [...this.places.values()];
    const frames = matched(this.chips, all.length, () => element("rect"));
    all.forEach(({ chip, x, y }, place) => {
      const isBusiest = chip.number === picture.busiest;
      put(at(frames, place), {
        x: x + pitch * 0.06,
        y: y + pitch * 0.06,
        width: inner,
        height: inner,
        rx: 2,
        fill: "var(--beyond)",
        stroke: isBusiest ? "var(--wrong)" : "none",
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

  /** How racks are joined: two of them directly, more by a trunk below each row of them. */
  private join(count: number, abreast: number, left: number, top: number, step: number, high: number): void {
    this.links.replaceChildren();
    if (count === 2) {
      this.joined = (from, to) => [at(this.gates, from), at(this.gates, to)];
    } else {
      const side = Math.max(3, left - 12);
      const trunk = (rack: number) => top + Math.floor(rack / abreast) * step + high + 18;
      this.joined = (from, to) => {
        const [start, end] = [at(this.gates, from), at(this.gates, to)];
        const [first, last] = [trunk(from), trunk(to)];
        const middle: Point[] =
          first === last
            ? []
            : [
                [side, first],
                [side, last],
              ];
        return [start, [start[0], first], ...middle, [end[0], last], end];
      };
    }
    for (let rack = 1; rack < count; rack++) this.links.append(element("path", { d: path(this.joined(rack - 1, rack)) }));
  }

  private nameLink(
    width: number,
    count: number,
    isNarrow: boolean,
    middle: number,
    right: number,
    gap: number,
    bottom: number,
  ): void {
    const text = this.picture?.leaving_text ?? "";
    const style = { "font-size": FONT, fill: "var(--ink)", "font-weight": 600 };
    if (count === 2 && !isNarrow) {
      const [number, ...rest] = [text.split(" of ")[0] as string, "of all visits", "leave", "their rack"];
      const x = right + gap / 2;
      this.words.append(element("text", { ...style, x, y: middle - 10, "text-anchor": "middle", "font-size": 17 }, number));
      for (const [place, line] of rest.entries())
        this.words.append(
          element(
            "text",
            { x, y: middle + 20 + place * 15, "text-anchor": "middle", "font-size": SMALL, fill: "var(--muted)" },
            line,
          ),
        );
    } else this.words.append(element("text", { ...style, x: width / 2, y: bottom + 12, "text-anchor": "middle" }, text));
  }

  /** All chips by their load, the busiest first. */
  private profile(picture: Racks, width: number, top: number, high: number): number {
    const loads = [...this.places.values()].map(({ chip }) => chip.load).sort((one, other) => other - one);
    const most = Math.max(1.2, loads[0] ?? 1);
    const upper = top + 24;
    const up = (load: number) => upper + high * (1 - load / most);
    const step = Math.min(26, width / loads.length);
    const gap = step > 4 ? 1.5 : step > 2 ? 0.5 : 0;
    const bar = (load: number, place: number) =>
      `M${(place * step).toFixed(2)} ${(upper + high).toFixed(1)}V${up(load).toFixed(1)}h${(step - gap).toFixed(2)}V${(upper + high).toFixed(1)}z`;
    const end = loads.length * step;
    this.line.replaceChildren(
      element("path", { d: loads.map(bar).join(""), fill: "var(--compute)", "fill-opacity": 0.75 }),
      element("path", { d: bar(loads[0] ?? 0, 0), fill: "var(--wrong)" }),
      element("line", { x1: 0, x2: end, y1: up(1), y2: up(1), stroke: "var(--ink)", "stroke-dasharray": "3 3" }),
      element("text", { x: 0, y: top + 14, "font-size": FONT, "font-weight": 600, fill: "var(--wrong)" }, picture.busiest_text),
      element("text", { x: end, y: up(1) - 5, "font-size": SMALL, "text-anchor": "end", fill: "var(--ink)" }, "mean"),
      element(
        "text",
        { x: 0, y: upper + high + 18, "font-size": SMALL, fill: "var(--muted)" },
        "visits to each chip, the busiest first",
      ),
    );
    return upper + high + PROFILE - 24;
  }

  /** A token's way to one of its experts. */
  private route(token: Token, to: number, expert: number): Point[] {
    const [from, end] = [this.places.get(token.chip), this.places.get(to)] as [Place, Place];
    const start: Point = [from.x + from.size / 2, from.y + from.size / 2];
    const slot = end.chip.experts.indexOf(expert);
    const goal =
      slot < 0 || slot >= this.columns * this.rows
        ? ([end.x + end.size / 2, end.y + end.size / 2] as Point)
        : this.cell(end, slot);
    return from.rack === end.rack ? [start, goal] : [start, ...this.joined(from.rack, end.rack), goal];
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
    const home = this.places.get(token.chip) as Place;
    put(this.home, { cx: home.x + home.size / 2, cy: home.y + home.size / 2, r: Math.max(5, Math.min(9, home.size * 0.22)) });
  }
}

function path(points: Point[]): string {
  return `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}`;
}

function length(points: Point[]): number {
  return points
    .slice(1)
    .reduce((sum, [x, y], place) => sum + Math.hypot(x - at(points, place)[0], y - at(points, place)[1]), 0);
}

/** The point at a part of the way. */
function pointAt(points: Point[], along: number): Point {
  let left = length(points) * along;
  for (let place = 1; place < points.length; place++) {
    const [from, to] = [at(points, place - 1), at(points, place)];
    const long = Math.hypot(to[0] - from[0], to[1] - from[1]);
    if (left <= long || place === points.length - 1) {
      const part = long ? clamp(left / long) : 0;
      return [from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part];
    }
    left -= long;
  }
  return at(points, 0);
}
