// Racks in a row, a stage of a pipeline each: all memory of a chip, to scale, with what it holds at its foot, and fainter
// those of the other racks; beside them what it holds for each number of racks, along which a hand adds and removes them.

import { FONT, type Measure, SMALL } from "../chart/measure";
import { at } from "../chart/numbers";
import { element, matched, part, put, say, tenth } from "../chart/svg";
import type { RowOfRacks } from "../documents";
import { ABOVE, Bars, FOOT, hatching } from "./bars";
import type { Drawing, Handles } from "./drawing";
import type { Grip } from "./things";

const NARROW = 720;
const BESIDE = 0.5;
const BELOW = 0.34;
const GAP = 32;
const HEAD = 14;
const LEGEND = 40;
const NAMES = 22;
const LEAST = 80;
const MOST = 560;
const WIDEST = 150;
/** Of the bars, where they stand below. */
const LEAST_BARS = 30;
/** The first is so many times as wide as the others, which are as faint as this. */
const WIDER = 3.6;
const FAINT = 0.45;
/** Between two of them, and from one line of words to the next. */
const APART = 6;
const LINE = 17;
const HEADINGS = ["held by a chip, by racks", "held by a chip"];
const CAPTIONS = ["racks: drag", "racks"];

export class RowOfRacksDrawing implements Drawing<RowOfRacks> {
  readonly svg = element("svg", { role: "img" });
  private readonly bars = new Bars();
  private readonly legend = part(this.svg, "g", { "font-size": FONT, "font-weight": 600 });
  private readonly frames = part(this.svg, "g", { stroke: "var(--muted)" });
  private readonly levels = part(this.svg, "g");
  /** What has no room. */
  private readonly over = part(this.svg, "g", { fill: hatching(this.svg) });
  /** How much they have. */
  private readonly limits = part(this.svg, "g", { fill: "none", stroke: "var(--ink)", "stroke-width": 1.5 });
  /** Under words that stand over what is hatched. */
  private readonly plates = part(this.svg, "g", { fill: "var(--background)" });
  private readonly said = part(this.svg, "g", { "font-size": FONT, "text-anchor": "middle" });
  private readonly words = part(this.svg, "g", { "font-size": SMALL, "text-anchor": "middle", fill: "var(--muted)" });
  private picture: RowOfRacks | null = null;

  constructor(private readonly handles: Handles) {
    this.svg.append(this.bars.group);
  }

  seconds(): number {
    return 0;
  }

  show(picture: RowOfRacks): void {
    this.picture = picture;
  }

  fit(width: number, room: number, measure: Measure): number {
    const { picture } = this;
    if (!picture) return 0;
    const isBeside = width >= NARROW;
    const low = isBeside ? 0 : Math.max(ABOVE + LEAST_BARS + FOOT, BELOW * room);
    const left = isBeside ? width - Math.round(width * BESIDE) : 0;
    const around = HEAD + LEGEND + NAMES;
    const high = Math.max(LEAST, Math.min(MOST, room - low - around));
    const height = around + high + low;
    this.name(picture, isBeside ? left - GAP : width, measure);
    this.stand(picture, { wide: isBeside ? left - GAP : width, top: HEAD + LEGEND, high }, measure);
    // What stays the same for each number of racks stands below what does not.
    const parts = picture.parts.map(({ colour, held: heights }) => ({ colour, heights })).reverse();
    const { counts, here, both_text: texts } = picture;
    const box = { left, right: width, top: height - (isBeside ? height : low) + ABOVE, bottom: height - FOOT };
    const [has = ""] = picture.hbm_text.split(", ");
    const limit = { height: picture.hbm_bytes, text: has };
    this.bars.fit({ counts, here, parts, texts, headings: HEADINGS, captions: CAPTIONS, limit }, box, measure);
    return height;
  }

  /** The parts with what a chip holds of each; below them how much it has. */
  private name({ parts, here, hbm_text }: RowOfRacks, width: number, measure: Measure): void {
    let x = 0;
    const said = parts.map(({ name, colour, held_text }) => {
      const text = `${name} ${at(held_text, here)}`;
      x += measure(text, FONT, 600) + 18;
      return { text, x: x - measure(text, FONT, 600) - 18, y: HEAD, fill: `var(--${colour})` };
    });
    const whole = `a chip has ${hbm_text}`;
    const told = `all memory of a chip, to scale: ${hbm_text}`;
    const all = [...said, { text: measure(told, FONT) < width ? told : whole, x: 0, y: HEAD + 18, fill: "var(--muted)" }];
    matched(this.legend, all.length, () => element("text")).forEach((word, place) => {
      const { text, ...where } = at(all, place);
      put(word, { ...where, "font-weight": place < said.length ? 600 : 400 });
      say(word, text);
    });
  }

  private stand(picture: RowOfRacks, { wide, top, high }: { wide: number; top: number; high: number }, measure: Measure): void {
    const { counts, here, parts, hbm_bytes, hbm_text, both_text, chips_text } = picture;
    const one = Math.min(WIDEST / WIDER, (wide - APART * (counts.length - 1)) / (counts.length - 1 + WIDER));
    const across = (place: number) => (place ? one : one * WIDER);
    const left = (place: number) => (place ? one * WIDER + APART + (place - 1) * (one + APART) : 0);
    const held = parts.reduce((sum, { held: bytes }) => sum + at(bytes, here), 0);
    // Of one that is overfull the memory ends below what it would hold.
    const scale = high / Math.max(hbm_bytes, held);
    const bottom = top + high;
    const full = bottom - hbm_bytes * scale;
    matched(this.frames, counts.length, () => element("rect")).forEach((frame, place) => {
      put(frame, { x: tenth(left(place)), y: tenth(full), width: tenth(across(place)), height: tenth(hbm_bytes * scale) });
      put(frame, { fill: place <= here ? "var(--beyond)" : "none", "stroke-dasharray": place <= here ? "" : "2 4" });
      put(frame, { "stroke-opacity": place ? FAINT : 1 });
    });
    const there = counts.slice(0, here + 1).map((_, place) => place);
    // As in the bars beside them, what stays the same is at the foot.
    const upwards = [...parts].reverse();
    const rects = there.flatMap((place) => {
      let below = 0;
      return upwards.map(({ colour, held: bytes }) => {
        below += at(bytes, here);
        return { colour, place, upper: below, bytes: at(bytes, here) };
      });
    });
    matched(this.levels, rects.length, () => element("rect", { class: "glides" })).forEach((level, number) => {
      const { colour, place, upper, bytes } = at(rects, number);
      put(level, { fill: `var(--${colour})`, opacity: place ? FAINT : 1, x: tenth(left(place)), width: tenth(across(place)) });
      put(level, { y: tenth(bottom - upper * scale), height: tenth(bytes * scale) });
    });
    const upper = bottom - held * scale;
    const isOver = upper < full - 0.5;
    matched(this.over, isOver ? there.length : 0, () => element("rect")).forEach((rect, place) => {
      put(rect, { x: tenth(left(place)), width: tenth(across(place)), opacity: place ? FAINT : 1 });
      put(rect, { y: tenth(upper), height: tenth(full - upper) });
    });
    const end = isOver ? left(here) + across(here) : across(0);
    put(this.limits, { stroke: isOver ? "var(--wrong)" : "var(--ink)", "stroke-width": isOver ? 2.5 : 1.5 });
    put(
      at(
        matched(this.limits, 1, () => element("path")),
        0,
      ),
      { d: `M0 ${tenth(full)}H${tenth(end)}` },
    );
    const [has = "", ...others] = hbm_text.split(", ");
    const holds = at(both_text, here);
    if (isOver) this.overfill(has, `needs ${holds}`, { full, held: upper, bottom }, across(0), measure);
    else this.mark([has, ...others], `holds ${holds}`, { full, held: upper, bottom }, across(0), measure);
    matched(this.words, there.length, () => element("text")).forEach((word, place) => {
      const text = [`rack ${place + 1}: ${chips_text}`, `rack ${place + 1}`, `${place + 1}`].find(
        // The last has no room beside it, and all are called alike.
        (each) => measure(each, SMALL) < across(place),
      );
      put(word, { x: tenth(left(place) + across(place) / 2), y: bottom + 16 });
      say(word, text ?? "");
    });
  }

  /** In the first: what it has at its upper end, and what it holds above that, where there is room for both. */
  private mark(
    has: readonly string[],
    holds: string,
    { full, held, bottom }: { full: number; held: number; bottom: number },
    wide: number,
    measure: Measure,
  ): void {
    const free = held - full;
    const isNamed = measure(holds, FONT, 600) < wide - 4;
    const lines = [
      // The surplus is what it shows.
      ...has.map((text, row) => ({ text, y: full + LINE * (row + 1), weight: row ? 600 : 400 })),
      // Below all that it has, or over what fills it.
      { text: isNamed ? holds : "", y: held - 6, weight: 600 },
    ].filter(
      ({ text, y }, row) =>
        measure(text, FONT, 600) < wide - 4 && (row < has.length ? y < held - LINE - 8 : free > LINE + 6 && y < bottom),
    );
    this.write(lines, wide, []);
  }

  /** What the first has below the line where that ends, and what it needs at the upper end of that. */
  private overfill(
    has: string,
    needs: string,
    { full, held, bottom }: { full: number; held: number; bottom: number },
    wide: number,
    measure: Measure,
  ): void {
    const isBelow = bottom - full > LINE + 6;
    const lines = [
      { text: has, y: isBelow ? full + LINE : full - 6, weight: 600 },
      { text: needs, y: held + LINE, weight: 600 },
    ].filter(
      ({ text }, row) => measure(text, FONT, 600) < wide - 8 && (!row || full - held > (isBelow ? LINE + 8 : 2 * LINE + 12)),
    );
    this.write(
      lines,
      wide,
      lines.map(({ text }) => measure(text, FONT, 600) + 8),
    );
  }

  /** In the middle of the first, on plates of these widths. */
  private write(lines: readonly { text: string; y: number; weight: number }[], wide: number, plates: readonly number[]): void {
    matched(this.plates, plates.length, () => element("rect", { rx: 2 })).forEach((plate, row) => {
      const width = at(plates, row);
      put(plate, { x: tenth((wide - width) / 2), width: tenth(width), y: tenth(at(lines, row).y - FONT), height: LINE });
    });
    matched(this.said, lines.length, () => element("text")).forEach((word, row) => {
      const { text, y, weight } = at(lines, row);
      put(word, { x: tenth(wide / 2), y: tenth(y), "font-weight": weight, fill: weight > 400 ? "var(--ink)" : "var(--muted)" });
      say(word, text);
    });
  }

  draw(): void {}

  at(x: number, y: number): string | null {
    const { picture } = this;
    const place = this.bars.under(x, y);
    if (!picture || place === null) return null;
    return picture.parts.map(({ name, held_text }) => `${name} ${at(held_text, place)}`).join(", ");
  }

  grip(x: number, y: number): Grip | null {
    const { turn } = this.handles;
    return (turn && this.bars.grip(x, y, (count, isFinal) => turn("stages", count, isFinal))) ?? null;
  }

  now(): string {
    return "";
  }

  described(): string {
    return this.picture?.text ?? "";
  }
}
