// What a hand finds at the trains: a request that it follows, a train whose departure it goes to, and two handles.

import { type Measure, SMALL } from "../chart/measure";
import { clamp } from "../chart/numbers";
import type { Said } from "../chart/readout";
import { element, move, put, say, tenth, write } from "../chart/svg";
import type { Trains } from "../documents";
import type { Handles } from "./drawing";
import type { Passengers } from "./passengers";
import { type Layout, RIM } from "./station";
import type { Box, Grip, Things } from "./things";

const KNOB = { r: 7, fill: "var(--ink)", stroke: "var(--background)", "stroke-width": 2, class: "grip" };
const SAID = { "font-size": SMALL, fill: "var(--ink)" };
/** From a handle, at which a hand takes it, in pixels. */
const NEAR = 16;
/** Of the station's width, that a period is long above it: what is left is room to make it longer. */
export const PERIOD_LONG = 0.64;
/** Of that width, beyond which what is said of it stands before its handle. */
const PERIOD_MOST = 0.8;
/** From a handle to what is said of it, in pixels; and from row to row of that. */
const APART = 12;
const ROW = 14;
/** The least that a hand makes of it at once. */
const LEAST = 0.1;

export class Boarding implements Things {
  readonly group = element("g");
  private readonly period = element("circle", KNOB);
  private readonly load = element("circle", KNOB);
  private readonly level = element("line", { stroke: "var(--ink)", "stroke-dasharray": "4 3" });
  private readonly every = element("text", SAID);
  private readonly share = element("g", { ...SAID, "text-anchor": "end" });
  private picture: Trains | null = null;
  private layout: Layout | null = null;
  private pointed = -1;
  /** The period when a hand took it. */
  private started = 0;

  constructor(
    private readonly passengers: Passengers,
    private readonly handles: Handles,
  ) {
    this.group.append(passengers.ring);
    if (handles.turn) this.group.append(this.level, this.every, this.share, this.period, this.load);
  }

  get name(): string {
    return "Trains, and requests: arrows move between them, Enter follows a request or goes to where a train leaves";
  }

  get count(): number {
    return this.trains + this.passengers.count;
  }

  private get trains(): number {
    return this.picture?.departures.length ?? 0;
  }

  fit(picture: Trains, layout: Layout, measure: Measure): void {
    [this.picture, this.layout] = [picture, layout];
    this.pointed = -1;
    const { station, train } = layout;
    put(this.period, { cy: station.top - 2.5 });
    if (!this.started) put(this.period, { cx: tenth(this.periodEnd) });
    const y = tenth(this.levelAt(picture.load_fraction));
    put(this.level, { x1: tenth(train.left), x2: tenth(train.left + train.width - 20), y1: y, y2: y });
    put(this.load, { cx: tenth(train.left), cy: y });
    const rows = picture.load_text.split(/(?<=%) /);
    const wide = Math.max(...rows.map((row) => measure(row, SMALL)));
    write(this.share, wide <= train.left - APART ? rows : [], ROW, {});
    move(this.share, train.left - APART, y + 4 - ROW / 2);
    say(this.every, `every ${picture.clock[1]}`);
    this.tell();
  }

  /** What is said of the period goes with its handle. */
  private tell(): void {
    const { top = 0, width = 0 } = this.layout?.station ?? {};
    const x = Number(this.period.getAttribute("cx"));
    const isNear = x > PERIOD_MOST * width;
    put(this.every, { x: x + (isNear ? -APART : APART), y: top + 5, "text-anchor": isNear ? "end" : "start" });
  }

  /** Where a period ends above the station. */
  get periodEnd(): number {
    return (this.layout?.station.width ?? 0) * PERIOD_LONG;
  }

  /** After what moves has been drawn; what is said of the load is not seen while a train comes in over it. */
  draw(shift: number): void {
    put(this.share, { opacity: shift ? 0 : 1 });
    this.passengers.mark(this.pointed - this.trains);
  }

  under(x: number, y: number): number {
    const dot = this.passengers.under(x, y);
    if (dot >= 0) return this.trains + dot;
    const { log = 0, station } = this.layout ?? {};
    const isBelow = y > log + 4 && y < log + LOGGED && x >= 0 && x < (station?.width ?? 0);
    return isBelow ? Math.floor((x * this.trains) / (station?.width ?? 1)) : -1;
  }

  box(thing: number): Box {
    if (thing >= this.trains) return this.passengers.box(thing - this.trains);
    const { log = 0, station } = this.layout ?? {};
    const wide = (station?.width ?? 0) / this.trains;
    return { x: thing * wide, y: log + 6, width: wide - 6, height: LOGGED - 6 };
  }

  said(thing: number): Said {
    const train = this.picture?.departures[thing];
    if (!train) return this.passengers.said(thing - this.trains);
    const row = (name: string, value: string) => ({ colour: null, name, values: [value] });
    const rows = [row("aboard", train.aboard_text), row("left behind", train.left_text || "none")];
    return { title: `train ${thing + 1} leaves at ${this.picture?.clock[thing + 1]}`, columns: [], rows };
  }

  point(thing: number): void {
    this.pointed = thing;
  }

  take(thing: number): void {
    const dot = thing - this.trains;
    if (dot >= 0 || thing < 0) this.passengers.followed = dot < 0 || dot === this.passengers.followed ? -1 : dot;
    else this.handles.seek?.((thing + 1) / this.trains - 1e-3);
  }

  /** What a handle is for. */
  at(x: number, y: number): string | null {
    if (!this.handles.turn || !this.picture) return null;
    if (isNear(this.period, x, y)) return `a train every ${this.picture.clock[1]}: drag`;
    return isNear(this.load, x, y) ? `of the seats ${this.picture.load_text}: drag` : null;
  }

  grip(x: number, y: number): Grip | null {
    const { turn } = this.handles;
    const { layout, picture } = this;
    if (!turn || !layout || !picture) return null;
    if (isNear(this.period, x, y)) {
      this.started ||= picture.period_s;
      const to = (place: number, _: number, isFinal: boolean) => {
        turn("period_s", this.started * Math.max(LEAST, place / this.periodEnd), isFinal);
        put(this.period, { cx: tenth(isFinal ? this.periodEnd : clamp(place, 0, layout.station.width)) });
        this.tell();
        if (isFinal) this.started = 0;
      };
      return { cursor: "ew-resize", isHandle: true, to };
    }
    if (!isNear(this.load, x, y)) return null;
    const [top, bottom] = [this.levelAt(0), this.levelAt(1)];
    const to = (_: number, place: number, isFinal: boolean) =>
      turn("load_fraction", clamp((place - top) / (bottom - top)), isFinal);
    return { cursor: "ns-resize", isHandle: true, to };
  }

  /** Seats are taken from the first row on: down to where that part of them is. */
  private levelAt(load: number): number {
    const { train, rows, pitch } = this.layout as Layout;
    return train.top + RIM + load * rows * pitch;
  }
}

function isNear(knob: SVGCircleElement, x: number, y: number): boolean {
  return Math.hypot(Number(knob.getAttribute("cx")) - x, Number(knob.getAttribute("cy")) - y) < NEAR;
}

/** Below the line of what is said of each train, that its numbers take. */
const LOGGED = 50;
