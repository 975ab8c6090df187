// Trains: requests take seats, a train leaves full or not, who finds no seat rides the next one; and how long all took.

import type { Measure } from "../chart/measure";
import { clamp } from "../chart/numbers";
import { clipped, element, halo, put, say } from "../chart/svg";
import type { Axes, Trains } from "../documents";
import { Arrivals } from "./arrivals";
import { Boarding, PERIOD_LONG } from "./boarding";
import { carriage, edge } from "./carriage";
import { type Drawing, eased, type Handles } from "./drawing";
import { LEAVE, Passengers } from "./passengers";
import { type Layout, laid, seatsOf } from "./station";
import { type Grip, press } from "./things";

const SECONDS_PER_PERIOD = 1.9;
const SMALL = 13;
const FONT = 14;
/** Smaller words are not read. */
const LEAST = 11;
const LARGE = 26;
const CLOCK_WIDE = 152;
/** Where the clock stands, and how far above the bar under it at least. */
const SAID = 28;
const OVER_BAR = 10;
/** Under that bar, and under what is said of the period beside its handle: where words stand that have no room beside the clock. */
const UNDER_BAR = 18;
/** Between words beside each other. */
const APART = 16;
/** When it is first seen, in periods. */
const OPENS = 2.2;
/** Height of a train that has left, as it stands in the queue of those. */
const QUEUED = 22;
/** Over which a train comes in and goes out of sight. */
const EDGE = 18;

export class TrainsDrawing implements Drawing<Trains> {
  readonly svg = element("svg", { role: "img" });
  private readonly clip: SVGRectElement;
  /** Of all of the picture: requests that come in with their train are seen from its edge on. */
  private readonly frame: SVGRectElement;
  private readonly words = element("g");
  private readonly track = element("line", { stroke: "var(--muted)", "stroke-width": 1.5 });
  private readonly standing = element("g");
  private readonly leaving = element("g");
  private readonly log = element("g");
  /** Of the numbers of those left behind, and the first train that has one; one that never leaves where none has. */
  private readonly heading = element("text", { "font-size": SMALL, fill: "var(--wrong)", ...halo() }, "below: left behind");
  private firstLeft = 0;
  private readonly arrivals = new Arrivals();
  private readonly passengers = new Passengers(this.arrivals);
  /** What the requests are, or how long the followed one took. */
  private readonly requests = element("text", { "font-size": SMALL, fill: "var(--muted)" });
  readonly things: Boarding;
  private readonly edges = [edge(this.svg, "in"), edge(this.svg, "out")] as const;
  private readonly clock = element("text", { "font-size": LARGE, "font-weight": 600, fill: "var(--ink)" });
  private readonly next = element("text", { "font-size": FONT, fill: "var(--muted)", "text-anchor": "end" });
  private readonly behind = element("text", { "font-size": FONT, "font-weight": 600, fill: "var(--wrong)" });
  private readonly whole = element("rect", { height: 3, rx: 1.5, fill: "var(--beyond)" });
  private picture: Trains | null = null;
  private caption = "";
  private measure: Measure = () => 0;
  private logged: SVGGElement[] = [];
  private layout: Layout = laid(0, 0, 1, false);

  constructor(handles: Handles) {
    this.things = new Boarding(this.passengers, handles);
    this.svg.append(this.whole, this.clock, this.next);
    const { clip, inside } = clipped(this.svg);
    this.clip = clip;
    inside.append(this.track, this.standing, this.leaving);
    const whole = clipped(this.svg);
    this.frame = whole.clip;
    whole.inside.append(this.passengers.group);
    this.svg.append(
      ...this.edges,
      this.words,
      this.behind,
      this.arrivals.axis,
      this.arrivals.riding,
      whole.inside,
      // Whoever walks to the doors goes behind it.
      this.log,
      this.arrivals.labels,
      this.things.group,
    );
  }

  seconds(): number {
    return this.end * SECONDS_PER_PERIOD;
  }

  show(picture: Trains, axes: Axes): void {
    this.picture = picture;
    this.caption = axes.x.caption;
  }

  fit(width: number, room: number, measure: Measure): number {
    const { picture } = this;
    if (!picture) return 0;
    this.measure = measure;
    const seats = Math.ceil(picture.seats / picture.requests_per_dot);
    const isLeft = picture.departures.some(({ left }) => left);
    const words = this.scaleWords();
    const next = Math.max(...picture.departures.map((_, train) => measure(this.nextWords(train), FONT)));
    const spoken = CLOCK_WIDE + measure(words, SMALL) + APART + next;
    const layout = laid(width, room, seats, isLeft, spoken);
    this.layout = layout;
    const { station, train } = layout;
    const wide = station.width;
    put(this.clip, { x: 0, y: station.top, width: wide, height: station.height });
    put(this.frame, { x: 0, y: 0, width, height: layout.height });
    put(this.edges[0], { x: 0, y: station.top, width: EDGE, height: station.height });
    put(this.edges[1], { x: wide - EDGE, y: station.top, width: EDGE + 1, height: station.height });
    put(this.whole, { x: 0, y: station.top - 4, width: wide * PERIOD_LONG });
    const said = Math.min(SAID, station.top - OVER_BAR);
    put(this.clock, { x: 0, y: said });
    put(this.next, { x: wide, y: said });
    const rail = train.top + train.height + 9;
    put(this.track, { x1: 0, x2: wide, y1: rail, y2: rail });
    put(this.behind, { x: wide, y: layout.log, "text-anchor": "end" });
    // Beside the clock where there is room for it, else where requests fall from.
    const place = spoken <= wide ? { x: CLOCK_WIDE, y: said } : { x: 0, y: station.top + UNDER_BAR };
    put(this.requests, place);
    this.words.replaceChildren(this.requests);
    const empty = seatsOf(seats, layout);
    carriage(this.standing, layout, empty);
    carriage(this.leaving, layout, empty);
    this.table(wide, layout.log);
    this.firstLeft = isLeft ? picture.departures.findIndex(({ left }) => left) : picture.departures.length;
    this.arrivals.fit(picture, layout.chart, this.caption, measure);
    this.passengers.fit(picture, layout);
    this.things.fit(picture, layout, measure);
    return layout.height;
  }

  draw(fraction: number): void {
    const { picture } = this;
    if (!picture) return;
    const time = fraction * this.end;
    const { station, train } = this.layout;
    const count = picture.departures.length;
    const present = Math.min(Math.floor(time), count - 1);
    const within = clamp(time - present);
    say(this.clock, `at ${this.now(fraction)}`);
    say(this.next, this.nextWords(present));
    const out = (station.width - train.left + 10) * eased(within, 0, LEAVE) ** 1.4;
    put(this.leaving, { transform: `translate(${out} 0)`, opacity: present ? 1 : 0 });
    const arrives = present === 0 ? 0 : this.shift(within);
    put(this.standing, { transform: `translate(${arrives} 0)` });
    const last = picture.departures[present - 1];
    say(this.behind, last?.left_text ? this.leftWords(last.left_text, present) : "");
    this.behind.setAttribute("opacity", String(eased(within, 0, 0.05) - eased(within, 0.6, 0.75)));
    const isLogged = (place: number) => eased(time, place + 0.95, place + 1);
    for (const [place, node] of this.logged.entries()) put(node, { opacity: isLogged(place) });
    put(this.heading, { opacity: isLogged(this.firstLeft) });
    this.arrivals.ride(present ? within : -1, present);
    this.passengers.draw({ time, out, shift: this.shift(within) });
    this.things.draw(arrives);
    const { followed } = this.passengers;
    say(this.requests, followed < 0 ? this.scaleWords() : `it takes ${this.passengers.said(followed).title}`);
  }

  /** While the third train boards: the first requests have got off by then. */
  opens(): number {
    return Math.min(1, OPENS / Math.max(1, this.end));
  }

  at(x: number, y: number): string | null {
    return this.things.at(x, y);
  }

  grip(x: number, y: number): Grip | null {
    return this.things.grip(x, y);
  }

  now(fraction: number): string {
    const { picture } = this;
    if (!picture) return "";
    return `${(Math.min(fraction * this.end, this.end) * picture.clock_per_period).toFixed(picture.clock_digits)} ${picture.clock_unit}`;
  }

  described(): string {
    const { picture } = this;
    if (!picture) return "";
    const trains = picture.departures.map(
      ({ aboard_text, left_text }, place) =>
        `train ${place + 1}: ${aboard_text} aboard${left_text && `, ${left_text} left behind`}`,
    );
    return `${picture.text}. ${trains.join("; ")}. Time from arrival to token: ${picture.mean_text}`;
  }

  /** In periods: until the last train but one has arrived, and the last one is about to leave. */
  private get end(): number {
    return this.picture?.departures.length ?? 0;
  }

  /** How many a train has left, and which train where there is room beside what the figures below mean. */
  private leftWords(number: string, train: number): string {
    const words = `${number} left behind`;
    const whole = `${words} by train ${train}`;
    const taken = this.measure("aboard each train below: left behind", SMALL) + 28;
    return taken + this.measure(whole, FONT, 600) < this.layout.station.width ? whole : words;
  }

  private nextWords(train: number): string {
    return `train ${train + 1} leaves at ${this.picture?.clock[train + 1]}`;
  }

  private scaleWords(): string {
    const { picture } = this;
    if (!picture) return "";
    const dot = picture.requests_per_dot;
    const each = dot > 1 ? `a dot is ${dot.toLocaleString("en-US")} requests` : "a dot is a request";
    return `${each}; ${press()} one to follow it`;
  }

  /** Who rode each train, and whom it left. */
  private table(wide: number, top: number): void {
    const { picture } = this;
    if (!picture) return;
    this.log.replaceChildren(
      element("text", { x: 0, y: top, "font-size": SMALL, fill: "var(--muted)", ...halo() }, "aboard each train"),
      this.heading,
    );
    put(this.heading, { x: this.measure("aboard each train", SMALL) + 14, y: top });
    const column = wide / picture.departures.length;
    const widest = Math.max(...picture.departures.map(({ aboard_text }) => this.measure(aboard_text, FONT)));
    const size = Math.max(LEAST, Math.min(FONT, (FONT * (column - 9)) / widest));
    this.logged = picture.departures.map(({ aboard, aboard_text, left_text }, place) => {
      const x = place * column;
      const middle = { "font-size": size, "text-anchor": "middle" };
      const node = element("g", { opacity: 0 });
      node.append(
        ...queued(x, top + 8, column - 6, Math.min(1, aboard / picture.seats)),
        element("text", { ...middle, x: x + (column - 6) / 2, y: top + 23, fill: "var(--ink)" }, aboard_text),
        element(
          "text",
          { ...middle, x: x + (column - 6) / 2, y: top + 45, "font-weight": 600, fill: "var(--wrong)" },
          left_text && `+ ${left_text}`,
        ),
      );
      this.log.append(node);
      return node;
    });
  }

  /** How far from its place the train that comes in still is. */
  private shift(within: number): number {
    const { left, width } = this.layout.train;
    return -(left + width + 10) * (1 - eased(within, LEAVE * 0.3, LEAVE * 1.15));
  }
}

/** A train that has left, filled as far as its seats were taken. */
function queued(x: number, y: number, width: number, taken: number): SVGElement[] {
  const hull = { x, y, height: QUEUED, rx: 7 };
  return [
    element("rect", { ...hull, width: Math.max(1, width * taken), fill: "var(--also)", "fill-opacity": 0.22 }),
    element("rect", { ...hull, width, fill: "none", stroke: "var(--also)", "stroke-width": 1.3 }),
  ];
}
