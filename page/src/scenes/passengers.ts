// The requests of the trains' scene: each takes a seat or waits for one, rides, and is counted by how long it took.

import { at, clamp, mixed } from "../chart/numbers";
import type { Said } from "../chart/readout";
import { element, matched, put, say } from "../chart/svg";
import type { Trains } from "../documents";
import type { Arrivals } from "./arrivals";
import { eased } from "./drawing";
import { doorOf, type Layout, RIM, seatAt } from "./station";
import type { Box } from "./things";

/** Moments of a request, in periods. */
const FALL = 0.14;
const BOARD = 0.2;
const LAND = 0.3;
/** When a train has left, in periods. */
export const LEAVE = 0.34;
/** Of its way to a seat, the part up to the door. */
const AT_DOOR = 0.4;
/** Of the platform before a door, that requests come to, in pixels; and what spreads them. */
const CROWD = 90;
const GOLDEN = 0.618034;
/** Of those who wait, at most: between the train and what is said below it. */
const MOST_WAITING = 10;
/** Room for how many more there are than their one row has places for, and from the last of them to it, in pixels. */
const MORE = 76;
const BEFORE_MORE = 4;
/** From a request, at which a hand meets it, in pixels. */
const NEAR = 9;

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
  /** Whether it waits where only the number of more is seen. */
  isMore: boolean;
  /** The middle of the door that it takes, and where it comes to the platform. */
  door: number;
  from: [number, number];
  pile: [number, number];
  lands: number;
  /** Where it is now, and how large; without a size where it is not seen. */
  now: [x: number, y: number, radius: number];
}

/** Where trains are at a moment. */
export interface Moment {
  time: number;
  /** How far the one that leaves is on its way, in pixels; and how far the one that comes still is from its place. */
  out: number;
  shift: number;
}

export class Passengers {
  readonly group = element("g");
  private readonly dots = element("g");
  readonly ring = element("circle", { fill: "none", stroke: "var(--ink)", "stroke-width": 2, r: 0 });
  /** How many more wait than are seen. */
  private readonly more = element("text", { "font-size": 13, "font-weight": 600, fill: "var(--wrong)" });
  private all: Dot[] = [];
  private picture: Trains | null = null;
  private layout: Layout | null = null;
  /** Radius of a dot in the histogram. */
  private small = 2;
  /** Which is followed; none with -1. */
  followed = -1;

  constructor(private readonly arrivals: Arrivals) {
    this.group.append(this.dots, this.more);
  }

  get count(): number {
    return this.all.length;
  }

  private get end(): number {
    return this.picture?.departures.length ?? 0;
  }

  /** Each dot's seat, its place on the platform where it is left behind, and its place in the histogram. */
  fit(picture: Trains, layout: Layout): void {
    [this.picture, this.layout] = [picture, layout];
    const { arrivals } = this;
    const { train: frame, pitch, platform } = layout;
    const { came_periods: came, train, passed } = picture.requests;
    const nodes = matched(this.dots, came.length, () => element("circle"));
    const seated = new Map<number, number>();
    const waiting = new Map<number, number>();
    const bins = new Map<number, number[]>();
    const groups = new Map<number, number>();
    came.forEach((time, place) => {
      if (at(passed, place)) groups.set(Math.ceil(time), (groups.get(Math.ceil(time)) ?? 0) + 1);
    });
    const inRow = Math.floor(frame.width / pitch);
    // One row: below it stands who rode each train.
    const places = Math.max(0, ...groups.values()) > inRow ? Math.floor((frame.width - MORE) / pitch) : inRow;
    put(this.more, { x: frame.left + 6 + places * pitch + BEFORE_MORE, y: platform + 9 + 4 });
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
        const bin = arrivals.binOf(leaves + 1 - time);
        bins.set(bin, [...(bins.get(bin) ?? []), place]);
      }
      const door = doorOf(seat, layout);
      return {
        node: at(nodes, place),
        came: time,
        sits: Math.min(time + FALL, Math.max(time + 0.01, Math.ceil(time) - 0.01)),
        leaves,
        passed: behind,
        seat: seatAt(seat, layout),
        waiting: [frame.left + 6 + (Math.min(stands, places) + 0.5) * pitch, platform + 9],
        isMore: stands >= places,
        door,
        from: [door + (((place * GOLDEN) % 1) - 0.5) * CROWD, platform + layout.radius + 6],
        pile: [0, 0],
        now: [0, 0, 0],
        lands: leaves + 1 - LAND * (1 - 0.6 * (seat / Math.max(1, picture.seats / picture.requests_per_dot))),
      };
    });
    this.small = arrivals.pile(bins, layout.radius, (which, pile) => {
      at(this.all, which).pile = pile;
    });
    if (this.followed >= this.all.length) this.followed = -1;
  }

  draw(moment: Moment): void {
    for (const dot of this.all) this.drawDot(dot, moment);
    const { time } = moment;
    const more = this.all.filter(({ isMore, came, leaves }) => isMore && time >= came && time < leaves - 1 + LEAVE);
    const count = more.length * (this.picture?.requests_per_dot ?? 1);
    say(this.more, count ? `+ ${count.toLocaleString("en-US")} more` : "");
  }

  /** A ring around the one that is pointed at or followed, wherever it has come to. */
  mark(pointed: number): void {
    const { x, y, width } = this.box(pointed >= 0 ? pointed : this.followed);
    put(this.ring, { cx: x + width / 2, cy: y + width / 2, r: width ? width / 2 + 3 : 0 });
  }

  /** The nearest to a hand; -1 where none is near. */
  under(x: number, y: number): number {
    let [best, least] = [-1, Number.POSITIVE_INFINITY];
    this.all.forEach(({ now }, which) => {
      const [cx, cy, radius] = now;
      const far = Math.hypot(cx - x, cy - y);
      if (radius && far < Math.min(least, Math.max(NEAR, radius + 2))) [best, least] = [which, far];
    });
    return best;
  }

  /** Of what is not seen at the moment without a size. */
  box(which: number): Box {
    const [cx, cy, r] = this.all[which]?.now ?? [0, 0, 0];
    return { x: cx - r, y: cy - r, width: 2 * r, height: 2 * r };
  }

  said(which: number): Said {
    const dot = this.all[which];
    const { picture } = this;
    if (!dot || !picture) return { title: "", columns: [], rows: [] };
    const clock = (periods: number) =>
      `${(periods * picture.clock_per_period).toFixed(picture.clock_digits)} ${picture.clock_unit}`;
    const { came, leaves, passed } = dot;
    const row = (name: string, value: string) => ({ colour: null, name, values: [value] });
    const rows = [row("arrives", clock(came))];
    if (passed) rows.push({ ...row("trains without a seat for it", String(passed)), colour: null });
    if (!Number.isFinite(leaves)) return { title: "still waits at the end", columns: [], rows };
    rows.push(row(`train ${leaves} leaves`, clock(leaves)), row("has its token", clock(leaves + 1)));
    return { title: `${clock(leaves + 1 - came)} from arrival to token`, columns: [], rows };
  }

  /** On the way to a seat, by the door of its carriage; of a train that is so far from its place. */
  private through([x, y]: [number, number], { door, seat }: Dot, along: number, shift: number): [number, number] {
    const { train } = this.layout as Layout;
    const sill = train.top + train.height - RIM;
    const [first, second] = [clamp(along / AT_DOOR), clamp((along - AT_DOOR) / (1 - AT_DOOR))];
    return along < AT_DOOR
      ? [mixed(x, door + shift, first), mixed(y, sill, first)]
      : [mixed(door, seat[0], second) + shift, mixed(sill, seat[1], second)];
  }

  private drawDot(dot: Dot, { time, out, shift }: Moment): void {
    const { node, came, leaves, passed, seat, waiting, pile, lands } = dot;
    const { station, radius: own } = this.layout as Layout;
    const waits = Math.min(own, MOST_WAITING);
    // At the end nobody is left in the air.
    const moved = time >= this.end ? Number.POSITIVE_INFINITY : time;
    let [x, y, radius, shown] = [seat[0], seat[1], own, 1];
    const boards = leaves - 1;
    const isLate = passed > 0;
    if (time < came) shown = 0;
    else if (isLate && time < boards) {
      const along = eased(moved, came, came + FALL);
      [x, y] = [mixed(dot.from[0], waiting[0], along), mixed(dot.from[1], waiting[1], along)];
      [radius, shown] = [mixed(own, waits, along), dot.isMore && along === 1 ? 0 : 1];
    } else if (time < leaves || leaves === this.end) {
      if (isLate) {
        const along = eased(time, boards + LEAVE, boards + LEAVE + BOARD);
        [x, y] = this.through(waiting, dot, along, 0);
        [radius, shown] = [mixed(waits, own, along), dot.isMore && along === 0 ? 0 : 1];
      } else {
        const along = eased(moved, came, dot.sits);
        // A train that has yet to come in brings the seat along.
        const comes = came >= 1 && Math.floor(time) === Math.floor(came) ? shift : 0;
        [x, y] = this.through(dot.from, dot, along, comes);
      }
    } else if (time < leaves + LEAVE) {
      x = seat[0] + out;
      shown = x > station.width - radius ? 0 : 1;
    } else if (time < lands) shown = 0;
    else {
      const along = eased(time, lands, lands + LAND * 0.4);
      const from = this.arrivals.middle(clamp(time - leaves));
      [x, y] = [mixed(from, pile[0], along), mixed(this.arrivals.top, pile[1], along)];
      radius = this.small;
    }
    dot.now = [x, y, shown ? radius : 0];
    if (!shown) {
      put(node, { r: 0 });
      return;
    }
    put(node, { cx: x.toFixed(1), cy: y.toFixed(1), r: radius, fill: isLate ? "var(--wrong)" : "var(--also)" });
  }
}
