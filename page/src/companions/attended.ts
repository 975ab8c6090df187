// A context as a page of tokens, once for each kind of attention, and lit on it what a new token reads: areas are bytes.

import { SMALL } from "../chart/measure";
import { at } from "../chart/numbers";
import { element, matched, part, put, say, tenth } from "../chart/svg";
import type { Attended, Attention } from "../documents";
import { box } from "../machine/places";
import { format } from "../state/quantity";
import type { Drawn, Given } from "./played";
import { type Accompanied, costOf } from "./read";
import { write } from "./words";

/** Height of the names above, and of the words below; between two pages, where there is room, and where there is little. */
const HEAD = 21;
const FOOT = 19;
const APART = 30;
const NEAR = 10;
const NARROW = 600;
/** Of a side: tokens that are told apart by lines, and the most parts in which those that are picked lie. */
const TOLD = 24;
const PARTS = 80;
/** Where on a page the block lies that is read. */
const BLOCK = 0.6;

const count = (tokens: number) => format(tokens, "count");

function readOf({ curves, asked }: Accompanied, { line }: Attention, x: number): number | null {
  return line === asked ? null : costOf(curves, line, x);
}

/** What is read of a page, in words. */
function howOf({ picked_tokens: picked, is_root: isRoot }: Attention, x: number): string[] {
  if (isRoot) {
    const root = count(Math.sqrt(x));
    return [`a summary of each of ${root} blocks, and one block`, `${root} summaries, one block`, "summaries, a block"];
  }
  if (picked === null) return [`every one of ${count(x)} tokens`, `all ${count(x)}`];
  const whole = count(Math.min(picked, x));
  return [`an index of every token, and ${whole} tokens`, `index of all, ${whole} tokens`, `index, ${whole} tokens`];
}

export function saidOfAttended(shown: Accompanied, x: number): string {
  const { attended, text } = shown.companion as Attended;
  const each = attended.map((kind) => {
    const read = readOf(shown, kind, x);
    return read === null ? `${kind.line} is asked` : `${kind.line} ${count(read)}: ${at(howOf(kind, x), 0)}`;
  });
  return `${text} of ${count(x)} tokens, in tokens' worth. ${each.join("; ")}`;
}

interface Page {
  left: number;
  top: number;
  wide: number;
  high: number;
}

/** Of as many parts in rows and columns a picked number, anywhere among them, and always the same; the last one in part. */
export function picked(side: number, lit: number): { row: number; column: number; part: number }[] {
  const all = Array.from({ length: side * side }, (_, place) => ({ place, by: (Math.sin(place + 1) * 1e4) % 1 }));
  return all
    .sort((one, other) => one.by - other.by)
    .slice(0, Math.ceil(lit - 1e-9))
    .map(({ place }, nth) => ({ row: Math.floor(place / side), column: place % side, part: Math.min(1, lit - nth) }));
}

/** What is lit of a page. */
function litOf({ picked_tokens: tokens, index_fraction: index, is_root: isRoot }: Attention, x: number, page: Page): string {
  const { left, top, wide, high } = page;
  const side = Math.sqrt(x);
  if (isRoot) {
    // No thinner than is seen.
    const [column, row] = [Math.max(1, wide / side), Math.max(1, high / side)];
    return box(left, top, column, high) + box(left, top + Math.floor(BLOCK * side) * (high / side), wide, row);
  }
  if (tokens === null) return box(left, top, wide, high);
  const parts = Math.max(1, Math.min(PARTS, Math.floor(side)));
  const [across, down] = [wide / parts, high / parts];
  const cells = picked(parts, (tokens / x) * parts * parts).map(({ row, column, part }) =>
    box(left + column * across, top + row * down, Math.max(1, part * across), Math.max(1, down)),
  );
  // The index is kept beside the tokens.
  return box(left - index * wide - 2, top, index * wide, high) + cells.join("");
}

/** Lines between tokens, where these are few. */
function seamsOf(x: number, { left, top, wide, high }: Page): string {
  const side = Math.round(Math.sqrt(x));
  if (side > TOLD) return "";
  return Array.from({ length: side - 1 }, (_, nth) => {
    const part = (nth + 1) / side;
    return `M${tenth(left + part * wide)} ${top}v${tenth(high)}M${tenth(left)} ${tenth(top + part * high)}h${tenth(wide)}`;
  }).join("");
}

export class AttendedDrawing implements Drawn {
  readonly svg = element("svg", { "aria-hidden": "true" });
  private readonly pages = part(this.svg, "g");

  seconds(): number {
    return 0;
  }

  draw(given: Given): void {
    const { shown, x, width, height } = given;
    const { attended } = shown.companion as Attended;
    const apart = width < NARROW ? NEAR : APART;
    const slot = (width + apart) / attended.length;
    // All are as wide as leaves the largest index its room.
    const wide = (slot - apart) / (1 + Math.max(...attended.map((kind) => kind.index_fraction)));
    const high = height - HEAD - FOOT;
    matched(this.pages, attended.length, page).forEach((drawn, nth) => {
      const kind = at(attended, nth);
      const [free, lit, seams, guess, unknown, name, how] = [...drawn.children] as Parts;
      const read = readOf(shown, kind, x);
      const room = slot - apart;
      const start = nth * slot;
      const left = start + kind.index_fraction * wide + (kind.index_fraction ? 2 : 0);
      const place = { left, top: HEAD, wide: wide - 2, high };
      const colour = shown.curves.lines.find(({ name }) => name === kind.line)?.colour ?? "ink";
      put(free, { d: box(left, HEAD, place.wide, high) });
      put(lit, { "data-colour": colour, d: read === null ? "" : litOf(kind, x, place) });
      put(seams, { d: seamsOf(x, place) });
      // A guess is as many lines of the page.
      const part = read === null && shown.guess != null ? Math.min(1, shown.guess / x) : 0;
      put(guess, { d: part ? box(left + 0.75, HEAD, place.wide - 1.5, Math.max(1, part * high)) : "" });
      put(unknown, { x: tenth(left + place.wide / 2), y: tenth(HEAD + high / 2 + 8) });
      say(unknown, read === null && !part ? "?" : "");
      const says = read === null ? (part ? `you ${count(shown.guess ?? 0)}` : "?") : count(read);
      put(name, { "data-colour": colour });
      const whose = shown.whose && !nth ? `, ${shown.whose}` : "";
      const names = [`${kind.line} reads ${says}${whose}`, `${kind.line}: ${says}`, `${kind.name}: ${says}`];
      write(name, names, { x: start, y: 14, room }, given);
      write(how, read === null ? [] : howOf(kind, x), { x: start, y: height - 5, room, size: SMALL }, given);
    });
  }
}

type Parts = [Element, Element, Element, Element, Element, Element, Element];

/** All of it, what is read, lines between tokens, a guess, what is asked, its name and how it reads. */
function page(): SVGGElement {
  return element(
    "g",
    {},
    element("path", { class: "free" }),
    element("path"),
    element("path", { class: "between" }),
    element("path", { class: "guess" }),
    element("text", { class: "asked", "text-anchor": "middle" }),
    element("text", { class: "strong" }),
    element("text", { class: "muted" }),
  );
}
