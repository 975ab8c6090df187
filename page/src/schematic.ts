// Sheets and schematics: a table as it is written on a blackboard, and parts with what connects them.

import type { Schematic, Sheet } from "./api";
import { drawn } from "./dom";

const FONT = 13;
const PADDING = 14;
const ROW = 40;
const ARROW = 7;
/** Smaller words are left out; the picture's text and the table of numbers have them. */
const LEAST_FONT = 6;

/** Columns as wide as their widest cell, a rule under their headings. */
export function sheet(view: Sheet, width: number, height: number, measured: (text: string) => number): SVGSVGElement {
  const svg = drawn("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "font-size": FONT });
  const rows = [view.columns, ...view.rows];
  const widths = view.columns.map((_, column) => Math.max(...rows.map((row) => measured(row[column]!))) + PADDING);
  const total = widths.reduce((sum, each) => sum + each, 0);
  // Where there is less room than words need, all of it is drawn smaller.
  const scale = Math.min(1, width / total);
  const stretch = Math.max(0, width - total) / widths.length;
  const high = Math.min(ROW, height / rows.length / scale);
  const inner = drawn("g", { transform: `scale(${scale})` });
  let left = 0;
  widths.forEach((wide, column) => {
    rows.forEach((row, down) => {
      if (!row[column]) return;
      const isBold = !down || view.bold.includes(down - 1);
      inner.append(
        drawn(
          "text",
          {
            x: left,
            y: high * (down + 0.5) + 4,
            fill: down && (isBold || !column) ? "var(--ink)" : "var(--muted)",
            "font-weight": isBold ? 700 : 400,
          },
          row[column]!,
        ),
      );
    });
    left += wide + stretch;
  });
  inner.append(drawn("line", { x1: 0, x2: left, y1: high, y2: high, stroke: "var(--muted)" }));
  svg.append(inner);
  return svg;
}

/** Frames at the back, cables over them, filled boxes in front; as large as fits. */
export function schematic(
  view: Schematic,
  width: number,
  height: number,
  measured: (text: string) => number,
): SVGSVGElement {
  const svg = drawn("svg", { width, height, viewBox: `0 0 ${width} ${height}`, "font-size": FONT });
  const scale = Math.min((width - 2) / view.width, (height - 2) / view.height);
  const at = (value: number) => 1 + value * scale;
  const [frames, filled] = [view.boxes.filter((box) => box.is_frame), view.boxes.filter((box) => !box.is_frame)];
  const draw = (box: Schematic["boxes"][number]) => {
    const colour = `var(--${box.colour})`;
    const [x, y, wide, high] = [at(box.x), at(box.y), box.width * scale, box.height * scale];
    const group = drawn("g", { "data-colour": box.colour });
    group.append(
      drawn("rect", {
        x,
        y,
        width: wide,
        height: high,
        fill: box.is_frame ? "none" : colour,
        stroke: box.is_frame ? colour : "var(--background)",
      }),
    );
    const words = box.text ? box.text.split("\n") : [];
    const widest = Math.max(1, ...words.map(measured));
    const size = Math.min(FONT, 0.8 * (high / Math.max(1, words.length)), FONT * ((wide - 4) / widest));
    if (!box.is_frame && size < LEAST_FONT) words.length = 0;
    words.forEach((word, line) =>
      group.append(
        drawn(
          "text",
          {
            x: x + wide / 2,
            y: box.is_frame ? y + FONT + 2 + line * FONT : y + high / 2 + (line - (words.length - 1) / 2) * size + size / 3,
            "text-anchor": "middle",
            "font-size": box.is_frame ? FONT : size,
            fill: box.is_frame ? colour : "var(--background)",
          },
          word,
        ),
      ),
    );
    svg.append(group);
  };
  frames.forEach(draw);
  view.cables.forEach((cable) => {
    const colour = `var(--${cable.colour})`;
    const [x1, y1, x2, y2] = [at(cable.x), at(cable.y), at(cable.to_x), at(cable.to_y)];
    const group = drawn("g", { "data-colour": cable.colour });
    group.append(
      drawn("line", {
        x1,
        y1,
        x2,
        y2,
        stroke: colour,
        "stroke-width": cable.width,
        ...(cable.is_dashed ? { "stroke-dasharray": "5 4" } : {}),
      }),
    );
    if (cable.is_arrow) {
      const angle = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
      group.append(
        drawn("path", { d: `M0,0 L${-ARROW},${-ARROW / 2} L${-ARROW},${ARROW / 2} Z`, fill: colour, transform: `translate(${x2},${y2}) rotate(${angle})` }),
      );
    }
    if (cable.text)
      group.append(drawn("text", { x: (x1 + x2) / 2 + 4, y: (y1 + y2) / 2 - 4, fill: colour }, cable.text));
    svg.append(group);
  });
  filled.forEach(draw);
  return svg;
}
