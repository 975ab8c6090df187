// A decode pipeline as a ring: batches go round its stages, token after token; beside it the same over time.

import type { Measure } from "../chart/measure";
import { at, clamp, mixed } from "../chart/numbers";
import { element, matched, part, put, say, tenth } from "../chart/svg";
import type { Axes, Loop } from "../documents";
import { hatching } from "./bars";
import { type Spot, spots } from "./circling";
import type { Drawing, Handles } from "./drawing";
import { GanttDrawing } from "./gantt";
import type { Passes } from "./passes";
import type { Grip } from "./things";

const SMALL = 13;
const LARGE = 28;
const NARROW = 720;
/** Of the width, that the ring is wide where the time line stands beside it; of the height, where it stands below. */
const BESIDE = 0.42;
const ABOVE = 0.5;
/** Lower there is room for one below the other only if neither can be read; of the width of such a one, the ring's. */
const LOW = 290;
const SMALLER = 0.34;
const LEAST_SIDE = 150;
const MOST_SIDE = 560;
const GAP = 28;
/** Around the ring, for the numbers of stages. */
const NAMES = 17;
/** Between two stages, in pixels. */
const SEAM = 4;
/** Radius from which on a batch has its number in it. */
const ROOM_FOR_NUMBER = 8;
/** Between those who wait. */
const AIR = 3;

/** In the middle of the ring, as long as there is room for. */
const WORDS = ["stages idle now", "idle now", "idle"];

type Point = [number, number];

/** Of a ring in a square of a side: the radius of its outer edge, its width, and the radius of a batch; none where there is no room, as before a phone has laid its page out. */
export function ringIn(side: number, stages: number): { outer: number; wide: number; size: number } {
  const outer = Math.max(0, side / 2 - NAMES);
  const wide = clamp(0.28 * outer, Math.min(16, outer), 46);
  return { outer, wide, size: Math.min(0.36 * wide, (0.8 * Math.PI * (outer - wide / 2)) / stages) };
}

export class LoopDrawing implements Drawing<Loop> {
  readonly svg = element("svg", { role: "img" });
  private readonly names = element("g", { "font-size": SMALL, "text-anchor": "middle", fill: "var(--muted)" });
  private readonly stages = element("g", { fill: "none" });
  private readonly count = element("text", { "font-weight": 600, "text-anchor": "middle" });
  private readonly said = element("text", { "font-size": SMALL, "text-anchor": "middle", fill: "var(--muted)" });
  private readonly dots = element("g", { "text-anchor": "middle" });
  private readonly hatched = hatching(this.svg, true);
  private readonly gantt: GanttDrawing;
  readonly things: Passes;
  private picture: Loop | null = null;
  private measure: Measure = () => 0;
  private middle: Point = [0, 0];
  /** Radius of the ring's outer edge, its width, and the radius of a batch. */
  private outer = 1;
  private wide = 1;
  private size = 1;

  constructor(handles: Handles) {
    this.gantt = new GanttDrawing(handles);
    this.things = this.gantt.things;
    this.svg.append(this.names, this.stages, this.count, this.said, this.dots, this.gantt.svg);
    this.gantt.svg.removeAttribute("role"); // the ring says it all
  }

  seconds(): number {
    return this.gantt.seconds();
  }

  /** Once the ring is as full as it gets: what idles while it fills is not what the step tells of. */
  opens(): number {
    const { batches = [], gantt } = this.picture ?? {};
    const last = batches[Math.min(batches.length, gantt?.stages ?? 0) - 1];
    return last && gantt ? (at(last.starts, 0) + at(last.ends, 0)) / 2 / gantt.end : 0;
  }

  show(picture: Loop, axes: Axes): void {
    this.picture = picture;
    this.gantt.show(picture.gantt, axes);
  }

  fit(width: number, room: number, measure: Measure): number {
    const picture = this.picture;
    if (!picture) return 0;
    const isLow = width < NARROW && room < LOW;
    const isBeside = width >= NARROW || isLow;
    const side = isBeside
      ? Math.min((isLow ? SMALLER : BESIDE) * width, MOST_SIDE, room)
      : clamp(ABOVE * room, LEAST_SIDE, Math.min(width, MOST_SIDE));
    const left = isBeside ? side + (isLow ? GAP / 2 : GAP) : 0;
    const top = isBeside ? 0 : side + GAP / 2;
    this.gantt.corner = [left, top];
    const high = this.gantt.fit(width - left, room - top, measure);
    put(this.gantt.svg, { x: tenth(left), y: tenth(top), width: tenth(width - left), height: tenth(high) });
    const height = Math.max(side, top + high);
    this.middle = [isBeside ? side / 2 : width / 2, isBeside ? height / 2 : side / 2];
    const { stages } = picture.gantt;
    ({ outer: this.outer, wide: this.wide, size: this.size } = ringIn(side, stages));
    this.measure = measure;
    this.ring(stages, isBeside ? height : 0);
    matched(this.dots, picture.batches.length, () => {
      const group = element("g");
      part(group, "circle", { stroke: "var(--background)", "stroke-width": 1.5 });
      part(group, "text", { y: 4, "font-size": SMALL, fill: "var(--background)" });
      return group;
    }).forEach((group, batch) => {
      put(at(group.children, 0), { r: tenth(this.size) });
      say(at(group.children, 1), this.size >= ROOM_FOR_NUMBER ? String(batch) : "");
    });
    return height;
  }

  draw(fraction: number): void {
    const { picture } = this;
    if (!picture) return;
    this.gantt.draw(fraction);
    const { stages, end } = picture.gantt;
    const found = spots(picture.batches, stages, fraction * end);
    const busy = new Map<number, string>();
    found.forEach((spot, batch) => {
      const { visit, stage, inRing } = spot;
      const colour = `var(--${at(picture.colours, Math.floor(visit / stages) % picture.colours.length)})`;
      if (spot.part) busy.set(stage, colour);
      const [x, y] = this.place(spot, stages);
      const dot = at(this.dots.children, batch);
      put(dot, { transform: `translate(${tenth(x)} ${tenth(y)})`, opacity: inRing || spot.ahead < this.most ? 1 : 0 });
      put(at(dot.children, 0), { fill: colour });
    });
    [...this.stages.children].forEach((sector, stage) => {
      const colour = busy.get(stage);
      put(sector, { stroke: colour ?? this.hatched, "stroke-opacity": colour ? 0.22 : 1 });
    });
    const idle = stages - busy.size;
    say(this.count, `${idle} of ${stages}`);
    put(this.count, { fill: idle ? "var(--ink)" : "var(--muted)" });
  }

  at(x: number, y: number): string | null {
    return this.gantt.at(x, y);
  }

  grip(x: number, y: number): Grip | null {
    return this.gantt.grip(x, y);
  }

  now(fraction: number): string {
    return this.gantt.now(fraction);
  }

  described(): string {
    const { picture } = this;
    return picture ? `${picture.gantt.text}. ${picture.text}` : "";
  }

  /** Radius on which batches go round. */
  private get onRing(): number {
    return this.outer - this.wide / 2;
  }

  /** As many as have room on the lane inside the ring. */
  private get most(): number {
    return Math.floor((2 * Math.PI * this.lane) / this.apart) - 1;
  }

  private get lane(): number {
    return this.outer - this.wide - this.size - AIR;
  }

  private get apart(): number {
    return 2 * this.size + AIR;
  }

  /** Stages clockwise, the first from the top on; and in the middle how many of them idle. */
  private ring(stages: number, height: number): void {
    const [x, y] = this.middle;
    const seam = Math.min(SEAM / this.onRing, 1 / stages);
    matched(this.stages, stages, () => element("path")).forEach((sector, stage) => {
      const [from, to] = [stage, stage + 1].map((each) => (2 * Math.PI * each) / stages) as Point;
      const [start, end] = [this.round(from + seam / 2, this.onRing), this.round(to - seam / 2, this.onRing)];
      const radius = tenth(this.onRing);
      const isLong = to - from > Math.PI ? 1 : 0;
      put(sector, {
        d: `M${start.map(tenth).join(" ")}A${radius} ${radius} 0 ${isLong} 1 ${end.map(tenth).join(" ")}`,
        "stroke-width": tenth(this.wide),
      });
    });
    matched(this.names, stages, () => element("text")).forEach((name, stage) => {
      const [across, down] = this.round((2 * Math.PI * (stage + 0.5)) / stages, this.outer + 9);
      put(name, { x: tenth(across), y: tenth(down + 4) });
      say(name, String(stage + 1));
    });
    // Inside those who wait: the number as large as there is room for, its words where they have some below it.
    const free = this.lane - this.size - AIR;
    const large = this.measure(`${stages} of ${stages}`, LARGE, 600);
    const fits = (LARGE * 2 * free) / large;
    const size = clamp(fits, SMALL, LARGE);
    const below = 8 + (10 * size) / LARGE;
    // In a ring too small for it, batches would cover it: it stands under the ring, where a time line beside leaves room.
    const under = y + 4 + this.outer + NAMES + SMALL;
    const isUnder = fits < SMALL && under + below + 4 <= height;
    const line = isUnder ? under : y + 4;
    put(this.count, { x: tenth(x), y: tenth(line), "font-size": tenth(size) });
    put(this.said, { x: tenth(x), y: tenth(line + below) });
    const room = isUnder ? 2 * x : 2 * Math.sqrt(Math.max(0, free ** 2 - (below + 4) ** 2));
    say(this.said, WORDS.find((words) => this.measure(words, SMALL) < room) ?? "");
  }

  private place({ stage, part, inRing, ahead }: Spot, stages: number): Point {
    const gate = (2 * Math.PI * stage) / stages;
    const ring = this.round(gate + (2 * Math.PI * part) / stages, this.onRing);
    if (inRing === 1) return ring;
    const queue = this.round(gate - ((ahead + 0.5) * this.apart) / this.lane, this.lane);
    return [mixed(queue[0], ring[0], inRing), mixed(queue[1], ring[1], inRing)];
  }

  /** A point at an angle from the top, clockwise. */
  private round(angle: number, radius: number): Point {
    return [at(this.middle, 0) + radius * Math.sin(angle), at(this.middle, 1) - radius * Math.cos(angle)];
  }
}
