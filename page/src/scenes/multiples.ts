// The same drawing for several models or machines, over the same axes; one is chosen by a click.

import type { Measure } from "../chart/measure";
import { at, clamp } from "../chart/numbers";
import { type Attributes, element, put } from "../chart/svg";
import type { Axes, Multiples, Small } from "../documents";
import { called } from "../state/called";
import type { Drawing, Handles } from "./drawing";

const SMALL = 12;
const FONT = 14;
const LEFT = 34;
const BOTTOM = 40;
const TOP = 20;
const GAP = 16;
const HEADER = 26;
/** Of a small picture, and of its width the most that it is high. */
const LEAST_HEIGHT = 84;
const FLATTEST = 0.55;

export class MultiplesDrawing implements Drawing<Multiples> {
  readonly svg = element("svg", { role: "group" });
  private picture: Multiples | null = null;
  private captions = { x: "", y: "" };
  private measure: Measure = () => 0;
  private chosen = "";

  constructor(private readonly handles: Handles) {}

  seconds(): number {
    return 0;
  }

  show(picture: Multiples, axes: Axes): void {
    this.picture = picture;
    this.captions = { x: axes.x.caption, y: axes.y.caption };
  }

  fit(width: number, room: number, measure: Measure): number {
    const picture = this.picture;
    if (!picture) return 0;
    this.measure = measure;
    const columns = Math.min(picture.smalls.length, width < 480 ? 2 : 3);
    const rows = Math.ceil(picture.smalls.length / columns);
    const wide = (width - LEFT - (columns - 1) * GAP) / columns;
    const high = clamp((room - TOP - BOTTOM) / rows - HEADER - GAP, Math.min(LEAST_HEIGHT, wide * FLATTEST), wide * FLATTEST);
    const bottom = TOP + rows * (high + HEADER + GAP) - GAP;
    const focused =
      document.activeElement instanceof SVGElement && this.svg.contains(document.activeElement)
        ? document.activeElement.dataset.name
        : "";
    this.svg.replaceChildren(
      element("text", { x: 0, y: 12, "font-size": SMALL, fill: "var(--muted)" }, `↑ ${this.captions.y}`),
    );
    picture.smalls.forEach((small, place) => {
      const [column, row] = [place % columns, Math.floor(place / columns)];
      const box = { left: LEFT + column * (wide + GAP), top: TOP + row * (high + HEADER + GAP) + HEADER, wide, high };
      const isLowest = place + columns >= picture.smalls.length;
      this.svg.append(this.small(picture, small, box, !column, column === columns - 1, isLowest));
    });
    this.svg.append(
      element("text", { x: LEFT, y: bottom + 36, "font-size": SMALL, fill: "var(--muted)" }, `${this.captions.x} →`),
    );
    for (const one of this.svg.children) if (focused && one instanceof SVGElement && one.dataset.name === focused) one.focus();
    return bottom + BOTTOM;
  }

  draw(): void {}

  now(): string {
    return "";
  }

  described(): string {
    const { picture } = this;
    return picture ? `${picture.text}. ${picture.smalls.map((one) => `${called(one.name)}: ${one.text}`).join("; ")}` : "";
  }

  private small(
    picture: Multiples,
    small: Small,
    { left, top, wide, high }: { left: number; top: number; wide: number; high: number },
    isFirst: boolean,
    isLast: boolean,
    isLowest: boolean,
  ): SVGGElement {
    const [low, most] = [at(picture.x, 0), at(picture.x, picture.x.length - 1)];
    const across = (x: number) => left + (wide * Math.log(x / low)) / Math.log(most / low);
    const up = (y: number) => top + high - (high * Math.log(y / picture.bottom)) / Math.log(picture.top / picture.bottom);
    const line = (y: number[], style: Attributes) =>
      element("path", { d: pathUpTo(picture, y, across, up), fill: "none", "stroke-linejoin": "round", ...style });
    const group = element("g", {
      "data-name": small.name,
      ...(this.handles.choose ? { role: "button", tabindex: 0, "aria-label": `${called(small.name)}: ${small.text}` } : {}),
    });
    if (this.handles.choose) {
      const choose = () => {
        this.chosen = small.name;
        this.handles.choose?.({ [picture.chooses]: small.name });
      };
      group.addEventListener("click", choose);
      group.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        choose();
      });
    }
    const isChosen = this.chosen === small.name;
    const frame = element("rect", {
      class: "frame",
      x: left,
      y: top,
      width: wide,
      height: high,
      fill: "var(--beyond)",
      stroke: "var(--ink)",
      "stroke-opacity": isChosen ? 1 : 0,
    });
    group.append(
      element(
        "text",
        { x: left, y: top - 8, "font-size": FONT, "font-weight": 600, fill: "var(--ink)" },
        this.fitted(called(small.name), wide),
      ),
    );
    group.append(frame);
    for (const { at } of picture.y_ticks)
      group.append(element("line", { x1: left, x2: left + wide, y1: up(at), y2: up(at), stroke: "var(--background)" }));
    for (const one of picture.smalls)
      if (one !== small) group.append(line(one.y, { stroke: "var(--muted)", "stroke-opacity": 0.16 }));
    group.append(
      line(picture.reference, {
        stroke: "var(--muted)",
        "stroke-opacity": 0.9,
        "stroke-width": 1.5,
        "stroke-dasharray": "5 4",
      }),
      line(small.y, { stroke: "var(--ink)", "stroke-width": 3 }),
    );
    const [x, y] = [across(small.mark_x), up(small.mark_y)];
    const text = element("text", { x: x - 2, y: y - 9, "font-size": FONT, "font-weight": 600, fill: "var(--kv)" }, small.text);
    const half = this.measure(small.text, FONT, 600) / 2;
    put(text, { "text-anchor": "middle", x: Math.min(left + wide - half - 4, Math.max(left + half + 4, x - half * 0.6)) });
    group.append(
      element("circle", { cx: x, cy: y, r: 4.5, fill: "var(--kv)", stroke: "var(--background)", "stroke-width": 1.5 }),
      text,
    );
    if (isFirst)
      for (const { at, text: said } of picture.y_ticks)
        group.append(
          element("text", { x: left - 5, y: up(at) + 4, "font-size": SMALL, "text-anchor": "end", fill: "var(--muted)" }, said),
        );
    if (isLowest)
      for (const { at, text: said } of picture.x_ticks.filter(
        ({ at }, place) => (wide > 240 || place % 2 === 0) && (isLast || at < most),
      ))
        group.append(
          element(
            "text",
            {
              x: across(at),
              y: top + high + 16,
              "font-size": SMALL,
              "text-anchor": at === low ? "start" : at === most ? "end" : "middle",
              fill: "var(--muted)",
            },
            said,
          ),
        );
    return group;
  }

  /** As much of a name as there is room for. */
  private fitted(name: string, wide: number): string {
    let shown = name;
    while (shown.length > 4 && this.measure(shown, FONT, 600) > wide) shown = `${shown.slice(0, -2)}…`;
    return shown;
  }
}

/** A line in pixels up to where it leaves its frame at the upper edge. */
function pathUpTo({ x: all, top }: Multiples, y: number[], across: (x: number) => number, up: (y: number) => number): string {
  const ceiling = up(top);
  const points: string[] = [];
  for (const [place, height] of y.entries()) {
    const [x, now] = [across(at(all, place)), up(height)];
    if (now < ceiling) {
      // The last piece ends at the edge.
      const before = place ? up(at(y, place - 1)) : now;
      const from = place ? across(at(all, place - 1)) : x;
      if (before > ceiling) points.push(`${(from + ((x - from) * (before - ceiling)) / (before - now)).toFixed(1)} ${ceiling}`);
      break;
    }
    points.push(`${x.toFixed(1)} ${now.toFixed(1)}`);
  }
  return points.length ? `M${points.join("L")}` : "";
}
