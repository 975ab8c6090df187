// Racks in a row, a stage of a pipeline each: the memory of a chip, to scale, and what it holds, enlarged; and beside
// them that for each number of racks, along which a hand adds racks and takes them away.

import { FONT, type Measure, SMALL } from "../chart/measure";
import { at } from "../chart/numbers";
import { element, matched, part, put, say, tenth } from "../chart/svg";
import type { RowOfRacks } from "../documents";
import { ABOVE, Bars, FOOT } from "./bars";
import type { Drawing, Handles } from "./drawing";
import type { Grip } from "./things";

const NARROW = 720;
const [BESIDE, BELOW] = [0.28, 0.34];
const [GAP, HEAD, LEGEND, NAMES] = [32, 14, 40, 22];
const [LEAST, MOST, WIDEST] = [96, 460, 116];
/** Of a rack's width: where its memory ends, and where what it holds begins and ends. */
const [WHOLE, FROM, TO] = [0.2, 0.38, 0.92];
const HEADINGS = ["held by a chip, by racks", "held by a chip"];
const CAPTIONS = ["racks: drag", "racks"];

export class RowOfRacksDrawing implements Drawing<RowOfRacks> {
  readonly svg = element("svg", { role: "img" });
  private readonly bars = new Bars();
  private readonly legend = part(this.svg, "g", { "font-size": FONT, "font-weight": 600 });
  private readonly frames = part(this.svg, "g", { fill: "none", stroke: "var(--line)" });
  private readonly lenses = part(this.svg, "g", { fill: "var(--beyond)" });
  private readonly levels = part(this.svg, "g");
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
    const low = isBeside ? 0 : Math.max(ABOVE + 50 + FOOT, BELOW * room);
    const left = isBeside ? width - Math.round(width * BESIDE) : 0;
    const around = HEAD + LEGEND + NAMES;
    const high = Math.max(LEAST, Math.min(MOST, room - low - around));
    const height = around + high + low;
    this.name(picture, isBeside ? left - GAP : width, measure);
    this.stand(picture, { wide: isBeside ? left - GAP : width, top: HEAD + LEGEND, high }, measure);
    const parts = picture.parts.map(({ colour, held: heights }) => ({ colour, heights }));
    const { counts, here, both_text: texts } = picture;
    const box = { left, right: width, top: height - (isBeside ? height : low) + ABOVE, bottom: height - FOOT };
    this.bars.fit({ counts, here, parts, texts, headings: HEADINGS, captions: CAPTIONS }, box, measure);
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
    const told = `left: all memory of a chip, ${hbm_text}; right: what it holds, enlarged`;
    const all = [...said, { text: measure(told, FONT) < width ? told : whole, x: 0, y: HEAD + 18, fill: "var(--muted)" }];
    matched(this.legend, all.length, () => element("text")).forEach((word, place) => {
      const { text, ...where } = at(all, place);
      put(word, { ...where, "font-weight": place < said.length ? 600 : 400 });
      say(word, text);
    });
  }

  private stand(picture: RowOfRacks, { wide, top, high }: { wide: number; top: number; high: number }, measure: Measure): void {
    const { counts, here, parts, hbm_bytes, chips_text } = picture;
    const pitch = Math.min(WIDEST, wide / counts.length);
    const rack = pitch - 8;
    const totals = counts.map((_, place) => parts.reduce((sum, { held }) => sum + at(held, place), 0));
    const most = Math.max(...totals);
    const [all, bottom, inner] = [Math.max(hbm_bytes, at(totals, here)), top + high - 8, high - 16];
    matched(this.frames, counts.length, () => element("rect")).forEach((frame, place) => {
      const isThere = place <= here;
      put(frame, {
        x: tenth(place * pitch + 0.5),
        y: top + 0.5,
        width: tenth(rack),
        height: high,
        "stroke-dasharray": isThere ? "" : "2 4",
      });
    });
    const there = counts.slice(0, here + 1).map((_, place) => place * pitch);
    const held = (inner * at(totals, here)) / all;
    const enlarged = (inner * at(totals, here)) / most;
    put(this.lenses, { opacity: 1 });
    matched(this.lenses, there.length, () => element("path")).forEach((lens, place) => {
      const x = at(there, place);
      const whole = `M${tenth(x + 6)} ${bottom}v-${inner}H${tenth(x + WHOLE * rack)}v${inner}z`;
      const sides = `M${tenth(x + WHOLE * rack)} ${tenth(bottom - held)}L${tenth(x + FROM * rack)} ${tenth(bottom - enlarged)}V${bottom}H${tenth(x + WHOLE * rack)}z`;
      put(lens, { d: whole + sides });
    });
    const rects = there.flatMap((x) => {
      let below = 0;
      return parts.flatMap(({ colour, held: bytes }) => {
        const from = below;
        below += at(bytes, here);
        return [
          { colour, x: x + 6, wide: WHOLE * rack - 6, from: (from / all) * inner, to: (below / all) * inner },
          { colour, x: x + FROM * rack, wide: (TO - FROM) * rack, from: (from / most) * inner, to: (below / most) * inner },
        ];
      });
    });
    matched(this.levels, rects.length, () => element("rect", { class: "glides" })).forEach((level, number) => {
      const { colour, x, wide: across, from, to } = at(rects, number);
      put(level, {
        fill: `var(--${colour})`,
        x: tenth(x),
        width: tenth(across),
        y: tenth(bottom - to),
        height: tenth(to - from),
      });
    });
    matched(this.words, there.length, () => element("text")).forEach((word, place) => {
      const text = [`rack ${place + 1}: ${chips_text}`, `rack ${place + 1}`, `${place + 1}`].find(
        (one) => measure(one, SMALL) < rack,
      );
      put(word, { x: tenth(at(there, place) + rack / 2), y: top + high + 16 });
      say(word, text ?? "");
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
