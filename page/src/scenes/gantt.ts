// Schedules that play: what each stage does when, how much of the time it idles, and what it keeps meanwhile.

import type { Measure } from "../chart/measure";
import { at, clamp } from "../chart/numbers";
import { clipped, element, halo, put } from "../chart/svg";
import type { Axes, Cells, Gantt, Played } from "../documents";
import { hatching } from "./bars";
import type { Drawing, Handles } from "./drawing";
import { KEPT, KeptBar } from "./kept";
import { Passes } from "./passes";
import { type Grip, press } from "./things";
import { AXIS, TimeAxis } from "./timeaxis";

const HEADER = 26;
const GAP = 8;
const LEGEND = 22;
const LEFT = 22;
const SMALL = 13;
const FONT = 14;
const LARGE = 16;
const NARROW = 560;
/** Of the legend: side of what is drawn, the air before its words, and the next one. */
const SWATCH = 11;
const AIR = 5;
const APART = 16;
const MOST_ROW = 120;
/** In lower rows batches have smaller numbers, and then none. */
const NUMBERED = 15;
const LEAST_NUMBERED = 11;
const SMALLEST = 11;
const LAST = "optimiser";
/** Seconds that a unit of time takes; and the least and most that all of it may. */
const PACE = 0.7;
const SHORTEST = 9;
const LONGEST = 16;

interface Band {
  played: Played;
  /** Its upper edge, and the height of a row. */
  upper: number;
  row: number;
  wasted: SVGRectElement;
  bars: KeptBar[];
}

export class GanttDrawing implements Drawing<Gantt> {
  readonly svg = element("svg", { role: "img" });
  private readonly clip: SVGRectElement;
  private readonly legend = element("g");
  private readonly back = element("g");
  private readonly ahead = element("g");
  private readonly hatched = hatching(this.svg, true);
  private readonly done: SVGGElement;
  private readonly front = element("g");
  private readonly axis = new TimeAxis();
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
  /** Of the drawing, in one that it is part of. */
  corner: readonly [number, number] = [0, 0];
  readonly things = new Passes();

  constructor(private readonly handles: Handles = {}) {
    this.svg.append(this.legend, this.back, this.ahead);
    const { clip, inside } = clipped(this.svg);
    [this.clip, this.done] = [clip, inside];
    // The hand of time passes behind the words above a band.
    this.svg.append(this.things.group, this.axis.group, this.front);
  }

  seconds(): number {
    return this.picture ? clamp(this.picture.end * PACE, SHORTEST, LONGEST) : 0;
  }

  show(picture: Gantt, axes: Axes): void {
    this.picture = picture;
    this.caption = axes.x.caption;
    this.things.show(picture);
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
    const row = clamp((room - fixed) / count / picture.stages, picture.stages > 6 ? 2 : 5, MOST_ROW);
    for (const group of [this.back, this.ahead, this.done, this.front]) group.replaceChildren();
    this.bands = picture.played.map((played, place) =>
      this.band(played, legend + place * (HEADER + GAP + row * picture.stages), row),
    );
    const bottom = legend + count * (HEADER + GAP + row * picture.stages) - GAP;
    const lies = { left: this.left, right: this.right, top: legend + HEADER - 6, bottom, x: (time: number) => this.x(time) };
    const hint = `${press()} a ${this.things.batch}`;
    this.axis.fit(lies, picture.ticks, this.caption, [`drag the time, ${hint} to follow it`, hint], measure);
    put(this.clip, { x: this.left, y: legend, height: bottom - legend });
    this.things.fit(this.bands, { x: (time) => this.x(time), corner: this.corner, clock: (time) => clock(picture, time) });
    return bottom + AXIS;
  }

  draw(fraction: number): void {
    const { picture } = this;
    if (!picture) return;
    const time = fraction * picture.end;
    const x = this.x(time);
    put(this.clip, { width: Math.max(0, x - this.left) });
    this.axis.draw(x, fraction >= 1, this.things.isUsed);
    for (const band of this.bands) this.drawBand(band, time);
  }

  /** Where a stage idles; its passes are told as things. */
  at(x: number, y: number): string | null {
    const [across, down] = [x - this.corner[0], y - this.corner[1]];
    const { picture } = this;
    const band = this.bands.find(({ upper, row }) => down >= upper && down < upper + row * (picture?.stages ?? 0));
    if (!(picture && band) || across < this.left || across > this.right) return null;
    const time = (picture.end * (across - this.left)) / (this.right - this.left);
    return time < band.played.span ? `stage ${Math.floor((down - band.upper) / band.row) + 1}: idle` : null;
  }

  /** The playhead; and the moment anywhere on the axis of time. */
  grip(x: number, y: number): Grip | null {
    const { seek } = this.handles;
    const [across, down] = [x - this.corner[0], y - this.corner[1]];
    if (!seek || !this.axis.has(across, down)) return null;
    const to = (place: number) => seek(clamp((place - this.corner[0] - this.left) / (this.right - this.left)));
    return { cursor: "ew-resize", isHandle: this.axis.isHandle(across, down), to };
  }

  now(fraction: number): string {
    return this.picture ? `t = ${clock(this.picture, fraction * this.picture.end)}` : "";
  }

  described(): string {
    const { picture } = this;
    if (!picture) return "";
    return `${picture.text}. ${picture.played.map((one) => `${one.name}: ${one.text}`).join("; ")}`;
  }

  /** Of a stage in the first schedule. */
  rowOf(stage: number): { top: number; height: number } {
    const { upper, row } = this.bands[0] ?? { upper: 0, row: 0 };
    return { top: upper + stage * row, height: row };
  }

  x(time: number): number {
    return this.left + ((this.right - this.left) * time) / (this.picture?.end ?? 1);
  }

  /** The parts of the work in their colours; as many lines as they need. */
  private name(width: number): number {
    this.legend.replaceChildren();
    // A backward pass has the colour of the part of it that a split one does first.
    const named = new Map<string, Set<string>>();
    for (const { cells } of this.picture?.played ?? [])
      for (const { part: name, colour } of cells) named.set(colour, (named.get(colour) ?? new Set()).add(name));
    const words = [...named].map(([colour, names]): [string, string] => [[...names].join(" or "), `var(--${colour})`]);
    // The optimiser's step comes last in each row.
    if (this.picture?.kept) words.sort(([one], [other]) => Number(one === LAST) - Number(other === LAST));
    words.push(["idle", this.hatched]);
    if (this.picture?.kept) words.push([this.picture.kept, `var(--${KEPT})`]);
    // Each in the first line that has room for it.
    const ends = [0];
    const size = this.isSmall ? SMALL : FONT;
    for (const [text, fill] of words) {
      const wide = SWATCH + AIR + this.measure(text, size);
      const free = ends.findIndex((end) => end + wide <= width);
      const line = free < 0 ? ends.length : free;
      const [x, y] = [ends[line] ?? 0, 14 + 20 * line];
      this.legend.append(
        element("rect", { x, y: y - SWATCH + 1, width: SWATCH, height: SWATCH, fill }),
        element("text", { x: x + SWATCH + AIR, y, fill: "var(--ink)", "font-size": size }, text),
      );
      ends[line] = x + wide + APART;
    }
    return 20 * (ends.length - 1) + LEGEND;
  }

  private band(played: Played, top: number, row: number): Band {
    const upper = top + HEADER;
    const stages = this.picture?.stages ?? 0;
    const y = top + 18;
    const all = played.idle_text;
    // Where both have no room what comes of it is said; what it is called stands at its slider, too.
    const isNamed = this.measure(played.name, LARGE, 600) + GAP + this.measure(all, LARGE, 600) < this.right;
    this.front.append(
      element("text", { x: 0, y, "font-size": LARGE, "font-weight": 600, fill: "var(--ink)" }, isNamed ? played.name : ""),
    );
    const whole = { y, "font-size": LARGE, "font-weight": 600, ...halo() };
    this.front.append(element("text", { ...whole, x: this.right, "text-anchor": "end", fill: "var(--ink)" }, all));
    if (played.kept.length) this.nameKept(played, y);
    // What is asked has its place.
    if (!played.cells.length) {
      const wide = { x: this.left, width: this.right - this.left, y: upper, height: row * stages };
      this.back.append(element("rect", { ...wide, fill: "none", stroke: "var(--line)", "stroke-dasharray": 4 }));
    }
    const wasted = element("rect", { x: this.left, y: upper, height: row * stages, fill: this.hatched });
    this.back.append(wasted);
    for (const cells of played.cells) this.drawCells(cells, upper, row);
    for (let stage = 0; stage < stages; stage++) this.number(stage, upper + stage * row, row);
    const seam = seamOf(row);
    const bars = played.kept.map((_, stage) => {
      const place = { left: this.barLeft, width: this.bar, y: upper + stage * row + seam / 2, height: row - seam };
      return new KeptBar(this.back, this.front, { ...place, most: this.most }, row > 12 && !this.isSmall);
    });
    return { played, upper, row, wasted, bars };
  }

  /** The most that any stage keeps. */
  private nameKept({ kept }: Played, y: number): void {
    const text = `${this.isSmall ? "" : "keeps "}at most ${Math.max(...kept.map((one) => one.peak))}`;
    const bold = { x: this.barLeft, y, "font-size": FONT, "font-weight": 600, fill: `var(--${KEPT})` };
    this.front.append(element("text", bold, text));
  }

  /** One part of the work in all stages: faint ahead of the playhead, and in full behind it. */
  private drawCells(cells: Cells, upper: number, row: number): void {
    const seam = seamOf(row);
    const [path, places]: [string[], string[]] = [[], []];
    cells.rows.forEach((stage, place) => {
      const [from, to] = [this.x(at(cells.starts, place)), this.x(at(cells.ends, place))];
      const gap = to - from > 5 ? 1 : to - from > 2.5 ? 0.5 : 0;
      places.push(`M${from.toFixed(2)} ${upper + stage * row}H${to.toFixed(2)}v${row}H${from.toFixed(2)}z`);
      path.push(
        `M${from.toFixed(2)} ${upper + stage * row + seam / 2}H${(to - gap).toFixed(2)}v${row - seam}H${from.toFixed(2)}z`,
      );
    });
    const d = path.join("");
    const fill = `var(--${cells.colour})`;
    // Between them no hatching is seen.
    this.ahead.append(element("path", { d: places.join(""), fill: "var(--background)", "fill-opacity": 1 }));
    this.done.append(element("path", { d, fill }));
    // Pale in its own colour, whatever the style sheet does with this; and outlined.
    this.ahead.append(
      element("path", { d, fill, stroke: row > 12 ? fill : "none", "fill-opacity": 0.22, "stroke-opacity": 0.6 }),
    );
    const size = row < NUMBERED ? SMALLEST : SMALL;
    cells.numbers.forEach((number, place) => {
      const [from, to] = [this.x(at(cells.starts, place)), this.x(at(cells.ends, place))];
      if (row < LEAST_NUMBERED || to - from < this.measure(String(number), SMALL) + 4) return;
      const y = upper + (at(cells.rows, place) + 0.5) * row + 0.31 * size;
      this.done.append(
        element(
          "text",
          { x: (from + to - 1) / 2, y, "font-size": size, "text-anchor": "middle", fill: "var(--background)" },
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

  private drawBand({ played, wasted, bars }: Band, time: number): void {
    put(wasted, { width: Math.max(0, this.x(Math.min(time, played.span)) - this.left) });
    bars.forEach((bar, stage) => {
      bar.draw(at(played.kept, stage), time);
    });
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
