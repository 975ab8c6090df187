// What a token crosses: in one rack its copies to experts and back, layer after layer; meanwhile the one before it goes
// to the next rack, once, and on through the layers there. Both times are bars on one clock.

import { FONT, type Measure, SMALL } from "../chart/measure";
import { at, clamp } from "../chart/numbers";
import { element, matched, part, put, say, tenth } from "../chart/svg";
import type { Axes, Crossing } from "../documents";
import { UNKNOWN } from "./beforehand";
import type { Drawing, Handles } from "./drawing";
import type { Grip } from "./things";
import { AXIS, TimeAxis } from "./timeaxis";

/** Of a hand-over, and of all of it at least and at most. */
const SECONDS = 1.3;
const LEAST_S = 5;
const MOST_S = 14;
/** Height of the names in a rack, of a bar's name, and of what is said last; of a bar, and of one where there is little room. */
const HEAD = 40;
const NAME = 20;
const SAID = 22;
const BAR = 18;
const LOW_BAR = 12;
const GAP = 10;
const PAD = 12;
const LARGE = 15;
/** A rack's height; a chip's edge; and between two chips. */
const LEAST = 100;
const MOST = 380;
const TINY = 3;
const MOST_CHIP = 30;
const BETWEEN = 4;
/** Of the height of a column, that a chip should have: of more chips there are more columns. */
const LEAST_PITCH = 10;
/** Of the link to the next rack: its width in pixels, which that of links inside is compared with. */
const SLOW = 2.5;
const DOT = 4.5;
const MUTED = { "font-size": SMALL, fill: "var(--muted)" };

type Point = [number, number];

/** A rack on the paper. */
interface Laid {
  left: number;
  home: Point;
  chips: Point[];
}

/** Which layer it is at a time since a rack began, and how far out the copies are; null before and after. */
function layerAt({ layers, there, back }: Crossing, time: number): { layer: number; out: number; isBack: boolean } | null {
  const each = there + back;
  if (time < 0 || time >= layers * each) return null;
  const layer = Math.floor(time / each);
  const within = time - layer * each;
  const isBack = within >= there;
  return { layer, isBack, out: isBack ? 1 - (within - there) / back : within / there };
}

function endOf({ layers, there, back }: Crossing): number {
  return Math.max(1, layers * (there + back));
}

/** A number with its noun. */
function counted(count: number, noun = "hand-over", digits = 1): string {
  const number = count.toFixed(digits);
  return `${number} ${Number(number) === 1 ? noun : noun.replace(/y?$/, (end) => (end ? "ies" : "s"))}`;
}

function box(x: number, y: number, width: number, height: number): string {
  return `M${tenth(x)} ${tenth(y)}h${tenth(width)}v${tenth(height)}h${tenth(-width)}z`;
}

export class CrossingDrawing implements Drawing<Crossing> {
  readonly svg = element("svg", { role: "img" });
  private readonly frames = part(this.svg, "path", { fill: "none", stroke: "var(--line)" });
  private readonly slow = part(this.svg, "path", { stroke: "var(--away)", "stroke-width": SLOW, "stroke-opacity": 0.45 });
  /** Of each rack: its links, its experts' chips, what arrives at these, and the chip of its token. */
  private readonly racks = [0, 1].map(() => ({
    wires: part(this.svg, "path", { fill: "none", stroke: "var(--links)" }),
    dots: part(this.svg, "g", { fill: "var(--links)", stroke: "var(--background)" }),
    chips: part(this.svg, "path", { fill: "color-mix(in srgb, var(--links) 30%, var(--background))" }),
    lit: part(this.svg, "path", { fill: "var(--links)" }),
    home: part(this.svg, "path"),
  }));
  private readonly moved = part(this.svg, "circle", { r: DOT + 1.5, fill: "var(--away)", stroke: "var(--background)" });
  private readonly words = part(this.svg, "g");
  private readonly live = part(this.svg, "g", MUTED);
  /** Of both bars all that their room is, and their names: what is asked has its place. */
  private readonly grounds = part(this.svg, "path", { fill: "var(--beyond)" });
  private readonly bars = part(this.svg, "g", { class: "answers" });
  private readonly counts = part(this.svg, "g", { "font-size": FONT, "font-weight": 600 });
  private readonly said = part(this.svg, "text", { "font-size": LARGE, "font-weight": 600, fill: "var(--ink)" });
  private readonly axis = new TimeAxis();
  private picture: Crossing | null = null;
  /** Whether its times are asked, and not to be read. */
  private isAsked = false;
  private caption = "";
  private width = 0;
  private laid: Laid[] = [];
  private chip = 0;
  /** Where the bars begin, and how high each is. */
  private foot = 0;
  private bar = 0;
  /** Whether there is room for words in full. */
  private isWide = true;

  constructor(private readonly handles: Handles) {
    this.axis.group.classList.add("answers");
    this.svg.append(this.axis.group);
  }

  seconds(): number {
    return this.picture ? clamp(SECONDS * endOf(this.picture), LEAST_S, MOST_S) : 0;
  }

  show(picture: Crossing, axes: Axes, isAsked: boolean): void {
    this.picture = picture;
    this.isAsked = isAsked;
    this.caption = axes.x.caption;
  }

  fit(width: number, room: number, measure: Measure): number {
    const { picture } = this;
    if (!picture) return 0;
    const { copies, layers, link_ratio: faster } = picture;
    this.width = width;
    this.isWide = width >= 620;
    this.bar = this.isWide ? BAR : LOW_BAR;
    const row = this.bar + NAME;
    const below = 2 * row + AXIS + SAID + GAP;
    const high = Math.round(clamp(room - below, LEAST, MOST));
    this.foot = high + GAP;
    const wide = Math.round(width * (this.isWide ? 0.38 : 0.4));
    // As few columns as leave chips large enough to be told apart.
    const inner = high - HEAD - NAME;
    const columns = Math.ceil(copies / Math.max(1, Math.floor(inner / LEAST_PITCH)));
    const rows = Math.ceil(copies / columns);
    const pitch = inner / rows;
    const chip = clamp(Math.min(pitch - BETWEEN, (0.5 * wide) / columns - BETWEEN), TINY, MOST_CHIP);
    this.chip = chip;
    const home = Math.min(1.4 * MOST_CHIP, 0.16 * wide);
    this.laid = [0, 1].map((rack) => {
      const side = (x: number) => (rack ? width - x : x);
      return {
        left: rack ? width - wide : 0,
        home: [side(wide - PAD - home / 2), HEAD + inner / 2],
        chips: Array.from({ length: copies }, (_, one): Point => {
          const [column, row] = [Math.floor(one / rows), one % rows];
          return [side(PAD + chip / 2 + column * (chip + BETWEEN)), HEAD + (row + 0.5) * pitch];
        }),
      };
    });
    put(this.frames, { d: this.laid.map(({ left }) => box(left + 0.5, 0.5, wide - 1, high - 1)).join("") });
    const [one, other] = this.laid.map((rack) => rack.home) as [Point, Point];
    put(this.slow, { d: `M${tenth(one[0])} ${tenth(one[1])}H${tenth(other[0])}` });
    this.laid.forEach(({ home: [x, y], chips }, rack) => {
      const drawn = at(this.racks, rack);
      put(drawn.wires, {
        d: chips.map(([to, down]) => `M${tenth(x)} ${tenth(y)}L${tenth(to)} ${tenth(down)}`).join(""),
        // All links of a chip together are as many times as wide as they are as fast.
        "stroke-width": tenth(clamp((SLOW * faster) / copies, 0.6, Math.max(1, 0.6 * chip))),
      });
      for (const path of [drawn.chips, drawn.lit])
        put(path, { d: chips.map(([to, down]) => box(to - chip / 2, down - chip / 2, chip, chip)).join("") });
      put(drawn.home, { d: box(x - home / 2, y - home / 2, home, home) });
    });
    const middle = { "text-anchor": "middle" };
    // Below a token there is no room beside the name of the chips.
    const isLow = one[1] + home / 2 + 14 > high - 7 - FONT;
    const written: [string, Record<string, string | number>][] = [
      ["rack 1", { x: PAD, y: 17, "font-weight": 600, fill: "var(--ink)", "font-size": FONT }],
      // While the first works on a token, what it has done before goes on.
      [
        this.isWide ? "rack 2: the token before" : "rack 2",
        { x: width - PAD, y: 17, "text-anchor": "end", "font-weight": 600, fill: "var(--ink)", "font-size": FONT },
      ],
      ...this.laid.flatMap(({ home: [x, y] }, rack): [string, Record<string, string | number>][] => [
        ["token", { x: tenth(x), y: tenth(isLow ? y - home / 2 - 6 : y + home / 2 + 14), ...middle }],
        [
          copies > 1 ? "experts' chips" : "experts' chip",
          { x: rack ? width - PAD : PAD, y: high - 7, "text-anchor": rack ? "end" : "start" },
        ],
      ]),
      [this.isWide ? "to the next rack: once" : "once", { x: tenth(width / 2), y: tenth(one[1] - 10), ...middle }],
      [this.isWide ? "over a slow link" : "slow", { x: tenth(width / 2), y: tenth(one[1] + 20), ...middle }],
    ];
    this.words.replaceChildren(...written.map(([text, place]) => element("text", { ...MUTED, ...place }, text)));
    const end = endOf(picture);
    const x = (time: number) => (width * time) / end;
    const bottom = this.foot + 2 * row;
    this.axis.fit(
      { left: 0, right: width, top: bottom - this.bar, bottom, x },
      picture.ticks,
      this.caption,
      ["drag the time"],
      measure,
    );
    this.drawBars(picture, x);
    put(this.said, { y: bottom + AXIS + 16 });
    const ratio = `inside / hand-over = ${picture.ratio_text}`;
    const all = [`${ratio}: ${picture.so_text}`, ratio, picture.ratio_text];
    say(this.said, all.find((text) => measure(text, LARGE, 600) < width) ?? "");
    const told = `inside rack 1, ${counted(layers, "layer", 0)}`;
    const names = [`${told}, ${counted(copies, "copy", 0)} there and back:`, `${told}:`];
    const name = names.find((one) => measure(`${one} 000.0 hand-overs`, FONT, 600) < width) ?? "inside:";
    matched(this.counts, 4, () => element("text")).forEach((text, place) => {
      const which = place >> 1;
      const words = which ? (this.isWide ? "the token before, to rack 2, once:" : "to rack 2, once:") : name;
      put(text, {
        x: place % 2 ? tenth(measure(words, FONT) + 6) : 0,
        y: this.foot + which * row + 14,
        "font-weight": place % 2 ? 600 : 400,
        fill: which ? "var(--away)" : "var(--links)",
      });
      if (place % 2 === 0) say(text, words);
    });
    return bottom + AXIS + SAID;
  }

  /** The whole of each, faint; what is done of it; and where copies turn back. */
  private drawBars({ layers, there, back }: Crossing, x: (time: number) => number): void {
    const each = there + back;
    const turns = Array.from({ length: layers }, (_, layer) =>
      [there, each].map(
        (part) => `M${tenth(x(layer * each + part))} ${this.foot + NAME}v${part === each ? this.bar : this.bar / 2}`,
      ),
    );
    const rows = [layers * each, 1].map((long, row) => ({
      y: this.foot + row * (this.bar + NAME) + NAME,
      width: x(long),
      fill: `var(--${row ? "away" : "links"})`,
    }));
    put(this.grounds, { d: rows.map(({ y }) => box(0, y, this.width, this.bar)).join("") });
    this.bars.replaceChildren(
      ...rows.flatMap(({ y, width, fill }) => [
        element("rect", { x: 0, y, width: tenth(width), height: this.bar, fill, opacity: 0.25 }),
        element("rect", { class: "done", x: 0, y, width: 0, height: this.bar, fill }),
      ]),
      element("path", { d: turns.flat().join(""), stroke: "var(--background)" }),
    );
  }

  draw(fraction: number): void {
    const { picture } = this;
    if (!picture) return;
    const end = endOf(picture);
    const time = fraction * end;
    const inside = Math.min(time, picture.layers * (picture.there + picture.back));
    const handed = Math.min(time, 1);
    [...this.bars.querySelectorAll(".done")].forEach((bar, row) => {
      put(bar, { width: tenth((this.width * (row ? handed : inside)) / end) });
      const count = this.isAsked ? UNKNOWN : counted(row ? handed : inside);
      say(at(this.counts.children, 2 * row + 1), count);
    });
    const [from, to] = this.laid.map(({ home }) => home) as [Point, Point];
    put(this.moved, { cx: tenth(from[0] + (to[0] - from[0]) * handed), cy: tenth(from[1]), opacity: handed < 1 ? 1 : 0 });
    // The token before it is in the next rack once it is handed on.
    const states = [time, time - 1].map((since, rack) => this.drawRack(picture, rack, since));
    matched(this.live, 2, () => element("text", { y: 33 })).forEach((text, rack) => {
      put(text, rack ? { x: this.width - PAD, "text-anchor": "end" } : { x: PAD });
      say(text, at(states, rack));
    });
    put(this.said, { opacity: fraction >= 1 ? 1 : 0 });
    this.axis.draw(this.width * fraction, fraction >= 1, false);
  }

  /** Copies on their way; returns what happens, in words. */
  private drawRack(picture: Crossing, rack: number, since: number): string {
    const { copies, layers } = picture;
    const { home, chips } = at(this.laid, rack);
    const { wires, lit, home: token, dots } = at(this.racks, rack);
    const now = layerAt(picture, since);
    put(wires, { opacity: now ? 0.5 : 0.2 });
    put(token, { fill: `color-mix(in srgb, var(--away) ${since < 0 ? 30 : 100}%, var(--background))` });
    put(lit, { opacity: now ? tenth(now.out ** 3) : 0 });
    matched(dots, now ? chips.length : 0, () => element("circle")).forEach((dot, one) => {
      const [x, y] = at(chips, one);
      const out = now?.out ?? 0;
      const place = { cx: tenth(home[0] + (x - home[0]) * out), cy: tenth(home[1] + (y - home[1]) * out) };
      put(dot, { ...place, r: Math.min(DOT, this.chip / 2) });
    });
    if (!now) return since < 0 ? "waits" : "done";
    const layer = `layer ${now.layer + 1} of ${layers}`;
    if (!this.isWide) return layer;
    return `${layer}: ${counted(copies, "copy", 0)} ${now.isBack ? "back" : "to experts"}`;
  }

  grip(x: number, y: number): Grip | null {
    const { seek } = this.handles;
    if (!seek || !this.axis.has(x, y)) return null;
    return { cursor: "ew-resize", isHandle: this.axis.isHandle(x, y), to: (across) => seek(clamp(across / this.width)) };
  }

  now(fraction: number): string {
    return this.picture ? counted(fraction * endOf(this.picture)) : "";
  }

  described(): string {
    const { picture } = this;
    if (!picture) return "";
    // The ratio is what is asked.
    if (this.isAsked)
      return `${picture.copies} copies of a token there and back in ${picture.layers} layers, and the next rack`;
    return `${picture.text}. ${picture.ratio_text}: ${picture.so_text}`;
  }
}
