// Schedules that play: what each stage does when, how much of the time it idles, and what it keeps meanwhile.

import type { Measure } from "../chart/measure";
import { along, at, clamp, lastUpTo } from "../chart/numbers";
import { clipped, element, put, say } from "../chart/svg";
import type { Axes, Cells, Gantt, Played } from "../documents";
import type { Drawing } from "./drawing";

const HEADER = 26;
const GAP = 8;
const LEGEND = 22;
const AXIS = 40;
const LEFT = 22;
const SMALL = 12;
const FONT = 13;
const LARGE = 16;
/** Between a figure and the one of the moment. */
const SO_FAR = 14;
const LONGEST_SO_FAR = "100 % so far";
const NARROW = 560;
const MOST_ROW = 96;
const LAST = "var(--estimate)";
/** Seconds that a unit of time takes; and the least and most that all of it may. */
const PACE = 0.7;
const SHORTEST = 9;
const LONGEST = 16;

interface Row {
  bar: SVGRectElement;
  peak: SVGLineElement;
  number: SVGTextElement;
}

interface Band {
  played: Played;
  /** Its upper edge, and the height of a row. */
  upper: number;
  row: number;
  /** Of the time up to the playhead, and the most kept up to there. */
  idle: SVGTextElement;
  wasted: SVGRectElement;
  most: SVGTextElement | null;
  rows: Row[];
}

export class GanttDrawing implements Drawing<Gantt> {
  readonly svg = element("svg", { role: "img" });
  private readonly clip: SVGRectElement;
  private readonly legend = element("g");
  private readonly back = element("g");
  private readonly ahead = element("g", { opacity: 0.2 });
  private readonly done: SVGGElement;
  private readonly front = element("g");
  private readonly axis = element("g");
  private readonly head = element("line", { stroke: "var(--ink)", "stroke-width": 1.5 });
  private picture: Gantt | null = null;
  private caption = "";
  private measure: Measure = () => 0;
  private bands: Band[] = [];
  private left = LEFT;
  private right = 0;
  private bar = 0;
  private barLeft = 0;
  private most = 1;
  private isSmall = false;

  constructor() {
    this.svg.append(this.legend, this.back, this.ahead);
    const { clip, inside } = clipped(this.svg);
    [this.clip, this.done] = [clip, inside];
    this.svg.append(this.front, this.axis, this.head);
  }

  seconds(): number {
    return this.picture ? clamp(this.picture.end * PACE, SHORTEST, LONGEST) : 0;
  }

  show(picture: Gantt, axes: Axes): void {
    this.picture = picture;
    this.caption = axes.x.caption;
    this.most = Math.max(...picture.played.flatMap((one) => one.kept.map(({ peak }) => peak)));
  }

  fit(width: number, room: number, measure: Measure): number {
    const { picture } = this;
    if (!picture) return 0;
    this.measure = measure;
    this.isSmall = width < NARROW;
    this.barLeft = width - (picture.kept ? (this.isSmall ? 76 : 190) : 0);
    this.bar = Math.max(0, width - this.barLeft - (this.isSmall ? 4 : 34));
    this.right = this.barLeft - (picture.kept ? (this.isSmall ? 12 : 28) : 2);
    const legend = this.name(width);
    const count = picture.played.length;
    const fixed = legend + AXIS + count * (HEADER + GAP);
    const row = clamp((room - fixed) / count / picture.stages, picture.stages > 8 ? 2 : 8, MOST_ROW);
    for (const group of [this.back, this.ahead, this.done, this.front, this.axis]) group.replaceChildren();
    this.bands = picture.played.map((played, place) =>
      this.band(played, legend + place * (HEADER + GAP + row * picture.stages), row),
    );
    const bottom = legend + count * (HEADER + GAP + row * picture.stages) - GAP;
    this.rule(bottom);
    put(this.clip, { x: this.left, y: legend, height: bottom - legend });
    put(this.head, { y1: legend + HEADER - 6, y2: bottom + 6 });
    return bottom + AXIS;
  }

  draw(fraction: number): void {
    const { picture } = this;
    if (!picture) return;
    const time = fraction * picture.end;
    const x = this.x(time);
    put(this.clip, { width: Math.max(0, x - this.left) });
    put(this.head, { x1: x, x2: x, opacity: fraction < 1 ? 1 : 0 });
    for (const band of this.bands) this.drawBand(band, time);
  }

  at(x: number, y: number): string | null {
    const { picture } = this;
    const band = this.bands.find(({ upper, row }) => y >= upper && y < upper + row * (picture?.stages ?? 0));
    if (!(picture && band) || x < this.left || x > this.right) return null;
    const stage = Math.floor((y - band.upper) / band.row);
    return said(picture, band.played, stage, (picture.end * (x - this.left)) / (this.right - this.left));
  }

  now(fraction: number): string {
    return this.picture ? `t = ${clock(this.picture, fraction * this.picture.end)}` : "";
  }

  described(): string {
    const { picture } = this;
    if (!picture) return "";
    return `${picture.text}. ${picture.played.map((one) => `${one.name}: ${one.text}`).join("; ")}`;
  }

  private x(time: number): number {
    return this.left + ((this.right - this.left) * time) / (this.picture?.end ?? 1);
  }

  /** The parts of the work in their colours; as many lines as they need. */
  private name(width: number): number {
    this.legend.replaceChildren();
    const words: [string, string][] = [];
    for (const { cells } of this.picture?.played ?? [])
      for (const { part: name, colour } of cells)
        if (!words.some(([known]) => known === name)) words.push([name, `var(--${colour})`]);
    // The optimiser's step comes last in each row.
    if (this.picture?.kept) words.sort(([, one], [, other]) => Number(one === LAST) - Number(other === LAST));
    words.push(["idle", "var(--wrong)"]);
    if (this.picture?.kept) words.push([this.picture.kept, "var(--also)"]);
    let [x, y] = [0, 14];
    for (const [text, colour] of words) {
      const wide = this.measure(text, FONT, 600);
      if (x + wide > width) [x, y] = [0, y + 20];
      this.legend.append(element("text", { x, y, fill: colour, "font-size": FONT, "font-weight": 600 }, text));
      x += wide + 18;
    }
    return y + LEGEND - 14;
  }

  private band(played: Played, top: number, row: number): Band {
    const upper = top + HEADER;
    const stages = this.picture?.stages ?? 0;
    const wide = this.right - this.left;
    this.front.append(
      element("text", { x: 0, y: top + 18, "font-size": LARGE, "font-weight": 600, fill: "var(--ink)" }, played.name),
    );
    const y = top + 18;
    const all = played.idle_text;
    const whole = { y, "font-size": LARGE, "font-weight": 600 };
    this.front.append(element("text", { ...whole, x: this.right, "text-anchor": "end", fill: "var(--wrong)" }, all));
    const free = this.right - this.measure(all, LARGE, 600) - SO_FAR;
    const idle = this.soFar(free, y);
    // Where both cannot stand on the line, the end is what counts.
    const isRoom = this.measure(played.name, LARGE, 600) + SO_FAR + this.measure(LONGEST_SO_FAR, SMALL) < free;
    put(idle, { display: isRoom ? "inline" : "none" });
    const most = played.kept.length ? this.nameKept(played, y) : null;
    const wasted = element("rect", { x: this.left, y: upper, height: row * stages, fill: "var(--wrong)", opacity: 0.16 });
    this.back.append(
      element("rect", { x: this.left, y: upper, width: wide, height: row * stages, fill: "var(--beyond)" }),
      wasted,
    );
    for (const cells of played.cells) this.drawCells(cells, upper, row);
    for (let stage = 0; stage < stages; stage++) this.number(stage, upper + stage * row, row);
    const rows = played.kept.map((_, stage) => this.row(upper + stage * row, row));
    return { played, upper, row, idle, wasted, most, rows };
  }

  /** The most that any stage keeps; beside it, where there is room, the most up to the playhead. */
  private nameKept({ kept }: Played, y: number): SVGTextElement | null {
    const text = `${this.isSmall ? "" : "keeps "}at most ${Math.max(...kept.map((one) => one.peak))}`;
    const bold = { x: this.barLeft, y, "font-size": FONT, "font-weight": 600, fill: "var(--also)" };
    this.front.append(element("text", bold, text));
    return this.isSmall ? null : this.soFar(this.barLeft + this.bar, y);
  }

  /** What holds up to the playhead, in grey beside what holds at the end. */
  private soFar(x: number, y: number): SVGTextElement {
    const text = element("text", { x, y, "font-size": SMALL, "text-anchor": "end", fill: "var(--muted)" });
    this.front.append(text);
    return text;
  }

  /** One part of the work in all stages: faint ahead of the playhead, and in full behind it. */
  private drawCells(cells: Cells, upper: number, row: number): void {
    const seam = seamOf(row);
    const path: string[] = [];
    cells.rows.forEach((stage, place) => {
      const [from, to] = [this.x(at(cells.starts, place)), this.x(at(cells.ends, place))];
      const gap = to - from > 5 ? 1 : to - from > 2.5 ? 0.5 : 0;
      path.push(
        `M${from.toFixed(2)} ${upper + stage * row + seam / 2}H${(to - gap).toFixed(2)}v${row - seam}H${from.toFixed(2)}z`,
      );
    });
    const d = path.join("");
    for (const group of [this.ahead, this.done]) group.append(element("path", { d, fill: `var(--${cells.colour})` }));
    cells.numbers.forEach((number, place) => {
      const [from, to] = [this.x(at(cells.starts, place)), this.x(at(cells.ends, place))];
      if (row < 15 || to - from < this.measure(String(number), SMALL) + 4) return;
      const y = upper + (at(cells.rows, place) + 0.5) * row + 4;
      this.done.append(
        element(
          "text",
          { x: (from + to - 1) / 2, y, "font-size": SMALL, "text-anchor": "middle", fill: "var(--background)" },
          String(number),
        ),
      );
    });
  }

  private number(stage: number, y: number, row: number): void {
    const every = Math.ceil(13 / row);
    if (stage % every === 0 || row > 12)
      this.front.append(
        element(
          "text",
          { x: this.left - 6, y: y + row / 2 + 4, "font-size": SMALL, "text-anchor": "end", fill: "var(--muted)" },
          String(stage + 1),
        ),
      );
  }

  /** The bar of what a stage keeps. */
  private row(y: number, row: number): Row {
    const seam = seamOf(row);
    this.back.append(
      element("rect", { x: this.barLeft, y: y + seam / 2, width: this.bar, height: row - seam, fill: "var(--beyond)" }),
    );
    const bar = element("rect", { x: this.barLeft, y: y + seam / 2, width: 0, height: row - seam, fill: "var(--also)" });
    const peak = element("line", { y1: y + seam / 2, y2: y + row - seam / 2, stroke: "var(--also)", "stroke-width": 2 });
    const number = element("text", {
      x: this.barLeft + this.bar + 6,
      y: y + row / 2 + 4,
      "font-size": SMALL,
      fill: "var(--ink)",
    });
    this.front.append(bar, peak);
    if (row > 12 && !this.isSmall) this.front.append(number);
    return { bar, peak, number };
  }

  private rule(bottom: number): void {
    for (const { at, text } of this.picture?.ticks ?? []) {
      const x = this.x(at);
      this.axis.append(element("line", { x1: x, x2: x, y1: bottom + 3, y2: bottom + 8, stroke: "var(--muted)" }));
      this.axis.append(
        element(
          "text",
          { x, y: bottom + 21, "font-size": SMALL, "text-anchor": at ? "middle" : "start", fill: "var(--muted)" },
          text,
        ),
      );
    }
    this.axis.append(
      element("text", { x: this.left, y: bottom + 36, "font-size": SMALL, fill: "var(--muted)" }, `${this.caption} →`),
    );
  }

  private drawBand({ played, idle, wasted, most, rows }: Band, time: number): void {
    const until = Math.min(time, played.span);
    const stages = this.picture?.stages ?? 1;
    const idled = along(played.idle_at, played.idle)(until);
    const isOver = time >= (this.picture?.end ?? 0);
    say(idle, until > 0 && !isOver ? `${((100 * idled) / stages / until).toFixed(0)} % so far` : "");
    put(wasted, { width: Math.max(0, this.x(until) - this.left) });
    let highest = 0;
    rows.forEach((row, stage) => {
      const { at: changes, level } = at(played.kept, stage);
      const last = lastUpTo(changes, time);
      const present = level[last] ?? 0;
      let peak = 0;
      for (let change = 0; change <= last; change++) peak = Math.max(peak, at(level, change));
      highest = Math.max(highest, peak);
      const x = this.barLeft + (this.bar * peak) / this.most;
      put(row.bar, { width: (this.bar * present) / this.most });
      put(row.peak, { x1: x - 1, x2: x - 1, opacity: peak ? 1 : 0 });
      say(row.number, String(present));
    });
    if (most) say(most, highest && !isOver ? `${highest} so far` : "");
  }
}

/** Between the bars of two rows, in pixels. */
function seamOf(row: number): number {
  return row > 10 ? 2 : 1;
}

/** A time as the clock shows it. */
function clock({ clock_per_unit, clock_digits, clock_unit }: Gantt, time: number): string {
  return `${(time * clock_per_unit).toFixed(clock_digits)} ${clock_unit}`.trim();
}

/** What a stage does at a time. */
function said(picture: Gantt, { cells, span }: Played, stage: number, time: number): string | null {
  for (const { part: name, rows, starts, ends, numbers } of cells)
    for (const [cell, row] of rows.entries()) {
      const [start, end] = [at(starts, cell), at(ends, cell)];
      if (row !== stage || time < start || time >= end) continue;
      const number = numbers.length ? `, batch ${at(numbers, cell)}` : "";
      return `stage ${stage + 1}: ${name}${number}, ${clock(picture, start)} to ${clock(picture, end)}`;
    }
  return time < span ? `stage ${stage + 1}: idle` : null;
}
