// Numbers by row and column, the darker the larger.

import type { Table as TableDocument } from "../documents";
import { FONT, LINE, SMALL } from "./measure";
import { at } from "./numbers";
import type { Painter } from "./panels";
import type { Shown, Size } from "./stage";
import { matched, part, put, say, tenth } from "./svg";

const LEFT = 44;
const TOP = LINE + 4;
const FOOT = 40;
const LEAST_CELL = 18;
/** Cells are square, up to so many times as wide as high. */
const WIDEST = 1.6;
/** Above that part of the largest a cell is so dark that words in it are of the ground's colour. */
const DARK = 0.66;

export class Table implements Painter<TableDocument> {
  private readonly board: SVGRectElement;
  private readonly cells: SVGGElement;
  private readonly words: SVGGElement;
  private readonly image: SVGImageElement;
  private readonly along: SVGGElement;
  private readonly down: SVGGElement;
  private readonly captions: [SVGTextElement, SVGTextElement];
  private picture: TableDocument | null = null;
  private shown: Shown | null = null;
  private room = { wide: 0, high: 0 };
  /** What the image shows: it is drawn anew for other numbers alone. */
  private painted = "";

  constructor(body: SVGGElement) {
    this.board = part(body, "rect", { fill: "var(--beyond)" });
    this.cells = part(body, "g", { fill: "var(--also)" });
    this.image = part(body, "image", { preserveAspectRatio: "none", style: "image-rendering: pixelated" });
    this.words = part(body, "g", { "text-anchor": "middle" });
    this.along = part(body, "g", { fill: "var(--muted)", "text-anchor": "middle" });
    this.down = part(body, "g", { fill: "var(--muted)", "text-anchor": "end" });
    this.captions = [
      part(body, "text", { fill: "var(--muted)", "text-anchor": "middle" }),
      part(body, "text", { fill: "var(--muted)" }),
    ];
  }

  paint(picture: TableDocument, size: Size, shown: Shown): void {
    const { values } = picture;
    const [rows, columns] = [values.length, values[0]?.length ?? 0];
    const high = Math.max(20, size.height - FOOT - TOP);
    const wide = Math.max(20, Math.min(size.width - LEFT, (WIDEST * high * columns) / Math.max(1, rows)));
    this.picture = picture;
    this.shown = shown;
    this.room = { wide, high };
    const largest = Math.max(...values.map((row) => Math.max(...row)), Number.MIN_VALUE);
    put(this.board, { x: LEFT, y: TOP, width: tenth(wide), height: tenth(high) });
    if (picture.is_written) this.write(values, largest, wide / columns, high / rows);
    else this.shade(values, largest, wide, high);
    put(this.image, { visibility: picture.is_written ? "hidden" : "inherit" });

    const { x, y } = shown.view.axes;
    const ticks = (
      parent: SVGGElement,
      count: number,
      set: (text: SVGTextElement, place: number) => void,
      dimension: string,
    ) => {
      const places = quarters(count);
      matched(parent, places.length, () => part(parent, "text")).forEach((text, which) => {
        const place = at(places, which);
        set(text, place);
        say(text, shown.units(place + picture.first, dimension));
      });
    };
    const foot = TOP + high + SMALL + 4;
    ticks(
      this.along,
      columns,
      (text, place) => put(text, { x: tenth(LEFT + ((place + 0.5) * wide) / columns), y: tenth(foot) }),
      x.dimension,
    );
    ticks(
      this.down,
      rows,
      (text, place) => put(text, { x: LEFT - 8, y: tenth(TOP + ((place + 0.5) * high) / rows + 4) }),
      y.dimension,
    );
    put(this.captions[0], { x: tenth(LEFT + wide / 2), y: tenth(foot + LINE) });
    say(this.captions[0], x.caption);
    put(this.captions[1], { x: 0, y: SMALL });
    say(this.captions[1], `down: ${y.caption}`);
  }

  private write(values: readonly number[][], largest: number, wide: number, high: number): void {
    const all = values.flatMap((row, down) =>
      row.map((value, place) => ({ value, x: LEFT + place * wide, y: TOP + down * high })),
    );
    matched(this.cells, all.length, () => part(this.cells, "rect")).forEach((cell, which) => {
      const { value, x, y } = at(all, which);
      put(cell, {
        x: tenth(x),
        y: tenth(y),
        width: tenth(wide),
        height: tenth(high),
        "fill-opacity": (value / largest).toFixed(3),
      });
    });
    const isWritten = Math.min(wide, high) >= LEAST_CELL;
    matched(this.words, isWritten ? all.length : 0, () => part(this.words, "text")).forEach((text, which) => {
      const { value, x, y } = at(all, which);
      put(text, {
        x: tenth(x + wide / 2),
        y: tenth(y + high / 2 + 4),
        "font-size": tenth(Math.min(FONT, 0.62 * wide)),
        fill: value / largest > DARK ? "var(--background)" : "var(--ink)",
      });
      say(text, value ? String(Number(value.toPrecision(3))) : "");
    });
  }

  /** So many cells that they are points of an image. */
  private shade(values: readonly number[][], largest: number, wide: number, high: number): void {
    put(this.image, { x: LEFT, y: TOP, width: tenth(wide), height: tenth(high) });
    for (const group of [this.cells, this.words]) group.replaceChildren();
    const colour = getComputedStyle(document.documentElement).getPropertyValue("--also").trim();
    const key = `${colour} ${JSON.stringify(values)}`;
    if (key === this.painted) return;
    this.painted = key;
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [values[0]?.length ?? 1, values.length];
    const pen = canvas.getContext("2d");
    if (!pen) return;
    pen.fillStyle = colour;
    for (const [down, row] of values.entries())
      for (const [place, value] of row.entries()) {
        pen.globalAlpha = value / largest;
        pen.fillRect(place, down, 1, 1);
      }
    put(this.image, { href: canvas.toDataURL() });
  }

  shape({ values }: TableDocument): number {
    return (values[0]?.length ?? 1) / Math.max(1, values.length);
  }

  step(): boolean {
    return false;
  }

  at(x: number, y: number): string | null {
    const [picture, shown] = [this.picture, this.shown];
    const { wide, high } = this.room;
    if (!picture || !shown) return null;
    const column = Math.floor(((x - LEFT) / wide) * (picture.values[0]?.length ?? 0));
    const row = Math.floor(((y - TOP) / high) * picture.values.length);
    const value = picture.values[row]?.[column];
    if (value === undefined) return null;
    const { x: along, y: down } = shown.view.axes;
    const name = (place: number, dimension: string) => shown.units(place + picture.first, dimension);
    return `${down.caption} ${name(row, down.dimension)}, ${along.caption} ${name(column, along.dimension)}: ${Number(value.toPrecision(4))}`;
  }
}

/** Four places of so many, evenly, each once. */
function quarters(count: number): number[] {
  return [...new Set([0, 0.25, 0.5, 0.75].map((fraction) => Math.floor(fraction * count)))];
}
