// Bars by a whole number, along which a hand turns it: that of the picture in full, the others faint.

import type { Measure } from "../chart/measure";
import { at, clamp } from "../chart/numbers";
import { element, matched, part, put, say, tenth } from "../chart/svg";
import type { Colour } from "../documents";
import type { Grip } from "./things";

const SMALL = 13;
/** Around the bars: their heading and the number on the first, and their numbers below. */
export const [ABOVE, FOOT] = [46, 36];
const FAINT = 0.32;

export interface Barred {
  counts: readonly number[];
  here: number;
  /** From the bottom, each with its height for each number. */
  parts: readonly { colour: Colour; heights: readonly number[] }[];
  texts: readonly string[];
  /** What they are, and what they are by; of several words those that have room. */
  headings: readonly string[];
  captions: readonly string[];
  /** What none can be higher than, and what it is; what is higher all the same is hatched. */
  limit?: { height: number; text: string };
}

let hatches = 0;

/** Fill of what has no room: stripes in the colour of what is wrong; of what idles thin ones, as in a step's bars. */
export function hatching(parent: Element, isIdle = false): string {
  hatches += 1;
  const id = `hatched-${hatches}`;
  const side = isIdle ? 5 : 7;
  const [size, turned] = [{ width: side, height: side }, "rotate(45)"];
  const stripes = part(part(parent, "defs"), "pattern", {
    id,
    ...size,
    patternUnits: "userSpaceOnUse",
    patternTransform: turned,
  });
  part(stripes, "rect", { ...size, fill: "var(--background)", opacity: 0.55 });
  const line = isIdle ? { stroke: "var(--muted)", "stroke-width": 1.25 } : { stroke: "var(--wrong)", "stroke-width": 4 };
  part(stripes, "path", { d: `M0 0V${side}`, ...line });
  return `url(#${id})`;
}

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export class Bars {
  readonly group = element("g", { "font-size": SMALL, fill: "var(--muted)" });
  private readonly bars = part(this.group, "g");
  private readonly over = part(this.group, "g", { fill: hatching(this.group) });
  private readonly limit = part(this.group, "path", { stroke: "var(--wrong)", "stroke-width": 2 });
  private readonly plate = part(this.group, "rect", { fill: "var(--background)", rx: 2 });
  private readonly limited = part(this.group, "text", { fill: "var(--wrong)", "font-weight": 600 });
  private readonly words = part(this.group, "g", { "text-anchor": "middle" });
  private readonly heading = part(this.group, "text");
  private readonly caption = part(this.group, "text");
  private box: Box | null = null;
  private shown: Barred | null = null;

  /** In a box between heading and numbers; null where there is no room for them. */
  fit(shown: Barred, box: Box | null, measure: Measure): void {
    [this.shown, this.box] = [shown, box];
    if (box) this.stand(shown, box, measure);
    else for (const one of [this.bars, this.over, this.words, this.heading, this.caption]) one.replaceChildren();
  }

  private stand({ counts, here, parts, texts, headings, captions, limit }: Barred, box: Box, measure: Measure): void {
    const { left, right, top, bottom } = box;
    const pitch = (right - left) / counts.length;
    const air = pitch > 5 ? 2 : 0.5;
    const all = counts.map((_, place) => parts.reduce((sum, { heights }) => sum + at(heights, place), 0));
    const scale = (bottom - top) / Math.max(...all, Number.MIN_VALUE);
    const rects = parts.flatMap(({ colour, heights }, which) =>
      heights.map((height, place) => {
        const below = parts.slice(0, which).reduce((sum, one) => sum + at(one.heights, place), 0);
        return { colour, place, y: bottom - (below + height) * scale, height: height * scale };
      }),
    );
    matched(this.bars, rects.length, () => element("rect", { class: "glides" })).forEach((bar, number) => {
      const { colour, place, y, height } = at(rects, number);
      put(bar, { fill: `var(--${colour})`, x: tenth(left + place * pitch), y: tenth(y), height: tenth(height) });
      put(bar, { width: tenth(pitch - air), opacity: place === here ? 1 : FAINT });
    });
    const most = limit && limit.height < Math.max(...all) ? limit.height : Number.POSITIVE_INFINITY;
    const beyond = counts.map((_, place) => place).filter((place) => at(all, place) > most);
    matched(this.over, beyond.length, () => element("rect")).forEach((rect, number) => {
      const place = at(beyond, number);
      const height = (at(all, place) - most) * scale;
      put(rect, { x: tenth(left + place * pitch), y: tenth(bottom - at(all, place) * scale), height: tenth(height) });
      put(rect, { width: tenth(pitch - air), opacity: place === here ? 1 : FAINT });
    });
    this.mark(
      beyond.length ? limit : undefined,
      { left, right, y: beyond.length ? bottom - most * scale : bottom, bottom },
      measure,
    );
    const last = counts.length - 1;
    const middle = (place: number) => left + (place + 0.5) * pitch;
    const apart = Math.max(...texts.map((text) => measure(text, SMALL, 600))) + 4;
    // Where a word stands that is as near to its bar as the ends let it.
    const centre = (place: number, half: number) => clamp(middle(place), left + half, right - half);
    // Above all bars over which it reaches: beginning or ending at its own where that keeps it from a higher one.
    const standing = (place: number) => {
      const half = measure(at(texts, place), SMALL, 600) / 2;
      const aside = half - pitch / 2;
      const tried = [0, aside, -aside].map((by) => {
        const x = clamp(middle(place) + by, left + half, right - half);
        return { x, above: Math.max(...all.filter((_, one) => Math.abs(middle(one) - x) < half + (pitch - air) / 2 - 0.5)) };
      });
      return tried.reduce((best, one) => (one.above < best.above ? one : best));
    };
    // Beside the one that is meant there is room for both ends, unless it is near one.
    const told = [0, last].filter((one) => Math.abs(centre(one, apart / 2) - standing(here).x) > apart);
    const said = [...told, here].flatMap((place) => {
      const { x, above } = standing(place);
      const text = String(at(counts, place));
      return [
        { place, x, y: bottom - above * scale - 5, text: at(texts, place) },
        { place, x: middle(place), y: bottom + 16, text },
      ];
    });
    matched(this.words, said.length, () => element("text")).forEach((word, number) => {
      const { place, x, y, text } = at(said, number);
      const half = measure(text, SMALL, 600) / 2;
      put(word, { x: tenth(clamp(x, left + half, right - half)), y: tenth(y) });
      put(word, place === here ? { "font-weight": 600, fill: "var(--ink)" } : { "font-weight": 400, fill: "var(--muted)" });
      say(word, text);
    });
    const fits = (words: readonly string[]) => words.find((one) => measure(one, SMALL) < right - left) ?? "";
    put(this.heading, { x: left, y: tenth(top - ABOVE + 18) });
    say(this.heading, fits(headings));
    put(this.caption, { x: left, y: tenth(bottom + 32) });
    say(this.caption, fits(captions));
  }

  /** The line that none can be higher than, named below it where there is room. */
  private mark(
    limit: Barred["limit"],
    { left, right, y, bottom }: { left: number; right: number; y: number; bottom: number },
    measure: Measure,
  ): void {
    const [text, lower] = [limit?.text ?? "", y + 17 < bottom ? y + 15 : y - 5];
    put(this.limit, { d: limit ? `M${tenth(left)} ${tenth(y)}H${tenth(right)}` : "" });
    put(this.plate, {
      x: tenth(left),
      y: tenth(lower - 12),
      width: limit ? tenth(measure(text, SMALL, 600) + 8) : 0,
      height: 15,
    });
    put(this.limited, { x: tenth(left + 4), y: tenth(lower) });
    say(this.limited, text);
  }

  /** The place among the numbers of what lies there; null beside the bars. */
  under(x: number, y: number): number | null {
    const { box } = this;
    const isThere = box && x >= box.left && x < box.right && y > box.top - SMALL && y < box.bottom + FOOT;
    return isThere ? this.place(x) : null;
  }

  /** What a hand there turns. */
  grip(x: number, y: number, turn: (count: number, isFinal: boolean) => void): Grip | null {
    if (this.under(x, y) === null) return null;
    const to = (across: number, _down: number, isFinal: boolean) => {
      if (this.shown) turn(at(this.shown.counts, this.place(across)), isFinal);
    };
    return { cursor: "ew-resize", isHandle: true, to };
  }

  private place(x: number): number {
    const { left, right } = this.box ?? { left: 0, right: 1 };
    const count = this.shown?.counts.length ?? 1;
    return clamp(Math.floor(((x - left) / (right - left)) * count), 0, count - 1);
  }
}
