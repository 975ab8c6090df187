// The bits that go into rounds, of which one can be flipped; and which bits that changes, round by round.

import type { Measure } from "../chart/measure";
import { at } from "../chart/numbers";
import type { Said } from "../chart/readout";
import { element, tenth } from "../chart/svg";
import type { Flip, Halves } from "../documents";
import { type Box, press, type Things } from "./things";

const FONT = 14;
const SIDE_LARGE = 26;
const SIDE_SMALL = 22;
const GAP = 14;
/** Of a line of bits. */
const LINE = 28;
/** Height of the bits beside a number, and their width at most. */
export const STRIP = 6;
const MOST_STRIP = 42;
const NAMES = ["x₁", "x₂"] as const;

export class InputBits implements Things {
  readonly group = element("g");
  readonly isPlain = true;
  private picture: Halves | null = null;
  private places: Box[] = [];
  private pointed = -1;
  private flipped = -1;

  constructor(private readonly changed: () => void) {}

  get name(): string {
    return "Bits that go in: arrows move between them, Enter flips one";
  }

  get count(): number {
    return this.places.length;
  }

  /** What becomes of the halves with the flipped bit; null where none is. */
  get flip(): Flip | null {
    return this.picture?.flips[this.flipped] ?? null;
  }

  show(picture: Halves): void {
    this.picture = picture;
  }

  /** One half beside the other where there is room, else below it; returns how high they are. */
  fit(width: number, colours: readonly string[], measure: Measure): number {
    const { picture } = this;
    if (!picture) return 0;
    const { bits } = picture;
    const label = measure("x₂ = 255", FONT, 600) + 8;
    const isWide = width > 2 * (label + bits * SIDE_LARGE) + GAP;
    const side = isWide ? SIDE_LARGE : Math.min(SIDE_LARGE, Math.max(SIDE_SMALL, (width - label) / bits));
    const half = label + bits * side + GAP;
    this.places = picture.flips.map((_, bit) => {
      const which = Math.floor(bit / bits);
      const [left, top] = isWide ? [which * half, 0] : [0, which * LINE];
      return { x: left + label + (bit % bits) * side, y: top + 1, width: side - 3, height: side - 3 };
    });
    this.group.replaceChildren();
    NAMES.forEach((name, which) => {
      const first = at(this.places, which * bits);
      const style = { "font-size": FONT, "font-weight": 600, fill: at(colours, which) };
      const value = this.valueOf(which);
      this.group.append(element("text", { ...style, x: tenth(first.x - label), y: first.y + 17 }, `${name} = ${value}`));
      for (let bit = 0; bit < bits; bit++) this.group.append(...this.bit(which * bits + bit, value, at(colours, which)));
    });
    const said = this.flip?.text ?? `${press()} a bit to flip it`;
    const fill = this.flip ? "var(--estimate)" : "var(--muted)";
    const isBeside = isWide && 2 * half + measure(said, FONT, 600) < width;
    const place = isBeside ? { x: tenth(2 * half), y: 18 } : { x: 0, y: (isWide ? 1 : 2) * LINE + 12 };
    this.group.append(element("text", { ...place, "font-size": FONT, "font-weight": this.flip ? 600 : 400, fill }, said));
    return (isWide ? 1 : 2) * LINE + (isBeside ? 0 : 20);
  }

  under(x: number, y: number): number {
    return this.places.findIndex(
      (box) => x >= box.x - 1.5 && x < box.x + box.width + 1.5 && y >= box.y - 4 && y < box.y + box.height + 4,
    );
  }

  box(thing: number): Box {
    return this.places[thing] ?? { x: 0, y: 0, width: 0, height: 0 };
  }

  said(thing: number): Said {
    const bits = this.picture?.bits ?? 1;
    const found = this.picture?.flips[thing];
    const which = Math.floor(thing / bits);
    const title = `bit ${bits - (thing % bits)} of ${NAMES[which]}`;
    const rows = thing === this.flipped && found ? [{ colour: null, name: found.text, values: [] }] : [];
    return { title: rows.length ? title : `flip ${title}`, columns: [], rows };
  }

  point(thing: number): void {
    this.pointed = thing;
    this.group.querySelectorAll("rect").forEach((rect, bit) => {
      rect.setAttribute("stroke-width", bit === this.pointed ? "3" : "1.2");
    });
  }

  /** Flip it; one alone, so that all that differs comes from it. */
  take(thing: number): void {
    if (thing < 0) return;
    this.flipped = thing === this.flipped ? -1 : thing;
    this.changed();
  }

  /** The bits beside a number after some rounds, those in full that the flip has changed. */
  strip(isLeft: boolean, round: number, x: number, y: number, room: number, colour: string): Element[] {
    const { flip, picture } = this;
    if (!flip || !picture) return [];
    const name = isLeft ? "left" : "right";
    const other = at(flip[name], round) ^ at(picture[name], round);
    const wide = Math.min(MOST_STRIP, room) / picture.bits;
    return Array.from({ length: picture.bits }, (_, bit) => {
      const isOther = (other >> (picture.bits - 1 - bit)) & 1;
      return element("rect", {
        x: tenth(x + (bit - picture.bits / 2) * wide),
        y,
        width: tenth(wide - Math.min(1, wide / 4)),
        height: STRIP,
        fill: isOther ? "var(--estimate)" : colour,
        "fill-opacity": isOther ? 1 : 0.2,
      });
    });
  }

  private valueOf(which: number): number {
    const from = this.flip ?? this.picture;
    return (which ? from?.right[0] : from?.left[0]) ?? 0;
  }

  private bit(thing: number, value: number, colour: string): Element[] {
    const { x, y, width, height } = at(this.places, thing);
    const bits = this.picture?.bits ?? 1;
    const isOn = (value >> (bits - 1 - (thing % bits))) & 1;
    const isFlipped = thing === this.flipped;
    const stroke = isFlipped ? "var(--estimate)" : colour;
    const fill = isOn ? stroke : "var(--background)";
    const style = { "font-size": FONT, "text-anchor": "middle", fill: isOn ? "var(--background)" : stroke };
    return [
      element("rect", { x: tenth(x), y, width: tenth(width), height: tenth(height), rx: 4, fill, stroke, "stroke-width": 1.2 }),
      element(
        "text",
        { ...style, x: tenth(x + width / 2), y: tenth(y + height / 2 + 4.5), "pointer-events": "none" },
        String(isOn),
      ),
    ];
  }
}
