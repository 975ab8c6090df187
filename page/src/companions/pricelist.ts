// A price list beside costs: of each kind of token its price, and as bars on one scale what is computed and what is read.

import { FONT, SMALL } from "../chart/measure";
import { at } from "../chart/numbers";
import { element, matched, part, put, say, tenth } from "../chart/svg";
import type { Listed, PriceList } from "../documents";
import { format } from "../state/quantity";
import type { Drawn, Given } from "./played";
import type { Accompanied } from "./read";

/** Height of the line of words above all, and of those above each kind; between two kinds. */
const HEAD = 22;
const NAME = 18;
const BETWEEN = 8;
/** Of a bar: its height at most, the part of its place that it fills, and the least length that is seen. */
const MOST_HIGH = 20;
const FILLED = 0.78;
const LEAST = 1.5;
const GAP = 7;
/** Narrower it does not say what memory is read for. */
const NARROW = 560;
/** A smaller cost is none as people read it. */
const NONE = 0.005;
const LANES = ["list price", "computing", "memory"] as const;

interface Lane {
  colour: string;
  length: number;
}

/** What is computed, and what is read meanwhile. */
function sums({ compute, memory }: Listed): [number, number] {
  return [compute, memory].map((parts) => parts.reduce((sum, { cost }) => sum + cost, 0)) as [number, number];
}

function times(value: number): string {
  return value < NONE ? `under ${NONE}×` : `${format(value, "count", 2)}×`;
}

/** A sum with what it is made of, where that is more than one thing. */
function summed(parts: Listed["memory"], sum: number): string {
  const seen = parts.filter(({ cost }) => cost >= NONE);
  return seen.length < 2
    ? times(sum)
    : `${times(sum)}: ${seen.map(({ name, cost }) => `${name} ${format(cost, "count", 2)}`).join(" + ")}`;
}

/** What computing costs, which answers a question about the cost. */
function computing(compute: number, asked: string): string {
  return asked ? "?" : times(compute);
}

export function saidOfPrices({ companion, asked }: Accompanied): string {
  const { kinds, text } = companion as PriceList;
  const said = kinds.map((kind) => {
    const [compute, memory] = sums(kind);
    return `${kind.name}: listed ${times(kind.listed)}, computing ${computing(compute, asked)}, memory ${summed(kind.memory, memory)}`;
  });
  return [text, ...said].join(". ");
}

export class PriceListDrawing implements Drawn {
  readonly svg = element("svg", { "aria-hidden": "true" });
  private readonly what = part(this.svg, "text");
  private readonly groups = part(this.svg, "g");
  seconds(): number {
    return 0;
  }

  draw(given: Given): void {
    const { width, height, measure } = given;
    const { companion, whose, asked } = given.shown;
    const { kinds } = companion as PriceList;
    const left = Math.max(...LANES.map((lane) => measure(lane, SMALL))) + 10;
    const most = Math.max(...kinds.flatMap((kind) => [kind.listed, ...sums(kind)]));
    // What is written at the end of the longest bar has its room.
    const ends = kinds.flatMap((kind) => endsOf(kind, width, asked).map((text) => measure(text, SMALL, 600)));
    const wide = width - left - GAP - Math.min(Math.max(...ends), width / 3);
    const across = (cost: number) => (wide * cost) / most;
    const each = (height - HEAD - BETWEEN * (kinds.length - 1)) / kinds.length;
    const lane = (each - NAME) / LANES.length;
    put(this.what, { x: 0, y: 14 });
    const texts = [
      "cost of a token over its arithmetic: of computing and memory the longer is paid",
      "of computing and memory the longer is paid",
    ];
    say(
      this.what,
      texts.map((text) => text + (whose && `, ${whose}`)).find((text) => measure(text, FONT) < width) ?? at(texts, 1),
    );
    matched(this.groups, kinds.length, group).forEach((one, place) => {
      const kind = at(kinds, place);
      const top = HEAD + place * (each + BETWEEN);
      const [name, bars, words] = [...one.children] as [SVGElement, SVGElement, SVGElement];
      put(name, { x: 0, y: tenth(top + 12), class: "strong" });
      const [long, short] = [`${kind.name} token, ${kind.pass_text}`, `${kind.name} token`];
      say(name, measure(long, FONT, 600) < width ? long : short);
      const lanes: Lane[][] = [
        [{ colour: "money", length: kind.listed }],
        ...[asked ? [] : kind.compute, kind.memory].map((parts) => parts.map(({ colour, cost }) => ({ colour, length: cost }))),
      ];
      const [compute, memory] = sums(kind);
      const paid = asked ? 0 : compute >= memory ? 1 : 2;
      const thick = Math.min(MOST_HIGH, lane * FILLED);
      const rects = lanes.flatMap((parts, row) => {
        let from = left;
        return parts.map(({ colour, length }) => {
          const rect = { x: from, row, colour, width: length > 0 ? Math.max(LEAST, across(length)) : 0 };
          from += across(length);
          return rect;
        });
      });
      const y = (row: number) => top + NAME + row * lane + (lane - thick) / 2;
      matched(bars, rects.length, () => element("rect")).forEach((bar, which) => {
        const { x, row, colour, width: long } = at(rects, which);
        put(bar, {
          x: tenth(x),
          y: tenth(y(row)),
          width: tenth(long),
          height: tenth(thick),
          "data-colour": colour,
          opacity: row && row !== paid ? 0.45 : 1,
        });
      });
      const ends = endsOf(kind, width, asked);
      matched(words, 2 * LANES.length, () => element("text")).forEach((text, which) => {
        const row = which >> 1;
        const isEnd = which % 2 === 1;
        const long = lanes[row]?.reduce((sum, { length }) => sum + length, 0) ?? 0;
        const isPaid = row === paid;
        put(text, {
          x: tenth(isEnd ? left + across(long) + GAP : 0),
          y: tenth(y(row) + thick / 2 + 4.5),
          class: isEnd && (isPaid || !row) ? "strong" : "muted",
          "data-colour": row ? "ink" : "money",
        });
        say(text, isEnd ? at(ends, row) : at(LANES, row));
      });
    });
  }
}

/** What is written at the ends of a kind's bars. */
function endsOf(kind: Listed, width: number, asked: string): string[] {
  const [compute, memory] = sums(kind);
  return [times(kind.listed), computing(compute, asked), width < NARROW ? times(memory) : summed(kind.memory, memory)];
}

function group(): SVGGElement {
  return element("g", {}, element("text"), element("g"), element("g"));
}
