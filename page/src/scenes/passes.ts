// The passes of schedules as what a hand points at: a micro-batch is followed through all stages, in every schedule.

import type { Said } from "../chart/readout";
import { element, tenth } from "../chart/svg";
import type { Colour, Gantt } from "../documents";
import { KEPT } from "./kept";
import type { Box, Things } from "./things";

/** Of a row's height, that what is kept takes, and how high it is at most. */
const KEPT_PART = 0.22;
const MOST_KEPT = 5;
/** Width of a pass from which on it has its number in it. */
const ROOM_FOR_NUMBER = 18;
const NOTHING: Said = { title: "", columns: [], rows: [] };

/** A schedule on the paper. */
interface Band {
  upper: number;
  row: number;
}

/** A pass of a micro-batch through a stage. */
interface Pass {
  band: number;
  part: string;
  colour: Colour;
  stage: number;
  start: number;
  end: number;
  number: number;
}

/** Where times and stages lie. */
export interface Ruler {
  x: (time: number) => number;
  corner: readonly [number, number];
  clock: (time: number) => string;
}

export class Passes implements Things {
  /** Over the passes: the others fainter, those of one micro-batch in full, and the way that it takes. */
  readonly group = element("g", { "pointer-events": "none" });
  private all: Pass[] = [];
  private bands: readonly Band[] = [];
  /** When the last pass of each schedule ends. */
  private ends: number[] = [];
  private kept = "";
  private numbered = "";
  private stages = 0;
  private ruler: Ruler = { x: () => 0, corner: [0, 0], clock: () => "" };
  private pointed = -1;
  private number = -1;
  private drawn = -1;
  /** Whether a hand knows what it can do here. */
  isUsed = false;

  get name(): string {
    return `Passes of ${this.batch}es: arrows move between them, Enter keeps one lit`;
  }

  get count(): number {
    return this.all.length;
  }

  /** What a number stands for. */
  get batch(): string {
    return this.numbered;
  }

  show(picture: Gantt): void {
    [this.kept, this.numbered, this.stages] = [picture.kept, picture.numbered, picture.stages];
    this.all = picture.played.flatMap(({ cells }, band) =>
      cells.flatMap(({ part, colour, rows, starts, ends, numbers }) =>
        numbers.map((number, place) => {
          const [stage, start, end] = [rows[place] ?? 0, starts[place] ?? 0, ends[place] ?? 0];
          return { band, part, colour, stage, start, end, number };
        }),
      ),
    );
    this.ends = picture.played.map(({ cells }) =>
      Math.max(...cells.filter(({ numbers }) => numbers.length).flatMap(({ ends }) => ends)),
    );
    this.pointed = -1;
    if (!this.all.some(({ number }) => number === this.number)) this.number = -1;
  }

  fit(bands: readonly Band[], ruler: Ruler): void {
    [this.bands, this.ruler] = [bands, ruler];
    this.drawn = Number.NaN;
    this.light();
  }

  under(x: number, y: number): number {
    const [left, top] = this.ruler.corner;
    const [across, down] = [x - left, y - top];
    const band = this.bands.findIndex(({ upper, row }) => down >= upper && down < upper + row * this.stages);
    const { upper, row } = this.bands[band] ?? { upper: 0, row: 1 };
    const stage = Math.floor((down - upper) / row);
    return this.all.findIndex(
      (one) => one.band === band && one.stage === stage && across >= this.ruler.x(one.start) && across < this.ruler.x(one.end),
    );
  }

  box(thing: number): Box {
    const pass = this.all[thing];
    const band = this.bands[pass?.band ?? -1];
    if (!pass || !band) return { x: 0, y: 0, width: 0, height: 0 };
    const [left, top] = this.ruler.corner;
    const [from, to] = [this.ruler.x(pass.start), this.ruler.x(pass.end)];
    return { x: left + from, y: top + band.upper + pass.stage * band.row, width: to - from, height: band.row };
  }

  said(thing: number): Said {
    const pass = this.all[thing];
    if (!pass) return NOTHING;
    const { clock } = this.ruler;
    const times = ({ start, end }: { start: number; end: number }) => `${clock(start)} to ${clock(end)}`;
    const title = `stage ${pass.stage + 1}: ${pass.part}, ${this.batch} ${pass.number}, ${times(pass)}`;
    if (!this.kept) return { ...NOTHING, title };
    const there = this.all.filter(
      ({ band, stage, number }) => band === pass.band && stage === pass.stage && number === pass.number,
    );
    const rows = there.map((one) => ({ colour: one.colour, name: one.part, values: [times(one)] }));
    const held = { colour: KEPT, name: "its activations are kept", values: [times(span(there))] };
    return { title, columns: [], rows: [...rows, held] };
  }

  point(thing: number): void {
    this.pointed = thing;
    this.light();
  }

  take(thing: number): void {
    this.isUsed = true;
    const number = this.all[thing]?.number ?? -1;
    this.number = number === this.number ? -1 : number;
    this.light();
  }

  private light(): void {
    const number = this.all[this.pointed]?.number ?? this.number;
    if (number === this.drawn) return;
    this.drawn = number;
    this.group.replaceChildren();
    if (number < 0) return;
    const { x } = this.ruler;
    this.bands.forEach(({ upper, row }, which) => {
      const passes = this.all.filter((one) => one.band === which && one.number === number);
      if (!passes.length) return;
      const end = this.ends[which] ?? 0;
      const air = row > 10 ? 1 : 0.5;
      this.group.append(
        element("rect", {
          x: tenth(x(0)),
          y: tenth(upper),
          width: tenth(x(end) - x(0)),
          height: tenth(row * this.stages),
          fill: "var(--background)",
          opacity: 0.72,
        }),
      );
      if (this.kept) this.group.append(this.keeping(passes, upper, row));
      this.group.append(this.way(passes, upper, row));
      for (const { start, end: until, stage, colour } of passes) {
        const wide = x(until) - x(start);
        this.group.append(
          element("rect", {
            x: tenth(x(start)),
            y: tenth(upper + stage * row + air),
            width: tenth(Math.max(1.5, wide - air)),
            height: tenth(row - 2 * air),
            fill: `var(--${colour})`,
          }),
        );
        if (row > 14 && wide > ROOM_FOR_NUMBER)
          this.group.append(named(number, x(start) + (wide - air) / 2, upper + (stage + 0.5) * row));
      }
    });
  }

  /** From where a stage first has it to where it needs it no more. */
  private keeping(passes: readonly Pass[], upper: number, row: number): SVGPathElement {
    const { x } = this.ruler;
    const high = Math.min(MOST_KEPT, Math.max(1.5, row * KEPT_PART));
    const bars = Array.from({ length: this.stages }, (_, stage) => {
      const { start, end } = span(passes.filter((one) => one.stage === stage));
      return start < end
        ? `M${tenth(x(start))} ${tenth(upper + (stage + 0.5) * row - high / 2)}H${tenth(x(end))}v${high}H${tenth(x(start))}z`
        : "";
    });
    return element("path", { d: bars.join(""), fill: `var(--${KEPT})` });
  }

  /** From stage to stage; what a stage does of it later is not on the way. */
  private way(passes: readonly Pass[], upper: number, row: number): SVGPathElement {
    const { x } = this.ruler;
    const steps = [...passes]
      .sort((one, other) => one.start - other.start)
      .filter(
        ({ stage }, place, sorted) => !this.kept || sorted.slice(0, place).filter((one) => one.stage === stage).length < 2,
      );
    const points = steps.map(({ start, end, stage }) => `${tenth(x((start + end) / 2))} ${tenth(upper + (stage + 0.5) * row)}`);
    return element("path", { d: `M${points.join("L")}`, fill: "none", stroke: "var(--ink)", "stroke-width": 1 });
  }
}

function named(number: number, x: number, y: number): SVGTextElement {
  const style = { "font-size": 12, "text-anchor": "middle", fill: "var(--background)" };
  return element("text", { x: tenth(x), y: tenth(y + 4), ...style }, String(number));
}

function span(passes: readonly { start: number; end: number }[]): { start: number; end: number } {
  return { start: Math.min(...passes.map((one) => one.start)), end: Math.max(...passes.map((one) => one.end)) };
}
