// Parts and what connects them: frames at the back, cables over them, filled boxes in front; as large as fits.

import { FONT, measure, wrapped } from "../chart/measure";
import { at } from "../chart/numbers";
import type { Size } from "../chart/stage";
import { colourOf, halo, matched, part, put, tenth, write } from "../chart/svg";
import type { Schematic as SchematicDocument } from "../documents";

type Box = SchematicDocument["boxes"][number];
type Cable = SchematicDocument["cables"][number];

const ARROW = 7;
/** Smaller words are left out; the pointer says them. */
const LEAST_FONT = 6;
/** Rather than in smaller letters, less is said. */
const LEAST_READ = 9;
const MARGIN = 1;
/** By how much a picture may be drawn higher or wider than it is, so that it fills a room of another shape. */
const MOST_STRETCH = 3;

export class Schematic {
  private readonly frames: SVGGElement;
  private readonly alike: SVGGElement;
  private readonly cables: SVGGElement;
  private readonly filled: SVGGElement;
  private picture: SchematicDocument | null = null;
  /** Pixels of a unit, across and down. */
  private scale: [number, number] = [1, 1];
  private corner: [number, number] = [0, 0];

  constructor(
    body: SVGGElement,
    /** How opaque boxes are that say nothing: less than those that are lit. */
    private readonly atRest: number,
  ) {
    this.frames = part(body, "g");
    this.alike = part(body, "g");
    this.cables = part(body, "g");
    this.filled = part(body, "g");
  }

  paint(picture: SchematicDocument, size: Size): void {
    this.picture = picture;
    const [across, down] = [(size.width - 2 * MARGIN) / picture.width, (size.height - 2 * MARGIN) / picture.height];
    const most = MOST_STRETCH * Math.min(across, down);
    this.scale = [Math.min(across, most), Math.min(down, most)];
    // In the middle of what is left.
    this.corner = [(size.width - picture.width * this.scale[0]) / 2, (size.height - picture.height * this.scale[1]) / 2];
    const draw = (parent: SVGGElement, boxes: readonly Box[]) =>
      matched(parent, boxes.length, () => {
        const group = part(parent, "g");
        part(group, "rect");
        part(group, "g", { "text-anchor": "middle" });
        return group;
      }).forEach((group, place) => {
        this.drawBox(group, at(boxes, place));
      });
    draw(
      this.frames,
      picture.boxes.filter((box) => box.is_frame),
    );
    draw(
      this.filled,
      picture.boxes.filter((box) => !box.is_frame),
    );
    const isAlone = ({ text, is_arrow, is_dashed }: Cable) => text !== "" || is_arrow || is_dashed;
    this.drawAlike(picture.cables.filter((cable) => !isAlone(cable)));
    const alone = picture.cables.filter(isAlone);
    matched(this.cables, alone.length, () => {
      const group = part(this.cables, "g");
      for (const name of ["line", "path", "g"] as const) part(group, name);
      return group;
    }).forEach((group, place) => {
      this.drawCable(group, at(alone, place));
    });
  }

  /** In pixels, of a place in the picture's own units. */
  placeOf(x: number, y: number): [number, number] {
    return [this.pixel(x, 0), this.pixel(y, 1)];
  }

  /** The same of a box, by its place among all. */
  boxAt(place: number): Size & { x: number; y: number } {
    const { x, y, width, height } = at(this.picture?.boxes ?? [], place);
    const [left, top] = this.placeOf(x, y);
    return { x: left, y: top, width: width * this.scale[0], height: height * this.scale[1] };
  }

  private pixel(value: number, which: 0 | 1): number {
    return this.corner[which] + value * this.scale[which];
  }

  private drawBox(group: SVGGElement, box: Box): void {
    const colour = colourOf(box.colour);
    const [x, y] = [this.pixel(box.x, 0), this.pixel(box.y, 1)];
    const [wide, high] = [box.width * this.scale[0], box.height * this.scale[1]];
    put(group, { "data-colour": box.colour });
    put(at(group.children, 0), {
      x: tenth(x),
      y: tenth(y),
      width: tenth(wide),
      height: tenth(high),
      rx: tenth(Math.min(4, high / 8, wide / 4)),
      fill: box.is_frame ? "none" : colour,
      "fill-opacity": box.text ? 1 : this.atRest,
      stroke: box.is_frame ? colour : "var(--background)",
    });
    const clear = Math.max(2, Math.min(16, 0.08 * wide));
    const { words, font } = this.fitted(box, wide - clear, box.is_frame && box.text ? this.headroom(box) : 0.9 * high);
    const line = font * 1.2;
    const top = box.is_frame ? y + font + 2 : y + high / 2 - ((words.length - 1) / 2) * line + font / 3;
    const text = at(group.children, 1);
    put(text, {
      transform: `translate(${tenth(x + wide / 2)},${tenth(top)})`,
      "font-size": tenth(font),
      // As wide as it was measured, however small.
      "text-rendering": "geometricPrecision",
      fill: box.is_frame ? colour : "var(--background)",
    });
    write(text, words, tenth(line), {});
  }

  /** A box's words in the largest letters that fit, broken over lines where that makes them larger. */
  private fitted({ text, is_frame }: Box, wide: number, high: number): { words: string[]; font: number } {
    const fit = (said: string, least: number) => {
      for (let font = FONT; said && font >= least; font -= 0.5) {
        const width = (line: string) => measure(line, font);
        const parts = said.split("\n");
        const words = is_frame ? parts : parts.flatMap((part) => wrapped(part, wide, width));
        if (words.length * font * 1.2 <= high && words.every((line) => width(line) <= wide)) return { words, font };
      }
      return null;
    };
    // What stands in brackets is left out first, then what follows a colon.
    const brief = text.replace(/ \([^)]*\)/, "");
    const read = [text, brief, brief.replace(/:.*/s, "")].map((said) => fit(said, LEAST_READ)).find(Boolean);
    return read ?? fit(text, LEAST_FONT) ?? { words: [], font: LEAST_FONT };
  }

  /** In pixels, from the upper edge of a frame to the first box inside it. */
  private headroom(frame: Box): number {
    const inside = (this.picture?.boxes ?? []).filter(
      (box) =>
        box !== frame &&
        box.x >= frame.x &&
        box.x < frame.x + frame.width &&
        box.y >= frame.y &&
        box.y < frame.y + frame.height,
    );
    return Math.min(frame.height, ...inside.map((box) => box.y - frame.y)) * this.scale[1];
  }

  /** Cables that differ in nothing but where they lie, of which there can be a thousand: a part for all of a kind. */
  private drawAlike(cables: readonly Cable[]): void {
    const kinds = new Map<string, Cable[]>();
    for (const cable of cables) {
      const kind = `${cable.colour} ${cable.width}`;
      const there = kinds.get(kind);
      if (there) there.push(cable);
      else kinds.set(kind, [cable]);
    }
    const all = [...kinds.values()];
    matched(this.alike, all.length, () => part(this.alike, "path")).forEach((path, place) => {
      const alike = at(all, place);
      const { colour, width } = at(alike, 0);
      const ways = alike.map(({ x, y, to_x, to_y }) => {
        const [from, to] = [this.placeOf(x, y).map(tenth), this.placeOf(to_x, to_y).map(tenth)];
        return `M${from.join(" ")}L${to.join(" ")}`;
      });
      put(path, { d: ways.join(""), fill: "none", stroke: colourOf(colour), "stroke-width": width, "data-colour": colour });
    });
  }

  private drawCable(group: SVGGElement, cable: Cable): void {
    const colour = colourOf(cable.colour);
    const [x1, y1] = [this.pixel(cable.x, 0), this.pixel(cable.y, 1)];
    const [x2, y2] = [this.pixel(cable.to_x, 0), this.pixel(cable.to_y, 1)];
    const [line, arrow, text] = [at(group.children, 0), at(group.children, 1), at(group.children, 2)];
    put(group, { "data-colour": cable.colour });
    put(line, {
      x1: tenth(x1),
      y1: tenth(y1),
      x2: tenth(x2),
      y2: tenth(y2),
      stroke: colour,
      "stroke-width": cable.width,
      "stroke-dasharray": cable.is_dashed ? "5 4" : "none",
    });
    const angle = (Math.atan2(y2 - y1, x2 - x1) * 180) / Math.PI;
    put(arrow, {
      d: cable.is_arrow ? `M0,0 L${-ARROW},${-ARROW / 2} L${-ARROW},${ARROW / 2} Z` : "",
      fill: colour,
      transform: `translate(${tenth(x2)},${tenth(y2)}) rotate(${tenth(angle)})`,
    });
    put(text, { transform: `translate(${tenth((x1 + x2) / 2 + 4)},${tenth((y1 + y2) / 2 - 4)})`, fill: colour });
    write(text as SVGGElement, cable.text ? [cable.text] : [], FONT, halo(3));
  }

  /** What is written into the box at a place. */
  at(x: number, y: number): string | null {
    const [across, down] = [(x - this.corner[0]) / this.scale[0], (y - this.corner[1]) / this.scale[1]];
    const under = this.picture?.boxes.filter(
      (box) => box.text && across >= box.x && across <= box.x + box.width && down >= box.y && down <= box.y + box.height,
    );
    return under?.at(-1)?.text.replaceAll("\n", " ") ?? null;
  }
}
