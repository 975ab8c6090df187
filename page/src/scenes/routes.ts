// Ways through a drawing, one after another: what is reached works, and what has been reached stays warm.

import { type Measure, wrapped } from "../chart/measure";
import { at, clamp } from "../chart/numbers";
import { element, matched, put, say, tenth, write } from "../chart/svg";
import type { Axes, Cable, Leg, Route, Routes } from "../documents";
import { type Drawing, eased, type Handles } from "./drawing";
import { Paths } from "./paths";
import { Schematic } from "./schematic";
import { press } from "./things";

const SECONDS_PER_LEG = 1.1;
/** All of them at most. */
const LONGEST = 18;
/** For the words above, on whose line the switch of modes stands; of a second line, where they need one. */
const HEAD = 34;
const LINE = 18;
const BETWEEN = 10;
/** By how much a drawing comes nearer to words of several lines, on the smallest screens. */
const CLOSER = 8;
const FONT = 14;
const LEAST_HIGH = 120;
const MOST_HIGH = 700;
/** Of a leg: until then things move, then what they reached works. */
const MOVES = 0.72;
/** A pulse, in pixels. */
const PULSE = 4.5;
/** How opaque boxes are that do not work. */
const AT_REST = 0.28;
/** How warm a box is that an earlier way has reached. */
const WARM = 0.35;
const REACHED = 0.85;

export class RoutesDrawing implements Drawing<Routes> {
  readonly svg = element("svg", { role: "img" });
  private readonly body = element("g", { "font-size": 12 });
  private readonly ways = element("g", { fill: "none" });
  private readonly lit = element("g");
  private readonly pulses = element("g", { stroke: "var(--background)", "stroke-width": 1.5 });
  private readonly name = element("text", { x: 0, y: LINE, "font-size": FONT, fill: "var(--muted)" });
  private readonly what = element("g", { "font-size": FONT, "font-weight": 600, fill: "var(--ink)" });
  private measure: Measure = () => 0;
  private readonly painter = new Schematic(this.body, AT_REST);
  private picture: Routes | null = null;
  private readonly lowered = element("g");
  private readonly moving = element("g");
  private readonly hint = element("text", { "font-size": FONT - 1, fill: "var(--muted)" });
  private readonly total = element("text", {
    "font-size": FONT,
    "font-weight": 600,
    "text-anchor": "end",
    fill: "var(--links)",
  });
  readonly things: Paths;
  private fraction = 0;
  private isOneLine = true;
  private head = HEAD;
  private width = 0;

  constructor(handles: Handles) {
    // What was taken takes the place of what is played.
    this.things = new Paths(() => handles.seek?.(this.fraction));
    this.moving.append(this.ways, this.lit, this.pulses);
    this.lowered.append(this.body, this.moving, this.things.group);
    this.svg.append(this.name, this.what, this.hint, this.lowered, this.total);
  }

  seconds(): number {
    return Math.min(LONGEST, SECONDS_PER_LEG * this.legs);
  }

  show(picture: Routes, _: Axes): void {
    this.picture = picture;
  }

  fit(width: number, room: number, measure: Measure): number {
    const { picture } = this;
    if (!picture) return 0;
    this.measure = measure;
    this.isOneLine = picture.routes.every(({ name, legs }) =>
      legs.every(({ text }) => measure(name, FONT) + BETWEEN + measure(text, FONT, 600) < width),
    );
    const rows = picture.routes.flatMap(({ legs }) => legs.map(({ text }) => this.rowsOf(text, width).length));
    this.width = width;
    const count = Math.max(1, ...rows);
    this.head = HEAD + (this.isOneLine ? 0 : LINE * count - (count > 1 ? CLOSER : 0));
    put(this.total, { x: tenth(width), y: this.head + FONT + 4 });
    say(this.total, picture.total_text);
    put(this.lowered, { transform: `translate(0 ${this.head})` });
    const size = { width, height: clamp(room - this.head, LEAST_HIGH, MOST_HIGH) };
    this.painter.paint(picture.schematic, size);
    this.things.fit(picture, (box) => this.painter.boxAt(box), this.head);
    this.invite(picture, width);
    return this.head + size.height;
  }

  draw(fraction: number): void {
    const { picture } = this;
    this.fraction = fraction;
    if (!picture) return;
    const { shown } = this.things;
    put(this.moving, { display: shown ? "none" : "inline" });
    if (shown) {
      put(this.hint, { opacity: 0 });
      this.write(shown.name, shown.what);
      return;
    }
    const { number, leg, within } = this.moment(fraction);
    const route = at(picture.routes, number);
    this.write(route.name, at(route.legs, leg).text);
    this.drawWays(route, leg, within);
    this.light(picture.routes, number, leg, within);
  }

  at(x: number, y: number): string | null {
    return this.painter.at(x, y - this.head);
  }

  now(fraction: number): string {
    const { picture } = this;
    if (!picture) return "";
    const { number, leg } = this.moment(fraction);
    const route = at(picture.routes, number);
    return `${route.name}, ${leg + 1} of ${route.legs.length}`;
  }

  described(): string {
    const { picture } = this;
    if (!picture) return "";
    const legs = picture.routes[0]?.legs.map(({ text }) => text) ?? [];
    return [picture.text, ...legs].join(". ");
  }

  played(): void {
    if (this.things.shown) this.things.take(-1);
  }

  /** What goes where, and what happens on its way. */
  private write(name: string, what: string): void {
    say(this.name, name);
    const [x, y] = this.isOneLine ? [this.measure(name, FONT) + BETWEEN, LINE] : [0, 2 * LINE];
    put(this.what, { transform: `translate(${tenth(x)} ${y})` });
    write(this.what, this.isOneLine ? [what] : this.rowsOf(what, this.width), LINE, {});
  }

  private rowsOf(what: string, width: number): string[] {
    return wrapped(what, width, (text) => this.measure(text, FONT, 600));
  }

  /** Beside the longest words, or below them. */
  private invite({ nodes, routes }: Routes, width: number): void {
    const longest = Math.max(
      ...routes.flatMap(({ name, legs }) =>
        legs.map(({ text }) => this.measure(name, FONT) + BETWEEN + this.measure(text, FONT, 600)),
      ),
    );
    const left = longest + 3 * BETWEEN;
    const words = `${press()} two chips to see the way between them`;
    const isBeside = this.isOneLine && left + this.measure(words, FONT) < width;
    put(this.hint, isBeside ? { x: tenth(left), y: LINE } : { x: 0, y: this.head + FONT });
    say(this.hint, !nodes.length ? "" : isBeside ? words : `${press()} two chips`);
  }

  private get legs(): number {
    return (this.picture?.routes ?? []).reduce((sum, { legs }) => sum + legs.length, 0);
  }

  /** Which leg of which way it is, and how far along; at the end all of the last way. */
  private moment(fraction: number): { number: number; leg: number; within: number } {
    let along = fraction * this.legs;
    const routes = this.picture?.routes ?? [];
    for (const [number, { legs }] of routes.entries()) {
      if (along < legs.length || number === routes.length - 1) {
        const leg = Math.min(Math.floor(along), legs.length - 1);
        return { number, leg, within: Math.min(1, along - leg) };
      }
      along -= legs.length;
    }
    return { number: 0, leg: 0, within: 0 };
  }

  /** The legs so far, and what moves along the present one. */
  private drawWays({ legs }: Route, leg: number, within: number): void {
    const gone = legs.slice(0, leg).flatMap(({ cables }) => cables);
    const { cables } = at(legs, leg);
    const along = eased(within, 0, MOVES);
    const lines = matched(this.ways, gone.length + cables.length, () => element("path", { "stroke-width": 1.8 }));
    [...gone, ...cables].forEach((cable, place) => {
      const part = place < gone.length ? 1 : along;
      const [x, y] = this.point(cable, 0);
      const [toX, toY] = this.point(cable, part);
      put(at(lines, place), {
        d: `M${tenth(x)} ${tenth(y)}L${tenth(toX)} ${tenth(toY)}`,
        stroke: `var(--${cable.colour})`,
        "stroke-opacity": place < gone.length ? 0.45 : 0.9,
      });
    });
    matched(this.pulses, cables.length, () => element("circle")).forEach((pulse, place) => {
      const cable = at(cables, place);
      const [x, y] = this.point(cable, along);
      put(pulse, {
        cx: tenth(x),
        cy: tenth(y),
        r: along < 1 ? PULSE : 0,
        fill: `var(--${cable.colour})`,
      });
    });
  }

  /** What works now, around its words where it has some, or its frame; of other boxes also what was reached before, more faintly. */
  private light(routes: readonly Route[], number: number, leg: number, within: number): void {
    const warm = new Map<number, number>();
    const boxOf = (box: number) => at(this.picture?.schematic.boxes ?? [], box);
    const stay = (legs: readonly Leg[], heat: number, isNow: boolean) => {
      for (const box of legs.flatMap(({ boxes }) => boxes))
        if (!boxOf(box).text && (isNow || !boxOf(box).is_frame)) warm.set(box, heat);
    };
    for (const { legs } of routes.slice(0, number)) stay(legs, WARM, false);
    const { legs } = at(routes, number);
    stay(legs.slice(0, leg), REACHED, true);
    const reached = eased(within, MOVES * 0.9, MOVES);
    for (const box of at(legs, leg).boxes) warm.set(box, Math.max(warm.get(box) ?? 0, reached));
    const boxes = [...warm];
    matched(this.lit, boxes.length, () => element("rect", { rx: 2 })).forEach((rect, place) => {
      const [box, heat] = at(boxes, place);
      const { x, y, width, height } = this.painter.boxAt(box);
      const { text, is_frame: isFrame } = boxOf(box);
      const stroke = isFrame ? "ink" : text ? "compute" : null;
      put(rect, {
        x: tenth(x - 1.5),
        y: tenth(y - 1.5),
        width: tenth(width + 3),
        height: tenth(height + 3),
        fill: stroke ? "none" : "var(--compute)",
        stroke: stroke ? `var(--${stroke})` : "none",
        "stroke-width": stroke ? (isFrame ? 2 : 3) : 0,
        opacity: heat.toFixed(2),
      });
    });
  }

  private point({ x, y, to_x, to_y }: Cable, part: number): [number, number] {
    return this.painter.placeOf(x + (to_x - x) * part, y + (to_y - y) * part);
  }
}
