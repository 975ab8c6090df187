// What is seen, taken along: as a picture, as numbers, as a link.

import type { Board, View, Views } from "./api";

/** An SVG that needs no page around it: colours written out. */
export function svgText(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("font-family", "sans-serif");
  const styles = getComputedStyle(document.documentElement);
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of [["width", "100%"], ["height", "100%"], ["fill", "var(--background)"]] as const)
    ground.setAttribute(name, value);
  copy.prepend(ground);
  return new XMLSerializer()
    .serializeToString(copy)
    .replace(/var\(--([a-z]+)\)/g, (_, name: string) => styles.getPropertyValue(`--${name}`).trim())
    .replaceAll("currentColor", styles.getPropertyValue("--muted").trim());
}

/** All of a board's pictures in one, row by row, with what was asked and what gives the same numbers. */
export function together(figures: HTMLElement[], [question, ...commands]: string[]): SVGSVGElement {
  const all = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  let [top, wide] = [16, 0];
  const name = (text: string, x: number, y: number, size: number, weight = "400") => {
    const words = document.createElementNS("http://www.w3.org/2000/svg", "text");
    for (const [key, value] of Object.entries({ x, y, "font-size": size, "font-weight": weight, fill: "var(--ink)" }))
      words.setAttribute(key, String(value));
    words.textContent = text;
    all.append(words);
    // Bold words of a sans serif are at most so wide.
    wide = Math.max(wide, x + 0.62 * size * text.length);
  };
  name(document.getElementById("title")!.textContent ?? "", 12, (top += 16), 20, "700");
  name(question ?? "", 12, (top += 22), 13);
  for (const figure of figures) {
    const svg = figure.querySelector("svg");
    if (!svg) continue;
    const heading = figure.querySelector("figcaption")?.textContent ?? "";
    name(heading, 12, (top += 30), 15, "700");
    name(figure.querySelector(".upright")?.textContent ?? "", 12, (top += 20), 13);
    const copy = svg.cloneNode(true) as SVGSVGElement;
    copy.setAttribute("x", "0");
    copy.setAttribute("y", String(top + 6));
    all.append(copy);
    top += 6 + svg.clientHeight;
    name(figure.querySelector(".along")?.textContent ?? "", 72, (top += 14), 13);
    wide = Math.max(wide, svg.clientWidth + 20);
  }
  top += 12;
  for (const line of commands) name(line, 12, (top += 18), 11);
  all.setAttribute("width", String(wide));
  all.setAttribute("height", String(top + 16));
  all.setAttribute("viewBox", `0 0 ${wide} ${top + 16}`);
  return all;
}

/** The same as a PNG, twice as fine as on the screen. */
export async function png(svg: SVGSVGElement): Promise<Blob> {
  const text = svgText(svg);
  const image = new Image();
  await new Promise((done, failed) => {
    image.onload = done;
    image.onerror = failed;
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  });
  const canvas = document.createElement("canvas");
  canvas.width = 2 * Number(svg.getAttribute("width"));
  canvas.height = 2 * Number(svg.getAttribute("height"));
  const context = canvas.getContext("2d")!;
  context.scale(2, 2);
  context.drawImage(image, 0, 0);
  return new Promise((done, failed) =>
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("no picture"))), "image/png"),
  );
}

/** The controls, the lines and the points that matter in base units, a row for each number; dimensions beside them. */
export function csv(board: Board, shown: Views[]): string {
  const rows: Cell[][] = [["mode", "view", "line", "x", "y", "high", "x_dimension", "y_dimension"]];
  for (const { mode, controls, views } of shown) {
    for (const { name, dimension } of board.controls) rows.push([mode, "controls", name, "", controls[name]!, "", "", dimension]);
    views.forEach((view, place) => {
      const { x, y } = view.axes;
      for (const [line, along, up, high] of numbers(view))
        rows.push([mode, view.heading || place + 1, line, along, up, high ?? "", x.dimension, y.dimension]);
    });
  }
  return rows.map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";
}

type Cell = string | number;

function numbers(view: View): [line: Cell, x: Cell, y: Cell, high?: Cell][] {
  switch (view.kind) {
    case "curves":
      return [
        ...view.lines.flatMap((line) =>
          line.y.map((y, place): [Cell, Cell, Cell, Cell] => [line.name, view.x[place]!, y, line.high?.[place] ?? ""]),
        ),
        ...view.marks.map((mark): [Cell, Cell, Cell] => [`point: ${mark.name}`, mark.x, mark.y]),
        ...view.dots.flatMap((dots) =>
          dots.x.map((x, place): [Cell, Cell, Cell] => [named(dots.name, dots.labels[place]), x, dots.y[place]!]),
        ),
      ];
    case "table":
      return view.values.flatMap((row, down) => row.map((value, place): [Cell, Cell, Cell] => [`row ${down}`, place, value]));
    case "timeline":
      return view.blocks.flatMap((block): [Cell, Cell, Cell][] => [
        [`${view.rows[block.row]} ${block.text}`, block.start, 1],
        [`${view.rows[block.row]} ${block.text}`, block.end, 0],
      ]);
    case "sheet":
      return view.rows.flatMap((row) => row.slice(1).map((text, place): [Cell, Cell, Cell] => [row[0]!, view.columns[place + 1]!, text]));
    case "schematic":
      return view.boxes.filter((box) => box.text).map((box): [Cell, Cell, Cell] => [box.text, box.x, box.y]);
  }
}

/** A dot by its own name and that of all of them; one without a name is one of those. */
function named(group: string, label: string | undefined): string {
  return label ? `${group}: ${label}` : group;
}

function cell(value: Cell): string {
  const text = String(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
