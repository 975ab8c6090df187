// Domains as they grow: packages with their dies at one scale. The last is covered by the one before as often as it has
// room for it.

import { FONT } from "../chart/measure";
import { at } from "../chart/numbers";
import { clipped, element, matched, part, put, say, tenth } from "../chart/svg";
import type { Generation, Generations } from "../documents";
import { box } from "../machine/places";
import type { Clock, Drawn, Given } from "./played";
import type { Accompanied } from "./read";

const SECONDS = 4;
/** Height of the words above dies and below them; and between two domains, at least. */
const HEAD = 22;
const FOOT = 21;
const GAP = 14;
/** Dies above one another, of which as many are taken as leave them largest. */
const ROWS = [8, 12, 16, 24];
/** Around a package, and around a die in it, as a part of a die's place; between two that lie over the last, and their outline. */
const AROUND = 0.13;
const WITHIN = 0.07;
const APART = 0.75;
const OUTLINE = 2;
const STEP = 0.1;

export function saidOfGenerations({ companion, asked }: Accompanied): string {
  const { generations, text } = companion as Generations;
  return [text, ...generations.map((one) => `${one.names.join(", ")}: ${counts(one, asked)[0]}`)].join(". ");
}

/** Dies are left out where they are asked for. */
function counts({ packages, dies, all_dies: all }: Generation, asked: string): [string, string, string] {
  if (asked) return [`${packages} packages`, `${packages} packages`, `${packages}`];
  const each = dies === 1 ? "die" : "dies";
  return [
    `${packages} packages × ${dies} ${each} = ${all} dies`,
    `${packages} × ${dies} = ${all} dies`,
    `${packages} × ${dies} = ${all}`,
  ];
}

/** Dies of a package above one another, and beside one another. */
function shapeOf({ dies }: Generation): [number, number] {
  const high = dies % 2 ? 1 : 2;
  return [high, dies / high];
}

/** Dies beside one another, where so many are above one another. */
function columnsOf(one: Generation, rows: number): number {
  const [high, wide] = shapeOf(one);
  return wide * Math.ceil(one.packages / Math.floor(rows / high));
}

/** Widths in dies: of each domain, and of the one before the last. */
function widthsOf(generations: Generation[], rows: number): { wides: number[]; tile: number } {
  const wides = generations.map((one) => columnsOf(one, rows));
  const [tile = 1, last = 1] = wides.slice(-2);
  wides[wides.length - 1] = last + APART * (Math.ceil(last / tile) - 1);
  return { wides, tile };
}

export class GenerationsDrawing implements Drawn {
  readonly svg = element("svg", { "aria-hidden": "true" });
  private readonly domains = part(this.svg, "g");
  private readonly covered = clipped(this.svg);
  private readonly dies = part(this.covered.inside, "path", { "data-colour": "ink" });
  /** What is asked, in the place of the last domain: as large as the one before, so that it tells nothing. */
  private readonly unknown = part(this.svg, "path", { class: "free" });
  private readonly mark = part(this.svg, "text", { class: "asked", "text-anchor": "middle" });
  private readonly outlines = part(this.svg, "path", { fill: "none", stroke: "var(--also)", "stroke-width": 1.5 });
  clock: Clock = { name: "dies covered", left: 0, top: 0, width: 0, height: 0, text: "" };

  /** What is asked stands still. */
  seconds({ asked }: Accompanied): number {
    return asked ? 0 : SECONDS;
  }

  draw(given: Given, moment: number): void {
    const { shown, height, measure } = given;
    const { generations, growth_ratio: ratio } = shown.companion as Generations;
    const { asked } = shown;
    const { rows, pitch, lefts, words } = this.places(given);
    const bottom = HEAD + rows * pitch;
    const last = generations.length - 1;
    const { wides, tile } = widthsOf(generations, rows);
    const drawn = generations.map((one, place) =>
      diesOf(one, { left: at(lefts, place), bottom, pitch, rows, tile: place === last ? tile : Number.POSITIVE_INFINITY }),
    );
    matched(this.domains, generations.length, domain).forEach((group, place) => {
      const [packages, dies, name, count] = [...group.children] as [SVGElement, SVGElement, SVGElement, SVGElement];
      put(packages, { d: asked && place === last ? "" : at(drawn, place).packages });
      put(dies, { d: asked ? "" : at(drawn, place).dies, class: place === last ? "dim" : "" });
      put(name, { x: tenth(at(lefts, place)), y: HEAD - 8 });
      put(count, { x: tenth(at(lefts, place)), y: tenth(bottom + 16) });
      say(name, at(words, place)[0]);
      say(count, at(words, place)[1]);
    });
    // The domain before is laid over the last, again and again.
    const [from, high, wide] = [at(lefts, last), rows * pitch, at(wides, last) * pitch];
    const passed = Math.floor(moment * ratio + 1e-9);
    put(this.unknown, { d: asked ? box(from, HEAD, tile * pitch, high) : "" });
    put(this.mark, { x: tenth(from + (tile * pitch) / 2), y: tenth(HEAD + high / 2 + 8) });
    say(this.mark, asked ? "?" : "");
    put(this.covered.clip, { x: tenth(from), y: 0, width: tenth(wide * moment), height });
    put(this.dies, { d: asked ? "" : at(drawn, last).dies });
    const outline = (left: number) => box(left - OUTLINE, HEAD - OUTLINE, tile * pitch + 2 * OUTLINE, high + 2 * OUTLINE);
    const lies = Array.from({ length: passed }, (_, nth) => from + nth * (tile + APART) * pitch);
    put(this.outlines, { d: asked ? "" : [at(lefts, last - 1), ...lies].map(outline).join("") });
    const before = at(generations, last - 1).all_dies;
    const { names } = at(generations, last);
    const name = names.join(", ");
    const told = asked ? [name] : [`${name}: ${passed} × the ${before} dies before it`, `${name}: ${passed} × ${before}`, name];
    const title = at(this.domains.children, last).children[2] as SVGElement;
    say(title, told.find((text) => measure(text, FONT, 600) < given.width - from - 28) ?? name);
    this.clock = { ...this.clock, left: from, top: HEAD, width: wide, height: high, text: `${passed} × ${before} dies` };
  }

  /** How large dies are, where domains begin, and what is said above and below each. */
  private places({ shown, width, height, measure }: Given) {
    const { generations } = shown.companion as Generations;
    const texts = generations.map((one) => ({
      names: [one.names.join(", "), one.names.at(-1) ?? ""],
      counts: counts(one, shown.asked),
    }));
    const long = (text: string) => measure(text, FONT, 600);
    const room = width - OUTLINE - 1;
    const least = texts.map(({ names, counts: all }) => Math.max(long(at(names, 1)), long(at(all, 2))));
    const slots = (rows: number, pitch: number) =>
      generations.map((_, place) => Math.max(at(least, place), at(widthsOf(generations, rows).wides, place) * pitch));
    const sum = (all: number[]) => all.reduce((one, other) => one + other, GAP * (all.length - 1));
    const fitting = (rows: number) => {
      let pitch = (height - HEAD - FOOT) / rows;
      while (pitch > STEP && sum(slots(rows, pitch)) > room) pitch -= STEP;
      return { rows, pitch };
    };
    const all = ROWS.map(fitting);
    const { rows, pitch } = at(all, all.map((one) => one.pitch).indexOf(Math.max(...all.map((one) => one.pitch))));
    let spare = room - sum(slots(rows, pitch));
    let left = 0;
    const [lefts, words]: [number[], [string, string][]] = [[], []];
    slots(rows, pitch).forEach((slot, place) => {
      const { names, counts: said } = at(texts, place);
      const fits = (text: string) => long(text) <= slot + spare;
      const [name, count] = [names.find(fits) ?? at(names, 1), said.find(fits) ?? at(said, 2)];
      const wide = Math.max(slot, long(name), long(count));
      spare -= wide - slot;
      lefts.push(left);
      words.push([name, count]);
      left += wide + GAP;
    });
    // What is left stands between them.
    const more = Math.min(3 * GAP, Math.max(0, spare) / Math.max(1, lefts.length - 1));
    return { rows, pitch, lefts: lefts.map((one, place) => one + more * place), words };
  }
}

/** Where a domain stands, of so many dies above one another and so many, after which there is a gap, beside one another. */
interface Stands {
  left: number;
  bottom: number;
  pitch: number;
  rows: number;
  tile: number;
}

/** Packages of a domain and their dies, which stand on a line and fill one column after another. */
function diesOf(one: Generation, { left, bottom, pitch, rows, tile }: Stands) {
  const [high, wide] = shapeOf(one);
  const inColumn = Math.floor(rows / high);
  const [around, within] = [AROUND * pitch, WITHIN * pitch];
  const [packages, dies]: [string[], string[]] = [[], []];
  for (let nth = 0; nth < one.packages; nth += 1) {
    const column = Math.floor(nth / inColumn) * wide;
    const x = left + (column + APART * Math.floor(column / tile)) * pitch + around;
    const y = bottom - ((nth % inColumn) + 1) * high * pitch + around;
    packages.push(box(x, y, wide * pitch - 2 * around, high * pitch - 2 * around));
    const side = (length: number) => (length * pitch - 2 * around - within) / length;
    for (let die = 0; die < one.dies; die += 1) {
      const [row, column] = [Math.floor(die / wide), die % wide];
      const [across, down] = [x + within + column * side(wide), y + within + row * side(high)];
      dies.push(box(across, down, side(wide) - within, side(high) - within));
    }
  }
  return { packages: packages.join(""), dies: dies.join("") };
}

/** Packages, their dies, the name and the count. */
function domain(): SVGGElement {
  return element(
    "g",
    {},
    element("path", { class: "cell" }),
    element("path", { "data-colour": "ink" }),
    element("text", { class: "strong" }),
    element("text"),
  );
}
