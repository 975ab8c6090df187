// A table of words as it is written on a blackboard: columns as wide as they need, cells wrapped where there is less room.

import type { Sheet as SheetDocument } from "../documents";
import { FONT, LINE, measure, wrapped } from "./measure";
import { at } from "./numbers";
import type { Painter } from "./panels";
import type { Size } from "./stage";
import { matched, part, put, tenth, write } from "./svg";

const GAP = 18;
const LEAST_COLUMN = 34;
const TALLEST_ROW = 40;
const MOST_SCALE = 1.25;
const PADDING = 8;
const BOLD = 600;
const LEAST_SCALE = 0.48;

export class Sheet implements Painter<SheetDocument> {
  private readonly inner: SVGGElement;
  private readonly shades: SVGGElement;
  private readonly cells: SVGGElement;
  private readonly rule: SVGPathElement;

  constructor(body: SVGGElement) {
    this.inner = part(body, "g", { "font-size": FONT });
    this.shades = part(this.inner, "g", { fill: "var(--beyond)" });
    this.cells = part(this.inner, "g");
    this.rule = part(this.inner, "path", { stroke: "var(--muted)", fill: "none" });
  }

  paint(picture: SheetDocument, size: Size): void {
    const rows = [picture.columns, ...picture.rows];
    const isBold = (down: number) => !down || picture.bold.includes(down - 1);
    const laid = lay(rows, isBold, size);
    const { widths, scale, heights } = laid;
    const lefts = widths.map((_, column) => sum(widths.slice(0, column)) + GAP * column);
    const tops = heights.map((_, down) => sum(heights.slice(0, down)));
    put(this.inner, { transform: `scale(${scale.toFixed(4)})` });
    const bold = picture.bold.filter((row) => row + 1 < rows.length);
    matched(this.shades, bold.length, () => part(this.shades, "rect")).forEach((shade, which) => {
      const down = at(bold, which) + 1;
      put(shade, {
        x: -6,
        y: tenth(at(tops, down)),
        width: tenth(sum(widths) + GAP * (widths.length - 1) + 12),
        height: tenth(at(heights, down)),
      });
    });
    const all = rows.flatMap((row, down) => row.map((text, column) => ({ text, down, column })));
    matched(this.cells, all.length, () => part(this.cells, "g")).forEach((cell, which) => {
      const { down, column } = at(all, which);
      const words = laid.words[down]?.[column] ?? [];
      const y = at(tops, down) + (at(heights, down) - words.length * LINE) / 2 + FONT - 1;
      put(cell, {
        transform: `translate(${tenth(at(lefts, column))},${tenth(y)})`,
        fill: down && (isBold(down) || !column) ? "var(--ink)" : "var(--muted)",
        "font-weight": isBold(down) ? BOLD : 400,
      });
      write(cell, words, LINE, {});
    });
    const first = tenth(at(heights, 0));
    put(this.rule, { d: `M0,${first} L${tenth(sum(widths) + GAP * (widths.length - 1))},${first}` });
  }

  shape(): null {
    return null;
  }

  step(): boolean {
    return false;
  }

  at(): null {
    return null;
  }
}

interface Laid {
  widths: number[];
  heights: number[];
  words: string[][][];
  scale: number;
}

/** As large as fits: wrapped first, then drawn smaller. */
function lay(rows: readonly string[][], isBold: (down: number) => boolean, size: Size): Laid {
  let laid = wrap(rows, isBold, size.width);
  for (let scale = MOST_SCALE; scale > LEAST_SCALE; scale -= 0.05) {
    laid = { ...wrap(rows, isBold, size.width / scale), scale };
    const wide = sum(laid.widths) + GAP * (laid.widths.length - 1);
    if (sum(laid.heights) * scale <= size.height && wide * scale <= size.width + 1) break;
  }
  const spare = size.height / laid.scale - sum(laid.heights);
  const extra = Math.max(0, spare / rows.length);
  return { ...laid, heights: laid.heights.map((height) => Math.max(height, Math.min(TALLEST_ROW, height + extra))) };
}

function wrap(rows: readonly string[][], isBold: (down: number) => boolean, width: number): Laid {
  const count = rows[0]?.length ?? 0;
  const wide = (down: number) => (text: string) => measure(text, FONT, isBold(down) ? BOLD : 400);
  const columns = Array.from({ length: count }, (_, column) => {
    const cells = rows.map((row, down) => ({ text: row[column] ?? "", wide: wide(down) }));
    return {
      whole: Math.max(LEAST_COLUMN, ...cells.map((cell) => cell.wide(cell.text))),
      word: Math.max(LEAST_COLUMN, ...cells.flatMap((cell) => cell.text.split(" ").map(cell.wide))),
    };
  });
  const room = width - GAP * (count - 1);
  const [wholes, least] = [sum(columns.map((one) => one.whole)), sum(columns.map((one) => one.word))];
  // Between the longest word and the whole text, all columns give up the same part.
  const kept = wholes <= room ? 1 : Math.max(0, Math.min(1, (room - least) / (wholes - least || 1)));
  const spread = wholes < room ? Math.min(60, (room - wholes) / Math.max(1, count - 1)) : 0;
  const widths = columns.map((one) => one.word + (one.whole - one.word) * kept + spread);
  const words = rows.map((row, down) =>
    row.map((text, column) => (text ? wrapped(text, at(widths, column) + 0.5, wide(down)) : [])),
  );
  const heights = words.map((row) => Math.max(1, ...row.map((lines) => lines.length)) * LINE + PADDING);
  return { widths, heights, words, scale: 1 };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
