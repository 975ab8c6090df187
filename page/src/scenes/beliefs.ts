// What is believed of one thing by several lights: a row each over one axis, its words beside it or above.

import { LINE, type Measure, wrapped } from "../chart/measure";
import { at, clamp } from "../chart/numbers";
import { colourOf, element } from "../chart/svg";
import type { Axes, Beliefs, Row } from "../documents";
import type { Drawing } from "./drawing";

const SMALL = 12;
const FONT = 14;
const SAID = 15;
/** Letters of what is said, at most. */
const LONGEST = 225;
/** Lines that the words of marks have on a phone, however many are in sight and however near to each other they lie. */
const RAIL_LINES = 3;
const SAID_LINE = 21;
/** From there on words stand beside their row. */
const WIDE = 560;
const EDGE = 6;
const GAP = 14;
/** Of a row's drawing. */
const LEAST_HIGH = 36;
const MOST_HIGH = 104;
/** Of bars, whose heights are compared. */
const LEAST_BARS = 58;
/** Of a row of known things. */
const POINTS_HIGH = 20;
/** Below its foot: the bar from the 5 % to the 95 % point. */
const BAR = 7;
const AXIS = 44;
/** Of a place, the part that its bar is wide. */
const BAR_PART = 0.5;
const LABEL_GAP = 10;

interface Box {
  left: number;
  right: number;
  top: number;
  high: number;
}

interface Laid {
  row: Row;
  name: string[];
  text: string[];
  /** Of its words. */
  words: number;
}

export class BeliefsDrawing implements Drawing<Beliefs> {
  readonly svg = element("svg", { role: "img" });
  private picture: Beliefs | null = null;
  private captions = { x: "", y: "" };

  seconds(): number {
    return 0;
  }

  show(picture: Beliefs, axes: Axes): void {
    this.picture = picture;
    this.captions = { x: axes.x.caption, y: axes.y.caption };
  }

  fit(width: number, room: number, measure: Measure): number {
    const picture = this.picture;
    if (!picture) return 0;
    this.svg.replaceChildren();
    const isWide = width >= WIDE;
    const column = isWide ? clamp(0.32 * width, 190, 290) : 0;
    const [left, right] = [isWide ? column + GAP : EDGE, width - EDGE];
    const said = wrapped(picture.text, width - EDGE, (text) => measure(text, SAID));
    this.write(said, 0, SAID, { fill: "var(--ink)", size: SAID, line: SAID_LINE });
    // On a phone, where rows give up no height, what is said has its place at its longest.
    const lines = isWide ? 0 : Math.ceil((LONGEST * measure("e", SAID)) / (width - EDGE));
    const across = scale(picture, left, right);
    const rail = this.rail(
      picture,
      across,
      { left: isWide ? left : 0, right: width, top: Math.max(said.length, lines) * SAID_LINE + 8 },
      measure,
    );
    const laid = picture.rows.map((row) => layed(row, isWide ? column : width - EDGE, measure));
    const words = isWide ? 0 : laid.reduce((sum, one) => sum + one.words, 0);
    const chances = laid.filter(({ row }) => !row.points.length).length;
    const free = room - rail - AXIS - words - laid.length * (GAP + BAR) - (laid.length - chances) * POINTS_HIGH;
    const least = picture.is_whole ? LEAST_BARS : LEAST_HIGH;
    const tallOf = ({ row, words }: Laid, high: number) =>
      Math.max(row.points.length ? POINTS_HIGH : high, isWide ? words - BAR : 0);
    const all = (high: number) => laid.reduce((sum, one) => sum + tallOf(one, high), 0);
    let high = clamp(free / chances, least, MOST_HIGH);
    // What a row's words need beyond that the others give up.
    const given = free + (laid.length - chances) * POINTS_HIGH;
    while (high > least && all(high) > given) high -= 1;
    let top = rail;
    for (const one of laid) {
      const from = isWide ? top : top + one.words;
      const tall = tallOf(one, high);
      this.write(one.name, 0, top + SMALL, { fill: colourOf(one.row.colour), size: FONT, line: LINE, weight: 600 });
      const below = top + SMALL + one.name.length * LINE;
      this.write(one.text, 0, below, { fill: "var(--muted)", size: SMALL, line: LINE - 1 });
      this.row(picture, one.row, across, { left, right, top: from, high: tall });
      top = from + tall + BAR + GAP;
    }
    this.along(picture, across, top - GAP, { left, right }, measure);
    if (isWide) {
      const caption = wrapped(this.captions.y, column, (text) => measure(text, SMALL));
      this.write(caption, 0, top + 2, { fill: "var(--muted)", size: SMALL, line: LINE - 1 });
    }
    return top - GAP + AXIS;
  }

  draw(): void {}

  now(): string {
    return "";
  }

  described(): string {
    const picture = this.picture;
    if (!picture) return "";
    const marks = picture.marks.map((one) => one.text).join("; ");
    return [picture.text, ...picture.rows.map((one) => `${one.name}: ${one.text}`), marks].filter(Boolean).join(" ");
  }

  private write(
    lines: string[],
    x: number,
    top: number,
    { fill, size, line, weight = 400 }: { fill: string; size: number; line: number; weight?: number },
  ): void {
    lines.forEach((text, place) => {
      this.svg.append(element("text", { x, y: top + place * line, "font-size": size, "font-weight": weight, fill }, text));
    });
  }

  /** What is marked, in words above all rows, as many lines of them as keep off each other; where the rows begin. */
  private rail(
    picture: Beliefs,
    across: (x: number) => number,
    { left, right, top }: { left: number; right: number; top: number },
    measure: Measure,
  ): number {
    const ends: number[] = [];
    for (const mark of [...picture.marks].sort((one, other) => one.at - other.at)) {
      const half = measure(mark.text, SMALL, 600) / 2;
      const x = across(mark.at);
      const middle = clamp(x, left + half + 2, right - half - 2);
      let line = ends.findIndex((end) => middle - half > end + LABEL_GAP);
      if (line < 0) line = ends.push(0) - 1;
      ends[line] = middle + half;
      this.svg.append(
        element(
          "text",
          {
            x: middle,
            y: top + SMALL + line * LINE,
            "font-size": SMALL,
            "font-weight": 600,
            "text-anchor": "middle",
            fill: "var(--ink)",
          },
          mark.text,
        ),
      );
    }
    return top + Math.max(ends.length, left ? 0 : RAIL_LINES) * LINE + 8;
  }

  private row(picture: Beliefs, row: Row, across: (x: number) => number, box: Box): void {
    const { left, right, top, high } = box;
    const foot = top + high;
    const fill = colourOf(row.colour);
    const group = element("g");
    for (const tick of picture.is_whole ? [] : picture.x_ticks)
      group.append(
        element("line", {
          x1: across(tick.at),
          x2: across(tick.at),
          y1: top,
          y2: foot,
          stroke: "var(--muted)",
          "stroke-opacity": 0.13,
        }),
      );
    group.append(element("line", { x1: left, x2: right, y1: foot, y2: foot, stroke: "var(--muted)", "stroke-opacity": 0.45 }));
    if (picture.is_whole) this.bars(group, picture, row, across, box);
    else if (row.points.length)
      row.points.forEach((point, place) => {
        const name = element("title", {}, row.names?.[place] ?? "");
        group.append(element("circle", { cx: across(point), cy: foot - BAR, r: 3.5, fill, "fill-opacity": 0.55 }, name));
      });
    else {
      const points = picture.x.map(
        (x, place) => `${across(x).toFixed(1)},${(foot - at(row.heights, place) * high).toFixed(1)}`,
      );
      const outline = `M${points.join("L")}`;
      const [first, last] = [across(at(picture.x, 0)), across(at(picture.x, picture.x.length - 1))];
      group.append(
        element("path", {
          d: `${outline}L${last.toFixed(1)},${foot}L${first.toFixed(1)},${foot}Z`,
          fill,
          "fill-opacity": 0.16,
        }),
        element("path", {
          d: outline,
          fill: "none",
          stroke: fill,
          "stroke-width": row.is_bold ? 3 : 2,
          "stroke-linejoin": "round",
        }),
      );
    }
    for (const mark of picture.marks)
      group.append(
        element("line", {
          x1: across(mark.at),
          x2: across(mark.at),
          y1: top - 2,
          y2: foot,
          stroke: "var(--ink)",
          "stroke-opacity": 0.75,
          "stroke-width": 1.3,
          "stroke-dasharray": "3 3",
        }),
      );
    if (row.low !== null && row.middle !== null && row.high !== null) {
      const [from, to] = [row.low, row.high].map((x) => clamp(across(x), left, right));
      group.append(
        element("line", {
          x1: from ?? left,
          x2: to ?? right,
          y1: foot + BAR - 3,
          y2: foot + BAR - 3,
          stroke: fill,
          "stroke-width": 3,
          "stroke-linecap": "round",
        }),
        element("circle", {
          cx: clamp(across(row.middle), left, right),
          cy: foot + BAR - 3,
          r: 4.5,
          fill,
          stroke: "var(--background)",
          "stroke-width": 1.5,
        }),
      );
    }
    this.svg.append(group);
  }

  private bars(group: SVGGElement, picture: Beliefs, row: Row, across: (x: number) => number, { top, high }: Box): void {
    const foot = top + high;
    const wide = Math.abs(across(1) - across(0)) * BAR_PART;
    // Above a bar its chance is written.
    const most = high - SMALL - 4;
    row.heights.forEach((height, place) => {
      const tall = Math.max(1, height * most);
      const x = across(at(picture.x, place));
      const fill = colourOf(row.colour);
      group.append(
        element("rect", {
          x: x - wide / 2,
          y: foot - tall,
          width: wide,
          height: tall,
          fill,
          "fill-opacity": row.is_bold ? 0.85 : 0.5,
        }),
        element(
          "text",
          { x, y: foot - tall - 4, "font-size": SMALL, "text-anchor": "middle", fill: "var(--ink)" },
          at(row.labels, place),
        ),
      );
    });
  }

  private along(
    picture: Beliefs,
    across: (x: number) => number,
    foot: number,
    { left, right }: { left: number; right: number },
    measure: Measure,
  ): void {
    let end = -Infinity;
    for (const tick of picture.x_ticks) {
      const half = measure(tick.text, SMALL) / 2;
      const middle = clamp(across(tick.at), left + half - EDGE, right - half + EDGE - 1);
      if (middle - half < end + 6) continue;
      end = middle + half;
      this.svg.append(
        element(
          "text",
          { x: middle, y: foot + 16, "font-size": SMALL, "text-anchor": "middle", fill: "var(--muted)" },
          tick.text,
        ),
      );
    }
    this.svg.append(
      element(
        "text",
        { x: (left + right) / 2, y: foot + 36, "font-size": SMALL, "text-anchor": "middle", fill: "var(--muted)" },
        `${this.captions.x}${picture.is_whole ? "" : " →"}`,
      ),
    );
  }
}

function layed(row: Row, width: number, measure: Measure): Laid {
  const name = wrapped(row.name, width, (text) => measure(text, FONT, 600));
  const text = row.text ? wrapped(row.text, width, (words) => measure(words, SMALL)) : [];
  return { row, name, text, words: name.length * LINE + text.length * (LINE - 1) + 6 };
}

/** From values to pixels: equal ratios, or equal places with half a one to either side. */
function scale({ x, is_whole }: Beliefs, left: number, right: number): (x: number) => number {
  if (is_whole) return (place) => left + ((right - left) * (place + 0.5)) / x.length;
  const [low, high] = [at(x, 0), at(x, x.length - 1)];
  return (value) => clamp(left + ((right - left) * Math.log(value / low)) / Math.log(high / low), left, right);
}
