// The same drawing for several models or machines, over the same axes; one is chosen by a click.

import type { Axes, Multiples, Small } from "../documents";
import { clamped, type Drawing, type Handles, measured, part, set } from "./drawing";

const SMALL = 12;
const FONT = 14;
const LEFT = 34;
const BOTTOM = 40;
const TOP = 20;
const GAP = 16;
const HEADER = 26;

export class MultiplesDrawing implements Drawing<Multiples> {
  readonly svg = part("svg", { role: "group" });
  private picture: Multiples | null = null;
  private axes: Axes | null = null;
  private chosen = "";

  constructor(private readonly handles: Handles) {}

  seconds(): number {
    return 0;
  }

  show(picture: Multiples, axes: Axes): void {
    this.picture = picture;
    this.axes = axes;
  }

  fit(width: number, room: number): number {
    const { picture, axes } = this;
    if (!picture || !axes) return 0;
    const columns = Math.min(picture.smalls.length, width < 480 ? 2 : 3);
    const rows = Math.ceil(picture.smalls.length / columns);
    const wide = (width - LEFT - (columns - 1) * GAP) / columns;
    const high = clamped((room - TOP - BOTTOM) / rows - HEADER - GAP, 84, wide * 0.55);
    const bottom = TOP + rows * (high + HEADER + GAP) - GAP;
    const focused =
      document.activeElement instanceof SVGElement && this.svg.contains(document.activeElement)
        ? document.activeElement.dataset.name
        : "";
    this.svg.replaceChildren(part("text", { x: 0, y: 12, "font-size": SMALL, fill: "var(--muted)" }, `↑ ${axes.y.caption}`));
    picture.smalls.forEach((small, place) => {
      const [column, row] = [place % columns, Math.floor(place / columns)];
      const box = { left: LEFT + column * (wide + GAP), top: TOP + row * (high + HEADER + GAP) + HEADER, wide, high };
      const isLowest = place + columns >= picture.smalls.length;
      this.svg.append(this.small(small, box, !column, column === columns - 1, isLowest));
    });
    this.svg.append(part("text", { x: LEFT, y: bottom + 36, "font-size": SMALL, fill: "var(--muted)" }, `${axes.x.caption} →`));
    for (const one of this.svg.children) if (focused && one instanceof SVGElement && one.dataset.name === focused) one.focus();
    return bottom + BOTTOM;
  }

  draw(): void {}

  now(): string {
    return "";
  }

  described(): string {
    const { picture } = this;
    return picture ? `${picture.text}. ${picture.smalls.map((one) => `${one.name}: ${one.text}`).join("; ")}` : "";
  }

  private small(
    small: Small,
    { left, top, wide, high }: { left: number; top: number; wide: number; high: number },
    isFirst: boolean,
    isLast: boolean,
    isLowest: boolean,
  ): SVGGElement {
    const picture = this.picture as Multiples;
    const [low, most] = [picture.x[0] as number, picture.x[picture.x.length - 1] as number];
    const across = (x: number) => left + (wide * Math.log(x / low)) / Math.log(most / low);
    const up = (y: number) => top + high - (high * Math.log(y / picture.bottom)) / Math.log(picture.top / picture.bottom);
    const group = part("g", {
      "data-name": small.name,
      ...(this.handles.choose ? { role: "button", tabindex: 0, "aria-label": `${small.name}: ${small.text}` } : {}),
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
    const frame = part("rect", {
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
      part(
        "text",
        { x: left, y: top - 8, "font-size": FONT, "font-weight": 600, fill: "var(--ink)" },
        fitted(small.name, wide),
      ),
    );
    group.append(frame);
    for (const { at } of picture.y_ticks)
      group.append(part("line", { x1: left, x2: left + wide, y1: up(at), y2: up(at), stroke: "var(--background)" }));
    for (const one of picture.smalls) if (one !== small) group.append(this.line(one.y, across, up, "var(--muted)", 0.16, 1));
    group.append(
      this.line(picture.reference, across, up, "var(--muted)", 0.9, 1.5, "5 4"),
      this.line(small.y, across, up, "var(--ink)", 1, 3),
    );
    const [x, y] = [across(small.mark_x), up(small.mark_y)];
    const text = part("text", { x: x - 2, y: y - 9, "font-size": FONT, "font-weight": 600, fill: "var(--kv)" }, small.text);
    const half = measured(small.text, FONT, 600) / 2;
    set(text, { "text-anchor": "middle", x: Math.min(left + wide - half - 4, Math.max(left + half + 4, x - half * 0.6)) });
    group.append(
      part("circle", { cx: x, cy: y, r: 4.5, fill: "var(--kv)", stroke: "var(--background)", "stroke-width": 1.5 }),
      text,
    );
    if (isFirst)
      for (const { at, text: said } of picture.y_ticks)
        group.append(
          part("text", { x: left - 5, y: up(at) + 4, "font-size": SMALL, "text-anchor": "end", fill: "var(--muted)" }, said),
        );
    if (isLowest)
      for (const { at, text: said } of picture.x_ticks.filter(
        ({ at }, place) => (wide > 240 || place % 2 === 0) && (isLast || at < most),
      ))
        group.append(
          part(
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

  private line(
    y: number[],
    across: (x: number) => number,
    up: (y: number) => number,
    stroke: string,
    opacity: number,
    width: number,
    dash = "",
  ): SVGPathElement {
    const picture = this.picture as Multiples;
    const ceiling = up(picture.top);
    const points: string[] = [];
    for (const [place, height] of y.entries()) {
      const [x, at] = [across(picture.x[place] as number), up(height)];
      if (at >= ceiling) points.push(`${x.toFixed(1)} ${at.toFixed(1)}`);
      else {
        // The last piece ends at the upper edge.
        const before = place ? up(y[place - 1] as number) : at;
        const from = place ? across(picture.x[place - 1] as number) : x;
        if (before > ceiling)
          points.push(`${(from + ((x - from) * (before - ceiling)) / (before - at)).toFixed(1)} ${ceiling}`);
        break;
      }
    }
    return part("path", {
      d: `M${points.join("L")}`,
      fill: "none",
      stroke,
      "stroke-opacity": opacity,
      "stroke-width": width,
      "stroke-linejoin": "round",
      ...(dash ? { "stroke-dasharray": dash } : {}),
    });
  }
}

/** As much of a name as there is room for. */
function fitted(name: string, wide: number): string {
  let shown = name;
  while (shown.length > 4 && measured(shown, FONT, 600) > wide) shown = `${shown.slice(0, -2)}…`;
  return shown;
}
