// A view as a picture: lines named where they end, marks with their numbers, and what lies under the pointer.

import * as Plot from "@observablehq/plot";

import type { Colour, Curves, Mark, Table, Timeline, View } from "./api";
import { drawn, element } from "./dom";
import { format } from "./quantity";

const FONT = 13;
const LINE = 16;
const LEFT = 62;
const TOP = 12;
const BOTTOM = 26;
const MOST_LABEL_PART = 0.36;

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
  return { width: Math.max(260, canvas.clientWidth), height: canvas.clientHeight };
}

/** Draw a view into its figure. */
export function drawView(figure: HTMLElement, view: View, { width, height }: Size): void {
  const canvas = figure.querySelector<HTMLElement>(".canvas")!;
  figure.querySelector<HTMLElement>(".upright")!.textContent = view.kind === "curves" ? view.axes.y.caption : view.text;
  figure.querySelector<HTMLElement>(".along")!.textContent = view.axes.x.caption;
  const draw = { curves, table, timeline }[view.kind] as (view: View, width: number, height: number) => SVGSVGElement;
  const svg = draw(view, width, height);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", described(view));
  const old = canvas.querySelector("svg");
  if (old) old.replaceWith(svg);
  else canvas.prepend(svg);
}

function described(view: View): string {
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
  const names = view.lines.map((line) => wrapped(line.name, width * MOST_LABEL_PART));
  const right = Math.min(width * MOST_LABEL_PART + 30, Math.max(...names.flat().map(measured)) + 30);
  const tick = (axis: typeof x) => (value: number) =>
    value === 0 ? "0" : format(value, axis.dimension).replace(/\/Mtok$/, "");
  const shown = (axis: typeof x, most: number) => {
    const ticks = axis.ticks ?? [];
    const step = Math.ceil(ticks.length / most);
    return ticks.filter((_, place) => place % step === 0);
  };
  const index = { length: view.x.length };
  const plot = Plot.plot({
    width,
    height,
    marginLeft: LEFT,
    marginRight: right,
    marginTop: TOP,
    marginBottom: BOTTOM,
    style: { background: "transparent", fontSize: `${FONT}px`, overflow: "visible" },
    x: { type: x.is_logarithmic ? "log" : "linear", domain: x.ends! },
    y: { type: y.is_logarithmic ? "log" : "linear", domain: y.ends! },
    marks: [
      Plot.axisX(shown(x, Math.max(2, Math.floor((width - LEFT - right) / 64))), { tickFormat: tick(x), label: null }),
      Plot.axisY(shown(y, 8), { tickFormat: tick(y), label: null }),
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
  const taken = nameLines(plot, view, names, width - right, height, up);
  nameMarks(plot, view, taken, { left: LEFT, top: 0, right: width - right, bottom: height - BOTTOM - 6 }, across, up);
  return plot;
}

/** Names at the right ends, pushed apart, joined to their lines. */
function nameLines(
  plot: SVGSVGElement,
  view: Curves,
  names: string[][],
  right: number,
  height: number,
  up: (value: number) => number,
): Box[] {
  const least = FONT / 2;
  const most = height - FONT / 2;
  const labels = view.lines
    .map((line, place) => {
      const end = Math.min(most, Math.max(least, up(line.y[line.y.length - 1]!)));
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
    group.append(
      drawn("path", {
        d: `M${right + 1},${end} L${right + 6},${end} L${right + 14},${middle} L${right + 18},${middle}`,
        fill: "none",
        stroke: `var(--${line.colour})`,
      }),
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
  const [wide, high] = [width - LEFT - 8, height - TOP - BOTTOM];
  const shade = shades();
  if (view.is_written) {
    values.forEach((row, down) =>
      row.forEach((value, place) => {
        const [x, y] = [LEFT + (place * wide) / columns, TOP + (down * high) / rows];
        svg.append(
          drawn("rect", { x, y, width: wide / columns, height: high / rows, fill: css(shade(value / largest)) }),
        );
        if (value && wide / columns > 18)
          svg.append(
            drawn(
              "text",
              {
                x: x + wide / columns / 2,
                y: y + high / rows / 2 + 4,
                "text-anchor": "middle",
                "font-size": Math.min(FONT, (0.62 * wide) / columns),
                fill: value > largest / 2 ? "var(--background)" : "var(--ink)",
              },
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
      row.forEach((value, place) => image.data.set([...shade(value / largest), 255], 4 * (down * columns + place))),
    );
    context.putImageData(image, 0, 0);
    svg.append(
      drawn("image", {
        href: canvas.toDataURL(),
        x: LEFT,
        y: TOP,
        width: wide,
        height: high,
        preserveAspectRatio: "none",
        style: "image-rendering: pixelated",
      }),
    );
  }
  const named = (value: number, axis: View["axes"]["x"]) => format(value, axis.dimension);
  for (const part of [0, 0.25, 0.5, 0.75]) {
    const [column, row] = [Math.floor(part * columns), Math.floor(part * rows)];
    svg.append(
      drawn(
        "text",
        { x: LEFT + ((column + 0.5) * wide) / columns, y: height - 8, "text-anchor": "middle", fill: "var(--muted)" },
        named(column, view.axes.x),
      ),
      drawn(
        "text",
        { x: LEFT - 8, y: TOP + ((row + 0.5) * high) / rows + 4, "text-anchor": "end", fill: "var(--muted)" },
        named(row, view.axes.y),
      ),
    );
  }
  return svg;
}

function timeline(view: View & Timeline, width: number, height: number): SVGSVGElement {
  const svg = drawn("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "font-size": FONT });
  const end = Math.max(...view.blocks.map((block) => block.end));
  const [wide, high] = [width - LEFT - 30, (height - TOP - BOTTOM) / view.rows.length];
  const across = (value: number) => LEFT + 20 + (value / end) * wide;
  view.rows.forEach((name, row) => {
    const y = TOP + row * high;
    svg.append(
      drawn("rect", { x: across(0), y: y + 1, width: wide, height: Math.max(1, high - 2), fill: "var(--beyond)" }),
      drawn("text", { x: LEFT + 12, y: y + high / 2 + 4, "text-anchor": "end", fill: "var(--muted)" }, name),
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
      }),
    );
    if (measured(block.text) < size - 2 && high > LINE)
      group.append(
        drawn(
          "text",
          { x: x + size / 2, y: y + high / 2 + 4, "text-anchor": "middle", fill: "var(--background)" },
          block.text,
        ),
      );
    svg.append(group);
  }
  for (const part of [0, 0.25, 0.5, 0.75, 1])
    svg.append(
      drawn(
        "text",
        { x: across(part * end), y: height - 8, "text-anchor": "middle", fill: "var(--muted)" },
        format(part * end, view.axes.x.dimension),
      ),
    );
  return svg;
}

type Shade = [number, number, number];

/** From the quiet ground to the loudest colour, as the theme has them now. */
function shades(): (part: number) => Shade {
  const styles = getComputedStyle(document.documentElement);
  const colour = (name: string): Shade => {
    const hex = styles.getPropertyValue(`--${name}`).trim();
    return [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16)) as Shade;
  };
  const [low, high] = [colour("beyond"), colour("estimate")];
  return (part) => low.map((from, place) => Math.round(from + (high[place]! - from) * part)) as Shade;
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

/** Values of all lines at the place of the pointer, or of the arrow keys. */
export function follow(figure: HTMLElement, current: () => View | undefined): void {
  const canvas = figure.querySelector<HTMLElement>(".canvas")!;
  const readout = figure.querySelector<HTMLElement>(".readout")!;
  const hair = figure.querySelector<HTMLElement>(".hair")!;
  let place = -1;
  const hide = () => {
    readout.hidden = hair.hidden = true;
    place = -1;
  };
  const showAt = (index: number) => {
    const view = current();
    const svg = canvas.querySelector("svg");
    if (view?.kind !== "curves" || !svg) return;
    place = Math.min(view.x.length - 1, Math.max(0, index));
    const x = pixel(svg, view.x[place]!);
    hair.style.left = `${x}px`;
    readout.replaceChildren(
      element("strong", {}, `${format(view.x[place]!, view.axes.x.dimension, 4)}`),
      ...view.lines.map((line) =>
        element("span", { "data-colour": line.colour }, `${line.name.split(":")[0]}  ${format(line.y[place]!, view.axes.y.dimension, 4)}`),
      ),
    );
    readout.hidden = hair.hidden = false;
    readout.style.left = x > canvas.clientWidth / 2 ? `${Math.max(0, x - readout.offsetWidth - 12)}px` : `${x + 12}px`;
  };
  canvas.addEventListener("pointermove", (event) => {
    const view = current();
    const svg = canvas.querySelector("svg");
    if (view?.kind !== "curves" || !svg) return hide();
    const at = event.clientX - canvas.getBoundingClientRect().left;
    let low = 0;
    let high = view.x.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (pixel(svg, view.x[middle]!) < at) low = middle + 1;
      else high = middle;
    }
    showAt(low);
  });
  canvas.addEventListener("pointerleave", hide);
  canvas.addEventListener("blur", hide);
  canvas.addEventListener("keydown", (event) => {
    const view = current();
    if (view?.kind !== "curves") return;
    const step = Math.ceil(view.x.length / 40);
    const next = { ArrowRight: place + step, ArrowLeft: place < 0 ? view.x.length - 1 : place - step, Home: 0, End: view.x.length }[event.key];
    if (event.key === "Escape") hide();
    if (next === undefined) return;
    event.preventDefault();
    showAt(next);
  });
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
