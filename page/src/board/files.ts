// Pictures and numbers as files.

import { colourOf, element, put } from "../chart/svg";
import type { Board, Curves, Line, Mode, View, Views } from "../documents";
import { sceneRows } from "../scenes/views";
import { fontRules } from "./fonts";

/** An SVG that needs no page around it: colours written out, the font inside. */
export async function svgText(svg: SVGSVGElement): Promise<string> {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  put(copy, { xmlns: "http://www.w3.org/2000/svg", "font-family": "IBM Plex Sans, sans-serif" });
  const styles = getComputedStyle(document.documentElement);
  const resolved = (text: string) =>
    text.replace(/var\(--([a-z]+)(?:,[^)]*)?\)/g, (_, name: string) => styles.getPropertyValue(`--${name}`).trim());
  copy.prepend(element("style", {}, await fontRules()));
  copy.prepend(element("rect", { width: "100%", height: "100%", fill: colourOf("background") }));
  return resolved(new XMLSerializer().serializeToString(copy)).replaceAll(
    "currentColor",
    styles.getPropertyValue("--muted").trim(),
  );
}

const EDGE = 16;

/** A picture under its title, over what gives the same numbers: what one sends on needs no page around it. */
export function sheetOf(picture: SVGSVGElement, { title, question }: Board, notes: string[]): SVGSVGElement {
  const [wide, high] = [Number(picture.getAttribute("width")), Number(picture.getAttribute("height"))];
  const all = element("svg");
  let top = EDGE;
  const write = (text: string, size: number, weight = 400, fill = "var(--ink)") => {
    top += size * 1.4;
    all.append(element("text", { x: EDGE, y: top, "font-size": size, "font-weight": weight, fill }, text));
  };
  write(title, 20, 600);
  write(question, 13, 400, "var(--muted)");
  put(picture, { x: EDGE, y: top + EDGE });
  all.append(picture);
  top += high + 2 * EDGE;
  for (const note of notes) write(note, 11, 400, "var(--muted)");
  // Words of a sans serif are at most so wide.
  const words = Math.max(...notes.map((note) => note.length * 6), title.length * 12);
  const [width, height] = [Math.max(wide, words) + 2 * EDGE, top + EDGE];
  put(all, { width, height, viewBox: `0 0 ${width} ${height}` });
  return all;
}

/** The same as a PNG, twice as fine as on the screen unless so many times is asked for. */
export async function png(svg: SVGSVGElement, times = 2): Promise<Blob> {
  const image = new Image();
  const text = await svgText(svg);
  await new Promise((done, failed) => {
    image.onload = done;
    image.onerror = () => failed(new Error("This browser does not draw the picture; take the SVG"));
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  });
  const canvas = document.createElement("canvas");
  canvas.width = times * Number(svg.getAttribute("width"));
  canvas.height = times * Number(svg.getAttribute("height"));
  await image.decode(); // with the font
  const context = canvas.getContext("2d");
  context?.scale(times, times);
  context?.drawImage(image, 0, 0);
  return new Promise((done, failed) =>
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("This browser makes no PNG; take the SVG"))), "image/png"),
  );
}

type Cell = string | number;

/** The controls, the lines and the points that matter in base units, a row for each number; dimensions beside them. */
export function csv(board: Board, { modes, controls, views }: Views): string {
  const rows: Cell[][] = [["mode", "view", "line", "x", "y", "high", "x_dimension", "y_dimension"]];
  for (const mode of modes) {
    for (const { name, dimension } of board.controls)
      rows.push([mode, "controls", name, "", controls[mode]?.[name] ?? "", "", "", dimension]);
    views.forEach((view, place) => {
      const { x, y } = view.axes;
      for (const [line, along, up, high] of numbers(view, mode))
        rows.push([mode, view.heading || place + 1, line, along, up, high ?? "", x.dimension, y.dimension]);
    });
  }
  return `${rows.map((row) => row.map(cell).join(",")).join("\r\n")}\r\n`;
}

type Numbers = [line: Cell, x: Cell, y: Cell, high?: Cell][];

function numbers(view: View, mode: Mode): Numbers {
  switch (view.kind) {
    case "curves": {
      const picture = view.pictures[mode];
      return picture ? ofCurves(picture) : [];
    }
    case "table":
      return (view.pictures[mode]?.values ?? []).flatMap((row, down) =>
        row.map((value, place): Numbers[number] => [`row ${down}`, place, value]),
      );
    case "sheet": {
      const { columns = [], rows = [] } = view.pictures[mode] ?? {};
      return rows.flatMap(([name = "", ...cells]) =>
        cells.map((text, place): Numbers[number] => [name, columns[place + 1] ?? "", text]),
      );
    }
    default:
      return sceneRows(view, mode);
  }
}

function ofCurves({ x, lines, marks, dots }: Curves): Numbers {
  // What nothing reaches has no number.
  const reached = ({ out_of_reach_from: end = Infinity }: Line, y: number): Cell => (y < end ? y : "");
  return [
    ...lines.flatMap((line) =>
      line.y.map((y, place): Numbers[number] => [line.name, x[place] ?? "", reached(line, y), line.high?.[place] ?? ""]),
    ),
    ...marks.map((mark): Numbers[number] => [`point: ${mark.name}`, mark.x, mark.y]),
    ...dots.flatMap((group) =>
      group.x.map((along, place): Numbers[number] => [
        named(group.name, group.names?.[place] || group.labels[place]),
        along,
        group.y[place] ?? "",
      ]),
    ),
  ];
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
