// A view as a picture: lines named where they end, marks with their numbers, and what lies under the pointer.

import * as Plot from "@observablehq/plot";

import type { Colour, Curves, Mark, Schematic, Sheet, Table, Timeline, View } from "./api";
import { drawn, element } from "./dom";
import { format } from "./quantity";
import { schematic, sheet } from "./schematic";

const FONT = 13;
const LINE = 16;
const LEFT = 72;
const TOP = 12;
const BOTTOM = 26;
const MOST_LABEL_PART = 0.36;
const LEAST_WIDTH = 260;
const LEAST_CELL = 18;
/** Of a line that is known at whole numbers alone; more would run together. */
const MOST_POINTS = 40;

interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Size {
  width: number;
  height: number;
}

/** Of a figure's picture; asked for all figures before any is drawn, since drawing makes the next question slow. */
export function sizeOf(figure: HTMLElement): Size {
  const canvas = figure.querySelector<HTMLElement>(".canvas")!;
  return { width: Math.max(LEAST_WIDTH, canvas.clientWidth), height: canvas.clientHeight };
}

/** Draw a view into its figure. */
export function drawView(figure: HTMLElement, view: View, { width, height }: Size): void {
  const canvas = figure.querySelector<HTMLElement>(".canvas")!;
  figure.querySelector<HTMLElement>(".upright")!.textContent = above(view);
  figure.querySelector<HTMLElement>(".along")!.textContent = view.axes.x.caption;
  const draw = { curves, table, timeline, sheet: written, schematic: parts }[view.kind] as (view: View, width: number, height: number) => SVGSVGElement;
  const svg = draw(view, width, height);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", described(view));
  const old = canvas.querySelector("svg");
  if (old) old.replaceWith(svg);
  else canvas.prepend(svg);
}

/** What is said above a picture: its upright axis, or what it shows. */
function above(view: View): string {
  switch (view.kind) {
    case "curves":
      return view.axes.y.caption;
    case "table":
      return `${view.text}; down: ${view.axes.y.caption}`;
    default:
      return view.text;
  }
}

function written(view: Sheet, width: number, height: number): SVGSVGElement {
  return sheet(view, width, height, measured);
}

function parts(view: Schematic, width: number, height: number): SVGSVGElement {
  return schematic(view, width, height, measured);
}

function described(view: View): string {
  if (view.kind === "sheet") return `${view.text}. ${[view.columns, ...view.rows].map((row) => row.join(", ")).join("; ")}`;
  if (view.kind === "schematic") return `${view.heading}. ${view.text}`;
  const over = `${view.heading || view.axes.y.caption}, over ${view.axes.x.caption}`;
  if (view.kind !== "curves") return `${over}. ${view.text}`;
  const lines = view.lines.map((line) => line.name).join(", ");
  const points = view.marks.map((mark) => `${mark.name}: ${where(view, mark)}`).join("; ");
  return `${over}. Lines: ${lines}. ${points}`;
}

export function where(view: View, mark: Mark): string {
  return `${format(mark.x, view.axes.x.dimension)}, ${format(mark.y, view.axes.y.dimension)}`;
}

function curves(view: View & Curves, width: number, height: number): SVGSVGElement {
  const { x, y } = view.axes;
  const named = entries(view);
  const names = named.map((entry) => wrapped(entry.name, width * MOST_LABEL_PART));
  const right = Math.min(width * MOST_LABEL_PART + 30, Math.max(...names.flat().map(measured)) + 30);
  const tick = (axis: typeof x) => (value: number) =>
    value === 0 ? "0" : format(value, axis.dimension).replace(/\/Mtok$/, "");
  const shown = (axis: typeof x, most: number) => {
    const ticks = axis.ticks ?? [];
    const step = Math.ceil(ticks.length / most);
    return ticks.filter((_, place) => place % step === 0);
  };
  // As wide as the numbers at its ticks.
  const left = Math.max(LEFT, ...(y.ticks ?? []).map((value) => measured(tick(y)(value)) + 12));
  const index = { length: view.x.length };
  const plot = Plot.plot({
    width,
    height,
    marginLeft: left,
    marginRight: right,
    marginTop: TOP,
    marginBottom: BOTTOM,
    style: { background: "transparent", fontSize: `${FONT}px`, overflow: "visible" },
    x: { type: x.is_logarithmic ? "log" : "linear", domain: x.ends! },
    y: { type: y.is_logarithmic ? "log" : "linear", domain: y.ends! },
    marks: [
      // As text: of a format Plot leaves some out on logarithmic axes.
      Plot.axisX(shown(x, Math.max(2, Math.floor((width - left - right) / 64))), { text: tick(x), label: null }),
      Plot.axisY(shown(y, 8), { text: tick(y), label: null }),
      Plot.ruleX([x.ends![0]], { stroke: "var(--muted)" }),
      Plot.ruleY([y.ends![0]], { stroke: "var(--muted)" }),
      ...view.lines
        .filter((line) => line.high)
        .map((line) =>
          Plot.areaY(index, { x: view.x, y1: line.y, y2: line.high!, fill: "var(--beyond)", clip: true }),
        ),
      ...view.lines.map((line) =>
        Plot.line(index, {
          x: view.x,
          y: line.y,
          stroke: `var(--${line.colour})`,
          strokeWidth: line.is_bold ? 4 : 2,
          ...(line.is_floor ? { strokeDasharray: "7 4" } : {}),
          clip: true,
        }),
      ),
      ...(view.is_whole && view.x.length <= MOST_POINTS
        ? view.lines.map((line) => Plot.dot(index, { x: view.x, y: line.y, r: line.is_bold ? 4 : 3, fill: `var(--${line.colour})`, clip: true }))
        : []),
      ...view.dots.map((dots) =>
        Plot.dot({ length: dots.x.length }, { x: dots.x, y: dots.y, r: 3.5, fill: `var(--${dots.colour})`, clip: true }),
      ),
    ],
  }) as SVGSVGElement & Plot.Plot;
  plot.querySelectorAll('[aria-label="line"]').forEach((group, place) => {
    group.setAttribute("data-colour", view.lines[place]!.colour);
  });
  plot.querySelectorAll("[aria-label]").forEach((part) => {
    part.removeAttribute("aria-label");
    part.setAttribute("aria-hidden", "true");
  });
  const across = plot.scale("x")!.apply;
  const up = plot.scale("y")!.apply;
  const taken = nameLines(plot, named, names, width - right, height, up);
  const [low, high] = y.ends!;
  const marks = view.marks.filter((mark) => mark.y >= low && mark.y <= high);
  nameMarks(plot, { ...view, marks }, taken, { left, top: 0, right: width - right, bottom: height - BOTTOM - 6 }, across, up);
  nameDots(plot, view, taken, { left, top: 0, right: width - right, bottom: height - BOTTOM - 6 }, across, up);
  return plot;
}

/** What each dot is, where its name covers nothing; the others keep their dots alone. */
function nameDots(
  plot: SVGSVGElement,
  view: Curves,
  taken: Box[],
  inside: Box,
  across: (value: number) => number,
  up: (value: number) => number,
): void {
  const named = view.dots.flatMap((dots) =>
    dots.labels.map((label, place) => ({ label, colour: dots.colour, x: across(dots.x[place]!), y: up(dots.y[place]!) })),
  );
  const all = [...taken, ...named.map(({ x, y }) => around(x, y, 4))];
  for (const { label, colour, x, y } of named) {
    if (!label) continue;
    const wide = measured(label);
    const places = [[0, -1], [0, 1], [1, 0], [-1, 0], [1, -1], [-1, -1], [1, 1], [-1, 1]].map(([dx, dy]) => {
      const left = x + dx! * 7 + (dx === 0 ? -wide / 2 : dx! < 0 ? -wide : 0);
      const top = y + dy! * 6 + (dy === 0 ? -LINE / 2 : dy! < 0 ? -LINE : 0);
      return { left, top, right: left + wide, bottom: top + LINE };
    });
    const free = places.find(
      (box) =>
        box.left >= inside.left &&
        box.right <= inside.right &&
        box.top >= inside.top &&
        box.bottom <= inside.bottom &&
        !all.some((other) => touch(box, other)),
    );
    if (!free) continue;
    all.push(free);
    plot.append(
      drawn(
        "text",
        {
          x: (free.left + free.right) / 2,
          y: free.top + FONT - 1,
          "text-anchor": "middle",
          fill: `var(--${colour})`,
          stroke: "var(--background)",
          "stroke-width": 3,
          "paint-order": "stroke",
          "aria-hidden": "true",
        },
        label,
      ),
    );
  }
}

/** What is named at the right: a line where it ends, or a group of dots, which no stroke leads to. */
interface Entry {
  name: string;
  colour: Colour;
  is_bold: boolean;
  is_group: boolean;
  height: number;
}

function entries(view: Curves): Entry[] {
  const middle = (values: number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
  return [
    ...view.lines.map(({ name, colour, is_bold, y }) => ({ name, colour, is_bold, is_group: false, height: y[y.length - 1]! })),
    ...view.dots
      .filter((dots) => dots.is_named)
      .map(({ name, colour, y }) => ({ name, colour, is_bold: false, is_group: true, height: middle(y) })),
  ];
}

/** Names at the right ends, pushed apart, joined to their lines. */
function nameLines(
  plot: SVGSVGElement,
  named: Entry[],
  names: string[][],
  right: number,
  height: number,
  up: (value: number) => number,
): Box[] {
  const least = FONT / 2;
  const most = height - FONT / 2;
  const labels = named
    .map((line, place) => {
      const end = Math.min(most, Math.max(least, up(line.height)));
      const size = names[place]!.length * LINE;
      return { line, words: names[place]!, end: Number.isFinite(end) ? end : most, size, at: 0 };
    })
    .sort((a, b) => a.end - b.end);
  let below = -Infinity;
  for (const label of labels) {
    label.at = Math.max(label.end - label.size / 2, below);
    below = label.at + label.size;
  }
  // What ran over the foot is pushed up again.
  let above = height;
  for (const label of [...labels].reverse()) {
    label.at = Math.min(label.at, above - label.size);
    above = label.at;
  }
  return labels.map(({ line, words, end, size, at }) => {
    const middle = at + size / 2;
    const group = drawn("g", { "data-colour": line.colour, "aria-hidden": "true" });
    if (!line.is_group)
      group.append(
        drawn("path", {
          d: `M${right + 1},${end} L${right + 6},${end} L${right + 14},${middle} L${right + 18},${middle}`,
          fill: "none",
          stroke: `var(--${line.colour})`,
        }),
      );
    group.append(
      ...words.map((word, place) =>
        drawn(
          "text",
          {
            x: right + 21,
            "text-anchor": "start",
            y: at + LINE * place + FONT - 1,
            fill: `var(--${line.colour})`,
            "font-weight": line.is_bold ? 700 : 400,
          },
          word,
        ),
      ),
    );
    plot.append(group);
    return { left: right + 18, top: at, right: right + 21 + Math.max(...words.map(measured)), bottom: at + size };
  });
}

/** A dot and its words, where they cover least: not each other, and few lines. */
function nameMarks(
  plot: SVGSVGElement,
  view: Curves,
  taken: Box[],
  inside: Box,
  across: (value: number) => number,
  up: (value: number) => number,
): void {
  const dots: Box[] = view.marks.map((mark) => around(across(mark.x), up(mark.y), 6));
  const traced = view.marks.length ? trace(view, across, up) : [];
  for (const mark of view.marks) {
    const words = mark.text.split("\n");
    const wide = Math.max(...words.map(measured));
    const high = words.length * LINE;
    const [x, y] = [across(mark.x), up(mark.y)];
    let best: { box: Box; cost: number } | null = null;
    for (const far of [8, 20, 36, 56, 80]) {
      // Farther places only cost more.
      if (best && best.cost <= far) break;
      for (const [dx, dy] of [[0, -1], [1, -1], [-1, -1], [1, 1], [-1, 1], [0, 1], [1, 0], [-1, 0]] as const) {
        const left = x + dx * far + (dx === 0 ? -wide / 2 : dx < 0 ? -wide : 0);
        const top = y + dy * far + (dy === 0 ? -high / 2 : dy < 0 ? -high : 0);
        const box = { left, top, right: left + wide, bottom: top + high };
        const out =
          Math.max(0, inside.left - box.left) +
          Math.max(0, box.right - inside.right) +
          Math.max(0, inside.top - box.top) +
          Math.max(0, box.bottom - inside.bottom);
        const hits = [...taken, ...dots].filter((other) => touch(box, other)).length;
        const cost = out * 10 + hits * 400 + far;
        if (best && cost >= best.cost) continue;
        const whole = cost + 12 * crossings(box, traced);
        if (!best || whole < best.cost) best = { box, cost: whole };
      }
    }
    const { box } = best!;
    taken.push(box);
    const group = drawn("g", { "data-colour": mark.colour, class: "point", "aria-hidden": "true" });
    const near = [Math.min(box.right, Math.max(box.left, x)), Math.min(box.bottom, Math.max(box.top, y))] as const;
    if (Math.hypot(near[0] - x, near[1] - y) > 14) {
      group.append(
        drawn("line", { x1: x, y1: y, x2: near[0], y2: near[1], stroke: `var(--${mark.colour})`, "stroke-width": 1 }),
      );
    }
    group.append(
      drawn("circle", { cx: x, cy: y, r: 5, fill: `var(--${mark.colour})`, stroke: "var(--background)", "stroke-width": 1.5 }),
      ...words.map((word, place) =>
        drawn(
          "text",
          {
            x: (box.left + box.right) / 2,
            y: box.top + LINE * place + FONT - 1,
            "text-anchor": "middle",
            fill: `var(--${mark.colour})`,
            stroke: "var(--background)",
            "stroke-width": 4,
            "paint-order": "stroke",
          },
          word,
        ),
      ),
    );
    plot.append(group);
  }
}

/** Some points of all lines, x and y in turn. */
function trace(view: Curves, across: (value: number) => number, up: (value: number) => number): number[] {
  const points: number[] = [];
  const step = Math.max(1, Math.floor(view.x.length / 120));
  for (let place = 0; place < view.x.length; place += step) {
    const x = across(view.x[place]!);
    for (const line of view.lines) points.push(x, up(line.y[place]!));
  }
  return points;
}

function crossings({ left, top, right, bottom }: Box, points: number[]): number {
  let found = 0;
  for (let place = 0; place < points.length; place += 2) {
    const x = points[place]!;
    const y = points[place + 1]!;
    if (x > left && x < right && y > top && y < bottom) found += 1;
  }
  return found;
}

function around(x: number, y: number, radius: number): Box {
  return { left: x - radius, top: y - radius, right: x + radius, bottom: y + radius };
}

function touch(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

function table(view: View & Table, width: number, height: number): SVGSVGElement {
  const { values } = view;
  const [rows, columns] = [values.length, values[0]?.length ?? 0];
  const largest = Math.max(...values.map((row) => Math.max(...row)), Number.MIN_VALUE);
  const svg = drawn("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "font-size": FONT });
  const { left, top, wide, high } = cells(width, height);
  const shade = shades();
  if (view.is_written) {
    const [cell, line] = [wide / columns, high / rows];
    values.forEach((row, down) =>
      row.forEach((value, place) => {
        const [x, y] = [left + place * cell, top + down * line];
        const fill = shade(value / largest);
        svg.append(drawn("rect", { x, y, width: cell, height: line, fill: css(fill) }));
        if (!value || cell < LEAST_CELL) return;
        const size = Math.min(FONT, 0.62 * cell);
        svg.append(
          drawn(
            "text",
            { x: x + cell / 2, y: y + line / 2 + 4, "text-anchor": "middle", "font-size": size, fill: css(shade.over(fill)) },
            String(Number(value.toPrecision(3))),
          ),
        );
      }),
    );
  } else {
    const canvas = element("canvas", { width: columns, height: rows });
    const context = canvas.getContext("2d")!;
    const image = context.createImageData(columns, rows);
    values.forEach((row, down) =>
      row.forEach((value, place) => {
        const at = 4 * (down * columns + place);
        [image.data[at], image.data[at + 1], image.data[at + 2]] = shade(value / largest);
        image.data[at + 3] = 255;
      }),
    );
    context.putImageData(image, 0, 0);
    svg.append(
      drawn("image", {
        href: canvas.toDataURL(),
        x: left,
        y: top,
        width: wide,
        height: high,
        preserveAspectRatio: "none",
        style: "image-rendering: pixelated",
      }),
    );
  }
  for (const column of quarters(columns))
    svg.append(
      drawn(
        "text",
        { x: left + ((column + 0.5) * wide) / columns, y: height - 8, "text-anchor": "middle", fill: "var(--muted)" },
        format(column + view.first, view.axes.x.dimension),
      ),
    );
  for (const row of quarters(rows))
    svg.append(
      drawn(
        "text",
        { x: left - 8, y: top + ((row + 0.5) * high) / rows + 4, "text-anchor": "end", fill: "var(--muted)" },
        format(row + view.first, view.axes.y.dimension),
      ),
    );
  return svg;
}

/** Four places of so many, evenly, each once. */
function quarters(count: number): Set<number> {
  return new Set([0, 0.25, 0.5, 0.75].map((part) => Math.floor(part * count)));
}

/** Where a table's cells lie. */
function cells(width: number, height: number): { left: number; top: number; wide: number; high: number } {
  return { left: LEFT, top: TOP, wide: width - LEFT - 8, high: height - TOP - BOTTOM };
}

/** Where a timeline's rows lie: as far right as their names need. */
function lanes(view: Timeline, width: number, height: number): { left: number; wide: number; high: number } {
  const left = Math.max(...view.rows.flatMap((name) => name.split("\n")).map(measured)) + 14;
  return { left, wide: width - left - 8, high: (height - TOP - BOTTOM) / view.rows.length };
}

function timeline(view: View & Timeline, width: number, height: number): SVGSVGElement {
  const svg = drawn("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "font-size": FONT });
  const end = Math.max(...view.blocks.map((block) => block.end));
  const { left, wide, high } = lanes(view, width, height);
  const across = (value: number) => left + (value / end) * wide;
  view.rows.forEach((name, row) => {
    const y = TOP + row * high;
    const words = name.split("\n");
    svg.append(
      drawn("rect", { x: left, y: y + 1, width: wide, height: Math.max(1, high - 2), fill: "var(--beyond)" }),
      ...words.map((word, line) =>
        drawn(
          "text",
          {
            x: left - 8,
            y: y + high / 2 + 4 + (line - (words.length - 1) / 2) * LINE,
            "text-anchor": "end",
            fill: "var(--muted)",
          },
          word,
        ),
      ),
    );
  });
  for (const block of view.blocks) {
    const [x, y] = [across(block.start), TOP + block.row * high];
    const size = across(block.end) - x;
    const group = drawn("g", { "data-colour": block.colour });
    group.append(
      drawn("rect", {
        x,
        y: y + 1,
        width: size,
        height: Math.max(1, high - 2),
        fill: `var(--${block.colour})`,
        stroke: "var(--background)",
        "stroke-width": Math.min(1, size / 8),
      }),
    );
    if (block.text && measured(block.text) < size - 2 && high > LINE)
      group.append(
        drawn(
          "text",
          { x: x + size / 2, y: y + high / 2 + 4, "text-anchor": "middle", fill: "var(--background)" },
          block.text,
        ),
      );
    svg.append(group);
  }
  for (const [part, anchor] of [[0, "start"], [0.25, "middle"], [0.5, "middle"], [0.75, "middle"], [1, "end"]] as const)
    svg.append(
      drawn(
        "text",
        { x: across(part * end), y: height - 8, "text-anchor": anchor, fill: "var(--muted)" },
        format(part * end, view.axes.x.dimension),
      ),
    );
  return svg;
}

type Shade = [number, number, number];

interface Shades {
  (part: number): Shade;
  /** Of words on a shade: what stands out more. */
  over(shade: Shade): Shade;
}

/** From the quiet ground to the loudest colour, as the theme has them now. */
function shades(): Shades {
  const styles = getComputedStyle(document.documentElement);
  const colour = (name: string): Shade => {
    const hex = styles.getPropertyValue(`--${name}`).trim();
    return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)) as Shade;
  };
  const [low, high, ink, ground] = [colour("beyond"), colour("estimate"), colour("ink"), colour("background")];
  const mixed = (part: number) => low.map((from, place) => Math.round(from + (high[place]! - from) * part)) as Shade;
  return Object.assign(mixed, { over: (shade: Shade) => (contrast(ink, shade) > contrast(ground, shade) ? ink : ground) });
}

/** Of two colours, as WCAG 2.1 defines it. */
function contrast(one: Shade, other: Shade): number {
  const [dark, bright] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (bright + 0.05) / (dark + 0.05);
}

function luminance(shade: Shade): number {
  const [red, green, blue] = shade.map((part) => {
    const light = part / 255;
    return light <= 0.04045 ? light / 12.92 : ((light + 0.055) / 1.055) ** 2.4;
  }) as Shade;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function css(shade: Shade): string {
  return `rgb(${shade.join(",")})`;
}

let pen: CanvasRenderingContext2D | null = null;
/** Of words that were measured before: most stay while a slider moves. */
const widths = new Map<string, number>();
const MOST_WIDTHS = 5000;

function measured(text: string): number {
  let width = widths.get(text);
  if (width !== undefined) return width;
  if (!pen) {
    pen = document.createElement("canvas").getContext("2d")!;
    pen.font = `600 ${FONT}px ${getComputedStyle(document.body).getPropertyValue("--sans")}`;
  }
  if (widths.size > MOST_WIDTHS) widths.clear();
  width = pen.measureText(text).width;
  widths.set(text, width);
  return width;
}

/** A name over as few lines as the width allows. */
function wrapped(name: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of name.split(" ")) {
    const last = lines[lines.length - 1];
    if (last !== undefined && measured(`${last} ${word}`) <= Math.min(width, 150)) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Values at the place of the pointer, or of the arrow keys; gives what reads them again after a redraw. */
export function follow(figure: HTMLElement, current: () => View | undefined): () => void {
  const canvas = figure.querySelector<HTMLElement>(".canvas")!;
  const readout = figure.querySelector<HTMLElement>(".readout")!;
  const hair = figure.querySelector<HTMLElement>(".hair")!;
  let place = -1;
  const hide = () => {
    readout.hidden = hair.hidden = true;
    place = -1;
  };
  const put = (x: number, ...said: Node[]) => {
    readout.replaceChildren(...said);
    readout.hidden = false;
    readout.style.left = x > canvas.clientWidth / 2 ? `${Math.max(0, x - readout.offsetWidth - 12)}px` : `${x + 12}px`;
  };
  const showAt = (index: number) => {
    const view = current();
    const svg = canvas.querySelector("svg");
    if (view?.kind !== "curves" || !svg) return hide();
    place = Math.min(view.x.length - 1, Math.max(0, index));
    const x = pixel(svg, view.x[place]!);
    hair.style.left = `${x}px`;
    hair.hidden = false;
    const value = (y: number) => format(y, view.axes.y.dimension, 4);
    put(
      x,
      element("strong", {}, format(view.x[place]!, view.axes.x.dimension, 4)),
      ...view.lines.map(({ name, colour, y, high }) => {
        const upTo = high && high[place]! > y[place]! ? ` to ${value(high[place]!)}` : "";
        return element("span", { "data-colour": colour }, `${name.split(":")[0]}  ${value(y[place]!)}${upTo}`);
      }),
    );
  };
  const point = (event: PointerEvent) => {
    const view = current();
    const svg = canvas.querySelector("svg");
    if (!view || !svg) return hide();
    const box = canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    if (view.kind === "curves") return showAt(nearest(view, svg, x));
    const said =
      view.kind === "table" ? cellAt(view, canvas, x, y) : view.kind === "timeline" ? blockAt(view, canvas, x, y) : null;
    if (said) put(x, element("strong", {}, said));
    else hide();
  };
  canvas.addEventListener("pointermove", point);
  canvas.addEventListener("pointerdown", point);
  canvas.addEventListener("pointerleave", hide);
  canvas.addEventListener("blur", hide);
  canvas.addEventListener("keydown", (event) => {
    if (event.key === "Escape") return hide();
    const view = current();
    if (view?.kind !== "curves") return;
    const step = Math.ceil(view.x.length / 40);
    const last = view.x.length - 1;
    const next = { ArrowRight: place + step, ArrowLeft: place < 0 ? last : place - step, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    showAt(next);
  });
  return () => {
    if (place >= 0) showAt(place);
    else hide();
  };
}

/** The point of the lines that lies nearest to the right of a pixel. */
function nearest(view: View & Curves, svg: SVGSVGElement, at: number): number {
  let low = 0;
  let high = view.x.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (pixel(svg, view.x[middle]!) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

function cellAt(view: View & Table, canvas: HTMLElement, x: number, y: number): string | null {
  const { left, top, wide, high } = cells(Math.max(LEAST_WIDTH, canvas.clientWidth), canvas.clientHeight);
  const column = Math.floor(((x - left) / wide) * (view.values[0]?.length ?? 0));
  const row = Math.floor(((y - top) / high) * view.values.length);
  const value = view.values[row]?.[column];
  if (value === undefined) return null;
  const { x: along, y: down } = view.axes;
  return `${down.caption} ${format(row + view.first, down.dimension)}, ${along.caption} ${format(column + view.first, along.dimension)}: ${Number(value.toPrecision(4))}`;
}

function blockAt(view: View & Timeline, canvas: HTMLElement, x: number, y: number): string | null {
  const { left, wide, high } = lanes(view, Math.max(LEAST_WIDTH, canvas.clientWidth), canvas.clientHeight);
  const end = Math.max(...view.blocks.map((block) => block.end));
  const [at, row] = [((x - left) / wide) * end, Math.floor((y - TOP) / high)];
  const block = view.blocks.find((one) => one.row === row && one.start <= at && at < one.end);
  const name = view.rows[row]?.replace("\n", ", ");
  if (name === undefined || at < 0 || at > end) return null;
  const unit = (value: number) => format(value, view.axes.x.dimension);
  return block ? `${name}: ${block.text || "busy"}, ${unit(block.start)} to ${unit(block.end)}` : `${name}: idle`;
}

function pixel(svg: SVGSVGElement, value: number): number {
  return (svg as SVGSVGElement & Plot.Plot).scale("x")!.apply(value) as number;
}

/** Dim everything but what has a colour; all of it again without one. */
export function light(colour: Colour | null): void {
  const root = document.getElementById("board")!;
  if (colour) root.dataset["lit"] = colour;
  else delete root.dataset["lit"];
}
