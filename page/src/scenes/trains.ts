// Trains: requests take seats, a train leaves full or not, who finds no seat rides the next one; and how long all took.

import type { Measure } from "../chart/measure";
import { at, clamp, mixed } from "../chart/numbers";
import { clipped, element, matched, put, say } from "../chart/svg";
import type { Axes, Trains } from "../documents";
import { type Drawing, eased } from "./drawing";

const NARROW = 720;
const SECONDS_PER_PERIOD = 1.9;
const SMALL = 12;
const FONT = 13;
const LARGE = 26;
/** Moments of a request and of a train, in periods. */
const FALL = 0.14;
const LEAVE = 0.34;
const BOARD = 0.2;
const LAND = 0.3;
/** Bins of a period; and where the histogram begins, since nobody takes less than the ride. */
const BINS = 10;
const FIRST = 0.9;

interface Dot {
  node: SVGCircleElement;
  came: number;
  /** When it is where it waits: before its train leaves, however late it came. */
  sits: number;
  /** When its train leaves; after the end where it has none. */
  leaves: number;
  passed: number;
  seat: [number, number];
  waiting: [number, number];
  falls: number;
  pile: [number, number];
  lands: number;
}

interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

export class TrainsDrawing implements Drawing<Trains> {
  readonly svg = element("svg", { role: "img" });
  private readonly clip: SVGRectElement;
  private readonly words = element("g");
  private readonly track = element("line", { stroke: "var(--muted)", "stroke-width": 1.5 });
  private readonly standing = element("g");
  private readonly leaving = element("g");
  private readonly dots = element("g");
  private readonly log = element("g");
  private readonly axis = element("g");
  private readonly riding = element("g");
  private readonly clock = element("text", { "font-size": LARGE, "font-weight": 600, fill: "var(--ink)" });
  private readonly next = element("text", { "font-size": FONT, fill: "var(--muted)", "text-anchor": "end" });
  private readonly behind = element("text", { "font-size": FONT, "font-weight": 600, fill: "var(--wrong)" });
  private readonly gone = element("rect", { height: 3, rx: 1.5, fill: "var(--ink)" });
  private readonly whole = element("rect", { height: 3, rx: 1.5, fill: "var(--beyond)" });
  private picture: Trains | null = null;
  private caption = "";
  private measure: Measure = () => 0;
  private all: Dot[] = [];
  private logged: SVGGElement[] = [];
  private station: Box = { left: 0, top: 0, width: 0, height: 0 };
  private chart: Box = { left: 0, top: 0, width: 0, height: 0 };
  private train: Box = { left: 0, top: 0, width: 0, height: 0 };
  private radius = 3;
  /** Radius of a dot in the histogram. */
  private small = 2;
  private periods = 3;

  constructor() {
    this.svg.append(this.whole, this.gone, this.clock, this.next, this.words);
    const { clip, inside } = clipped(this.svg);
    this.clip = clip;
    inside.append(this.track, this.standing, this.leaving);
    this.svg.append(this.behind, this.log, this.axis, this.riding, this.dots);
  }

  seconds(): number {
    return this.end * SECONDS_PER_PERIOD;
  }

  show(picture: Trains, axes: Axes): void {
    this.picture = picture;
    this.caption = axes.x.caption;
  }

  fit(width: number, _room: number, measure: Measure): number {
    const { picture } = this;
    if (!picture) return 0;
    this.measure = measure;
    const isNarrow = width < NARROW;
    const late = Math.max(0, ...picture.requests.passed.filter((_, place) => picture.requests.train[place] !== -1));
    this.periods = late > 1 ? late + 2.1 : 3.1;
    const seats = Math.ceil(picture.seats / picture.requests_per_dot);
    const wide = isNarrow ? width : Math.round(width * 0.56);
    const rows = Math.max(1, Math.ceil(seats / (isNarrow ? 20 : 25)));
    const columns = Math.ceil(seats / rows);
    const pitch = Math.min(22, (wide - 24) / columns);
    this.radius = Math.max(2, Math.min(6.5, pitch * 0.34));
    this.station = { left: 0, top: 44, width: wide, height: 0 };
    this.train = { left: (wide - columns * pitch) / 2 - 6, top: 118, width: columns * pitch + 12, height: rows * pitch + 12 };
    const under = this.train.top + this.train.height + 18;
    const strip = 46;
    this.station.height = under + strip - this.station.top;
    const logTop = under + strip + 40;
    const stationEnd = logTop + 62;
    this.chart = isNarrow
      ? { left: 6, top: stationEnd + 84, width: width - 12, height: 190 }
      : { left: wide + 44, top: 112, width: width - wide - 50, height: stationEnd - 112 - 40 };
    const height = Math.max(stationEnd, this.chart.top + this.chart.height + 44);

    put(this.clip, { x: 0, y: this.station.top, width: wide, height: this.station.height });
    put(this.whole, { x: 0, y: 40, width: wide });
    put(this.gone, { x: 0, y: 40, width: 0 });
    put(this.clock, { x: 0, y: 28 });
    put(this.next, { x: wide, y: 28 });
    put(this.track, {
      x1: 0,
      x2: wide,
      y1: this.train.top + this.train.height + 9,
      y2: this.train.top + this.train.height + 9,
    });
    put(this.behind, { x: this.train.left, y: under + strip + 4 });
    this.words.replaceChildren(
      element("text", { x: this.train.left, y: 70, "font-size": SMALL, fill: "var(--muted)" }, this.scaleWords()),
    );
    const empty = seatsOf(seats, columns, pitch, this.train, this.radius);
    this.carriage(this.standing, empty);
    this.carriage(this.leaving, empty);
    this.table(wide, logTop);
    this.rule();
    this.place(columns, pitch, under);
    return height;
  }

  draw(fraction: number): void {
    const { picture } = this;
    if (!picture) return;
    const time = fraction * this.end;
    const count = picture.departures.length;
    const present = Math.min(Math.floor(time), count - 1);
    const within = clamp(time - present);
    say(this.clock, this.now(fraction));
    say(this.next, `train ${present + 1} leaves at ${picture.clock[present + 1]}`);
    put(this.gone, { width: this.station.width * within });
    const out = (this.station.width - this.train.left + 10) * eased(within, 0, LEAVE) ** 1.4;
    put(this.leaving, { transform: `translate(${out} 0)`, opacity: present ? 1 : 0 });
    const arrives = present === 0 ? 0 : this.shift(within);
    put(this.standing, { transform: `translate(${arrives} 0)` });
    const last = picture.departures[present - 1];
    say(this.behind, last?.left_text ? `${last.left_text} left behind by train ${present}` : "");
    this.behind.setAttribute("opacity", String(eased(within, 0, 0.05) - eased(within, 0.6, 0.75)));
    for (const [place, node] of this.logged.entries()) put(node, { opacity: eased(time, place + 0.95, place + 1) });
    this.ride(present ? within : -1, present);
    for (const dot of this.all) this.drawDot(dot, time, out, within);
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

  private scaleWords(): string {
    const { picture } = this;
    if (!picture) return "";
    const dot = picture.requests_per_dot;
    return dot > 1 ? `requests arrive; a dot is ${dot.toLocaleString("en-US")} of them` : "requests arrive";
  }

  private carriage(group: SVGGElement, seats: string): void {
    const { left, top, width, height } = this.train;
    const frame = element("rect", {
      x: left,
      y: top,
      width,
      height,
      rx: 7,
      fill: "var(--background)",
      stroke: "var(--ink)",
      "stroke-width": 1.5,
    });
    const wheels = [0.12, 0.22, 0.78, 0.88].map((at) =>
      element("circle", {
        cx: left + width * at,
        cy: top + height + 4,
        r: 4.5,
        fill: "var(--background)",
        stroke: "var(--ink)",
        "stroke-width": 1.5,
      }),
    );
    group.replaceChildren(...wheels, frame, element("path", { d: seats, fill: "var(--beyond)" }));
  }

  /** Who rode each train, and whom it left. */
  private table(wide: number, top: number): void {
    const { picture } = this;
    if (!picture) return;
    this.log.replaceChildren(
      element("text", { x: 0, y: top, "font-size": SMALL, fill: "var(--muted)" }, "aboard each train"),
      element(
        "text",
        { x: this.measure("aboard each train", SMALL) + 14, y: top, "font-size": SMALL, fill: "var(--wrong)" },
        "left behind",
      ),
    );
    const column = wide / picture.departures.length;
    const widest = Math.max(...picture.departures.map(({ aboard_text }) => this.measure(aboard_text, FONT)));
    const size = Math.max(10, Math.min(FONT, (FONT * (column - 5)) / widest));
    this.logged = picture.departures.map(({ aboard_text, left_text, left }, place) => {
      const x = place * column;
      const node = element("g", { opacity: 0 });
      node.append(
        element("line", {
          x1: x,
          x2: x + column - 6,
          y1: top + 9,
          y2: top + 9,
          stroke: left ? "var(--wrong)" : "var(--also)",
          "stroke-width": 2.5,
        }),
        element("text", { x, y: top + 28, "font-size": size, fill: "var(--ink)" }, aboard_text),
        element(
          "text",
          { x, y: top + 46, "font-size": size, "font-weight": 600, fill: "var(--wrong)" },
          left_text && `+ ${left_text}`,
        ),
      );
      this.log.append(node);
      return node;
    });
  }

  private rule(): void {
    const { picture } = this;
    if (!picture) return;
    const { left, top, width, height } = this.chart;
    const bottom = top + height;
    const text = (x: number, y: number, said: string, more: Record<string, string | number> = {}) =>
      element("text", { x, y, "font-size": SMALL, fill: "var(--muted)", ...more }, said);
    this.axis.replaceChildren(
      element("line", { x1: left, x2: left + width, y1: bottom + 1, y2: bottom + 1, stroke: "var(--muted)" }),
    );
    for (let period = Math.ceil(FIRST); period <= this.periods; period++) {
      const x = this.across(period);
      this.axis.append(element("line", { x1: x, x2: x, y1: bottom + 1, y2: bottom + 6, stroke: "var(--muted)" }));
      this.axis.append(
        text(x, bottom + 20, picture.clock[period] ?? "", {
          "text-anchor": left + width - x < 24 ? "end" : x - left < 24 ? "start" : "middle",
        }),
      );
    }
    this.axis.append(text(left, bottom + 38, `${this.caption} →`));
    const missed = this.across(2);
    const mean = this.across(picture.mean_periods);
    this.axis.append(
      element("line", { x1: mean, x2: mean, y1: top + 4, y2: bottom, stroke: "var(--ink)", "stroke-width": 1.5 }),
      text(mean - 6, top + 10, picture.mean_text, {
        "text-anchor": "end",
        fill: "var(--ink)",
        "font-weight": 600,
        "font-size": mean - 6 - this.measure(picture.mean_text, FONT, 600) < 0 ? SMALL - 1 : FONT,
      }),
      element("line", { x1: missed, x2: missed, y1: top + 4, y2: bottom, stroke: "var(--muted)", "stroke-dasharray": "2 3" }),
      text(missed + 6, top + 10, `just missed: ${picture.clock[2]}`),
    );
    if (picture.departures.some(({ left }) => left))
      this.axis.append(text(missed + 6, top + 28, "left behind: longer", { fill: "var(--wrong)", "font-weight": 600 }));
  }

  /** A small train over the histogram: the ride takes a period. */
  private ride(along: number, number: number): void {
    const { left, width, top } = this.chart;
    const y = top - 34;
    if (!this.riding.childElementCount) {
      this.riding.append(
        element("line", { stroke: "var(--muted)", "stroke-width": 1 }),
        element("rect", { width: 74, height: 22, rx: 5, fill: "var(--also)" }),
        element("text", { "font-size": SMALL, "text-anchor": "middle", fill: "var(--background)" }),
      );
    }
    const [rail, box, word] = [...this.riding.children] as [SVGElement, SVGElement, SVGElement];
    put(rail, { x1: left, x2: left + width, y1: y + 24, y2: y + 24 });
    const x = left + (width - 74) * Math.max(0, along);
    put(box, { x, y, opacity: along < 0 ? 0 : 1 });
    put(word, { x: x + 37, y: y + 15, opacity: along < 0 ? 0 : 1 });
    say(word, `train ${number}`);
  }

  private across(periods: number): number {
    return this.chart.left + (this.chart.width * (periods - FIRST)) / (this.periods - FIRST);
  }

  /** Each dot's seat, its place on the platform where it is left behind, and its place in the histogram. */
  private place(columns: number, pitch: number, under: number): void {
    const { picture } = this;
    if (!picture) return;
    const { came_periods: came, train, passed } = picture.requests;
    const nodes = matched(this.dots, came.length, () => element("circle"));
    const seated = new Map<number, number>();
    const waiting = new Map<number, number>();
    const bins = new Map<number, number[]>();
    this.all = came.map((time, place): Dot => {
      const rides = at(train, place);
      const behind = at(passed, place);
      const leaves = rides < 0 ? Number.POSITIVE_INFINITY : rides + 1;
      const seat = seated.get(rides) ?? 0;
      seated.set(rides, seat + 1);
      // Who waits stands behind those who wait with him for the same train.
      const group = Math.ceil(time);
      const stands = behind ? (waiting.get(group) ?? 0) : 0;
      if (behind) waiting.set(group, stands + 1);
      if (rides >= 0 && leaves < this.end) {
        const bin = Math.floor((leaves + 1 - time) * BINS);
        bins.set(bin, [...(bins.get(bin) ?? []), place]);
      }
      const inRow = Math.floor(this.train.width / pitch);
      return {
        node: at(nodes, place),
        came: time,
        sits: Math.min(time + FALL, Math.max(time + 0.01, Math.ceil(time) - 0.01)),
        leaves,
        passed: behind,
        seat: seatAt(seat, columns, pitch, this.train),
        waiting: [this.train.left + 6 + ((stands % inRow) + 0.5) * pitch, under + 9 + Math.floor(stands / inRow) * pitch],
        falls: this.train.left + 8 + ((place * 0.618034) % 1) * (this.train.width - 16),
        pile: [0, 0],
        lands: leaves + 1 - LAND * (1 - 0.6 * (seat / Math.max(1, picture.seats / picture.requests_per_dot))),
      };
    });
    this.pile(bins);
  }

  /** Stack the dots of each bin, several abreast, as large as leaves room for the highest stack. */
  private pile(bins: Map<number, number[]>): void {
    const wide = this.chart.width / (this.periods - FIRST) / BINS;
    const most = Math.max(1, ...[...bins.values()].map((one) => one.length));
    const high = this.chart.height - 26;
    let size = Math.min(2 * this.radius + 2, wide);
    while (size > 1.5 && Math.ceil(most / Math.floor((wide - 1) / size || 1)) * size > high) size -= 0.1;
    const abreast = Math.max(1, Math.floor((wide - 1) / size));
    const radius = Math.max(0.8, size / 2 - 0.35);
    for (const [bin, places] of bins) {
      const left = this.across(bin / BINS) + (wide - abreast * size) / 2;
      places.forEach((place, order) => {
        const dot = at(this.all, place);
        dot.pile = [
          left + ((order % abreast) + 0.5) * size,
          this.chart.top + this.chart.height - (Math.floor(order / abreast) + 0.5) * size,
        ];
      });
    }
    this.small = radius;
  }

  private drawDot(dot: Dot, time: number, out: number, within: number): void {
    const { node, came, leaves, passed, seat, waiting, pile, lands } = dot;
    // At the end nobody is left in the air.
    const moved = time >= this.end ? Number.POSITIVE_INFINITY : time;
    let [x, y, radius, shown] = [seat[0], seat[1], this.radius, 1];
    const boards = leaves - 1;
    const isLate = passed > 0;
    if (time < came) shown = 0;
    else if (isLate && time < boards) {
      const along = eased(moved, came, came + FALL);
      [x, y] = [mixed(dot.falls, waiting[0], along), mixed(this.station.top + 30, waiting[1], along)];
    } else if (time < leaves || leaves === this.end) {
      if (isLate) {
        const along = eased(time, boards + LEAVE, boards + LEAVE + BOARD);
        [x, y] = [mixed(waiting[0], seat[0], along), mixed(waiting[1], seat[1], along)];
      } else {
        const along = eased(moved, came, dot.sits);
        // A train that has yet to come in brings the seat along.
        const comes = came >= 1 && Math.floor(time) === Math.floor(came) ? this.shift(within) : 0;
        [x, y] = [mixed(dot.falls, seat[0] + comes, along), mixed(this.station.top + 30, seat[1], along)];
      }
    } else if (time < leaves + LEAVE) {
      x = seat[0] + out;
      shown = x > this.station.width - radius ? 0 : 1;
    } else if (time < lands) shown = 0;
    else {
      const along = eased(time, lands, lands + LAND * 0.4);
      const from = this.chart.left + (this.chart.width - 74) * clamp(time - leaves) + 37;
      [x, y] = [mixed(from, pile[0], along), mixed(this.chart.top - 16, pile[1], along)];
      radius = this.small;
    }
    if (!shown) {
      put(node, { r: 0 });
      return;
    }
    put(node, { cx: x.toFixed(1), cy: y.toFixed(1), r: radius, fill: isLate ? "var(--wrong)" : "var(--also)" });
  }

  /** How far from its place the train that comes in still is. */
  private shift(within: number): number {
    return -(this.train.left + this.train.width + 10) * (1 - eased(within, LEAVE * 0.3, LEAVE * 1.15));
  }
}

/** Outlines of all seats; rows are filled from the front of the train, which leaves to the right. */
function seatsOf(count: number, columns: number, pitch: number, train: Box, radius: number): string {
  return Array.from({ length: count }, (_, seat) => {
    const [x, y] = seatAt(seat, columns, pitch, train);
    return `M${(x - radius).toFixed(1)} ${y.toFixed(1)}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0z`;
  }).join("");
}

function seatAt(seat: number, columns: number, pitch: number, train: Box): [number, number] {
  return [
    train.left + 6 + (columns - 1 - (seat % columns) + 0.5) * pitch,
    train.top + 6 + (Math.floor(seat / columns) + 0.5) * pitch,
  ];
}
