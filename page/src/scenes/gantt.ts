// Schedules that play: what each stage does when, how much of the time it idles, and what it keeps meanwhile.

import type { Axes, Gantt, Played } from "../documents";
import { clamped, type Drawing, lastUpTo, measured, mixed, part, set, write } from "./drawing";

const HEADER = 30;
const GAP = 18;
const LEGEND = 30;
const AXIS = 44;
const LEFT = 22;
const SMALL = 12;
const FONT = 13;
const LARGE = 16;
const NARROW = 560;
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
  top: number;
  idle: SVGTextElement;
  wasted: SVGRectElement;
  most: SVGTextElement;
  rows: Row[];
}

let drawings = 0;

export class GanttDrawing implements Drawing<Gantt> {
  readonly svg = part("svg", { role: "img" });
  private readonly clip = part("rect", { x: 0, y: 0, width: 0, height: 0 });
  private readonly legend = part("g");
  private readonly back = part("g");
  private readonly ahead = part("g", { opacity: 0.2 });
  private readonly done = part("g");
  private readonly front = part("g");
  private readonly axis = part("g");
  private readonly head = part("line", { stroke: "var(--ink)", "stroke-width": 1.5 });
  private picture: Gantt | null = null;
  private axes: Axes | null = null;
  private bands: Band[] = [];
  private left = LEFT;
  private right = 0;
  private bar = 0;
  private barLeft = 0;
  private most = 1;
  private isSmall = false;

  constructor() {
    const id = `gantt-${++drawings}`;
    this.done.setAttribute("clip-path", `url(#${id})`);
    this.svg.append(part("defs", {}, part("clipPath", { id }, this.clip)));
    this.svg.append(this.legend, this.back, this.ahead, this.done, this.front, this.axis, this.head);
  }

  seconds(): number {
    return this.picture ? clamped(this.picture.end * PACE, SHORTEST, LONGEST) : 0;
  }

  show(picture: Gantt, axes: Axes): void {
    this.picture = picture;
    this.axes = axes;
    this.most = Math.max(...picture.played.flatMap((one) => one.kept.map(({ peak }) => peak)));
  }

  fit(width: number, room: number): number {
    const { picture } = this;
    if (!picture) return 0;
    this.isSmall = width < NARROW;
    this.barLeft = width - (this.isSmall ? 76 : 190);
    this.bar = width - this.barLeft - (this.isSmall ? 4 : 34);
    this.right = this.barLeft - (this.isSmall ? 12 : 28);
    const legend = this.name(width);
    const count = picture.played.length;
    const fixed = legend + AXIS + count * (HEADER + GAP);
    const row = clamped(
      Math.floor((room - fixed) / count / picture.stages),
      picture.stages > 8 ? 6 : 18,
      picture.stages > 8 ? 14 : 26,
    );
    for (const group of [this.back, this.ahead, this.done, this.front, this.axis]) group.replaceChildren();
    this.bands = picture.played.map((played, place) =>
      this.band(played, legend + place * (HEADER + GAP + row * picture.stages), row),
    );
    const bottom = legend + count * (HEADER + GAP + row * picture.stages) - GAP;
    this.rule(bottom);
    set(this.clip, { x: this.left, y: legend, height: bottom - legend });
    set(this.head, { y1: legend + HEADER - 6, y2: bottom + 6 });
    return bottom + AXIS;
  }

  draw(fraction: number): void {
    const { picture } = this;
    if (!picture) return;
    const time = fraction * picture.end;
    const x = this.x(time);
    set(this.clip, { width: Math.max(0, x - this.left) });
    set(this.head, { x1: x, x2: x, opacity: fraction < 1 ? 1 : 0 });
    for (const band of this.bands) this.drawBand(band, time);
  }

  now(fraction: number): string {
    return this.picture ? `t = ${(fraction * this.picture.end).toFixed(1)}` : "";
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
    words.sort(([, one], [, other]) => Number(one === LAST) - Number(other === LAST));
    words.push(["idle", "var(--wrong)"], [this.picture?.kept ?? "", "var(--also)"]);
    let [x, y] = [0, 14];
    for (const [text, colour] of words) {
      const wide = measured(text, FONT, 600);
      if (x + wide > width) [x, y] = [0, y + 20];
      this.legend.append(part("text", { x, y, fill: colour, "font-size": FONT, "font-weight": 600 }, text));
      x += wide + 18;
    }
    return y + LEGEND - 14;
  }

  private band(played: Played, top: number, row: number): Band {
    const upper = top + HEADER;
    const inside = row > 10 ? 2 : 1;
    const stages = this.picture?.stages ?? 0;
    const wide = this.right - this.left;
    this.front.append(
      part("text", { x: 0, y: top + 18, "font-size": LARGE, "font-weight": 600, fill: "var(--ink)" }, played.name),
    );
    const idle = part("text", {
      x: this.right,
      y: top + 18,
      "font-size": LARGE,
      "font-weight": 600,
      "text-anchor": "end",
      fill: "var(--wrong)",
    });
    const most = part("text", { x: this.barLeft, y: top + 18, "font-size": FONT, fill: "var(--also)" });
    const wasted = part("rect", { x: this.left, y: upper, height: row * stages, fill: "var(--wrong)", opacity: 0.16 });
    this.back.append(
      part("rect", { x: this.left, y: upper, width: wide, height: row * stages, fill: "var(--beyond)" }),
      wasted,
    );
    this.front.append(idle, most);
    for (const cells of played.cells) {
      const path: string[] = [];
      cells.rows.forEach((stage, place) => {
        const [from, to] = [this.x(cells.starts[place] as number), this.x(cells.ends[place] as number)];
        const gap = to - from > 5 ? 1 : to - from > 2.5 ? 0.5 : 0;
        path.push(
          `M${from.toFixed(2)} ${upper + stage * row + inside / 2}H${(to - gap).toFixed(2)}v${row - inside}H${from.toFixed(2)}z`,
        );
      });
      const d = path.join("");
      for (const group of [this.ahead, this.done]) group.append(part("path", { d, fill: `var(--${cells.colour})` }));
      cells.numbers.forEach((number, place) => {
        const [from, to] = [this.x(cells.starts[place] as number), this.x(cells.ends[place] as number)];
        if (row < 15 || to - from < measured(String(number), SMALL) + 4) return;
        const y = upper + ((cells.rows[place] as number) + 0.5) * row + 4;
        this.done.append(
          part(
            "text",
            { x: (from + to - 1) / 2, y, "font-size": SMALL, "text-anchor": "middle", fill: "var(--background)" },
            String(number),
          ),
        );
      });
    }
    const every = Math.ceil(13 / row);
    const rows = played.kept.map((_, stage): Row => {
      const y = upper + stage * row;
      if (stage % every === 0 || row > 12)
        this.front.append(
          part(
            "text",
            { x: this.left - 6, y: y + row / 2 + 4, "font-size": SMALL, "text-anchor": "end", fill: "var(--muted)" },
            String(stage + 1),
          ),
        );
      this.back.append(
        part("rect", { x: this.barLeft, y: y + inside / 2, width: this.bar, height: row - inside, fill: "var(--beyond)" }),
      );
      const bar = part("rect", { x: this.barLeft, y: y + inside / 2, width: 0, height: row - inside, fill: "var(--also)" });
      const peak = part("line", { y1: y + inside / 2, y2: y + row - inside / 2, stroke: "var(--also)", "stroke-width": 2 });
      const number = part("text", {
        x: this.barLeft + this.bar + 6,
        y: y + row / 2 + 4,
        "font-size": SMALL,
        fill: "var(--ink)",
      });
      this.front.append(bar, peak);
      if (row > 12 && !this.isSmall) this.front.append(number);
      return { bar, peak, number };
    });
    return { played, top, idle, wasted, most, rows };
  }

  private rule(bottom: number): void {
    const { picture, axes } = this;
    if (!picture || !axes) return;
    for (const { at, text } of picture.ticks) {
      const x = this.x(at);
      this.axis.append(part("line", { x1: x, x2: x, y1: bottom + 3, y2: bottom + 8, stroke: "var(--muted)" }));
      this.axis.append(
        part(
          "text",
          { x, y: bottom + 21, "font-size": SMALL, "text-anchor": at ? "middle" : "start", fill: "var(--muted)" },
          text,
        ),
      );
    }
    this.axis.append(
      part("text", { x: this.left, y: bottom + 38, "font-size": SMALL, fill: "var(--muted)" }, `${axes.x.caption} →`),
    );
  }

  private drawBand({ played, idle, wasted, most, rows }: Band, time: number): void {
    const until = Math.min(time, played.span);
    const stages = rows.length;
    const place = Math.max(0, lastUpTo(played.idle_at, until));
    const next = Math.min(place + 1, played.idle_at.length - 1);
    const [from, to] = [played.idle_at[place] as number, played.idle_at[next] as number];
    const along = to > from ? (until - from) / (to - from) : 0;
    const idled = mixed(played.idle[place] as number, played.idle[next] as number, along);
    write(idle, until > 0 ? `${((100 * idled) / stages / until).toFixed(0)} % idle` : "");
    set(wasted, { width: Math.max(0, this.x(until) - this.left) });
    let highest = 0;
    rows.forEach((row, stage) => {
      const { at, level } = played.kept[stage] as { at: number[]; level: number[] };
      const last = lastUpTo(at, time);
      const present = level[last] ?? 0;
      let peak = 0;
      for (let change = 0; change <= last; change++) peak = Math.max(peak, level[change] as number);
      highest = Math.max(highest, peak);
      const x = this.barLeft + (this.bar * peak) / this.most;
      set(row.bar, { width: (this.bar * present) / this.most });
      set(row.peak, { x1: x - 1, x2: x - 1, opacity: peak ? 1 : 0 });
      write(row.number, String(present));
    });
    write(most, highest ? `${this.isSmall ? "" : "kept "}at most ${highest}` : "");
  }
}
