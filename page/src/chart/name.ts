// One name of a line: its words, how far the modes are apart below them, and what joins it to its line.

import type { Colour } from "../documents";
import type { Projection } from "./frame";
import { stem } from "./identity";
import { FONT, LINE, measure, SMALL } from "./measure";
import { at, clamp } from "./numbers";
import { within } from "./stacking";
import { colourOf, matched, move, part, put, say, tenth, write } from "./svg";

/** A line, or a group of dots, that is named. */
export interface Named {
  key: string;
  name: string;
  colour: Colour;
  isBold: boolean;
  isFloor: boolean;
  isThin: boolean;
  /** Dots have no stroke that a leader could come from. */
  isGroup: boolean;
  /** An answer will bring it: it has a place beside the plot, and is not seen. */
  isComing: boolean;
  /** Said below the name: how far apart the modes are. */
  gap: string;
  /** In even steps, as drawn now and as asked for; NaN of a line that ends elsewhere. */
  end: (isAsked: boolean) => number;
  /** The same of the other mode's line, to which the gap is drawn; null where there is none. */
  other: ((isAsked: boolean) => number) | null;
  /** How much of the line is there: a name comes with the line's end. */
  presence: () => number;
}

/** From the plot to a name beside it. */
export const LEADER = 20;
/** Of the stroke before a name in a key, with the room behind it. */
export const DASH = 22;
export const BOLD = 600;

export class NameDrawn {
  private readonly group: SVGGElement;
  private readonly leader: SVGPathElement;
  /** From the other mode's end to this one. */
  private readonly bracket: SVGPathElement;
  private readonly words: SVGGElement;
  private readonly gap: SVGGElement;
  lines: string[];
  gapLines: string[] = [];
  /** Of the widest line, in pixels. */
  wide = 0;
  /** Upper edge beside the plot, and before the names changed places. */
  stands: number | null = null;
  stood: number | null = null;

  constructor(
    parent: SVGGElement,
    public named: Named,
  ) {
    this.lines = [named.name];
    this.group = part(parent, "g", { opacity: 0 });
    this.leader = part(this.group, "path", { fill: "none" });
    this.bracket = part(this.group, "path", { fill: "none", "stroke-width": 4, "stroke-opacity": 0.3 });
    this.words = part(this.group, "g");
    this.gap = part(this.group, "g", { "font-size": SMALL, fill: "var(--muted)" });
  }

  get weight(): number {
    return this.named.isBold ? BOLD : 400;
  }

  get height(): number {
    return (this.lines.length + this.gapLines.length) * LINE;
  }

  ask(named: Named): void {
    this.named = named;
    const colour = colourOf(named.colour);
    put(this.group, { "data-colour": named.colour, "data-line": stem(named.name) });
    put(this.words, { fill: colour, "font-weight": this.weight });
    for (const each of [this.leader, this.bracket]) put(each, { stroke: colour });
  }

  write(size: number): void {
    write(this.words, this.lines, LINE, { "font-size": size });
    const wides = this.lines.map((line) => measure(line, size, this.weight));
    this.wide = Math.max(...wides, ...this.gapLines.map((line) => measure(line, SMALL)));
    matched(this.gap, this.gapLines.length, () => part(this.gap, "text")).forEach((text, place) => {
      put(text, { y: place * LINE });
      say(text, at(this.gapLines, place));
    });
  }

  /** What has no place is not seen. */
  show(isSeen: boolean, opacity: number): void {
    put(this.group, { visibility: isSeen ? "inherit" : "hidden", opacity });
  }

  /** Say no gap for now. */
  hush(isHushed: boolean): void {
    put(this.gap, { display: isHushed ? "none" : "inline" });
  }

  /** Where its line ends, as asked for or as drawn; within the plot. */
  end({ evenY, room }: Projection, isAsked: boolean): number {
    return within(evenY(this.named.end(isAsked)), room.top, room.bottom);
  }

  /** At the right of the plot, from a height down. */
  drawBeside(top: number, end: number, projection: Projection): void {
    const { evenY, room } = projection;
    const x = room.right + LEADER;
    move(this.words, x, top + FONT - 1);
    move(this.gap, x, top + this.lines.length * LINE + SMALL - 1);
    this.drawBracket(projection, end);
    const first = top + LINE / 2;
    const joint = clamp(end, first, first + (this.lines.length - 1) * LINE);
    put(this.gap, { visibility: "inherit" });
    // No leader points at where a line is not.
    const isThere = Math.abs(end - evenY(this.named.end(false))) < 1;
    put(this.leader, { "stroke-width": 1, "stroke-dasharray": "none", "stroke-opacity": isThere ? 0.8 : 0 });
    this.leader.setAttribute(
      "d",
      `M${tenth(room.right + 2)},${tenth(end)} L${tenth(room.right + 6)},${tenth(end)} L${tenth(x - 7)},${tenth(joint)} L${tenth(x - 3)},${tenth(joint)}`,
    );
  }

  /** The gap between the modes, at the right edge of the plot. */
  private drawBracket({ evenY, room }: Projection, end: number): void {
    const other = this.named.other ? evenY(this.named.other(false)) : Number.NaN;
    const isSeen = other > room.top && other < room.bottom && end > room.top && end < room.bottom && Math.abs(other - end) > 3;
    put(this.bracket, {
      d: isSeen ? `M${tenth(room.right + 2)},${tenth(other)} L${tenth(room.right + 2)},${tenth(end)}` : "",
    });
  }

  /** In a key, with a stroke of its line before it; the gap elsewhere, if there is one. */
  drawInKey(x: number, y: number, gap: { x: number; y: number } | null): void {
    const { isGroup, isBold, isFloor, isThin } = this.named;
    put(this.bracket, { d: "" });
    move(this.words, x + DASH, y);
    put(this.gap, { visibility: gap ? "inherit" : "hidden" });
    if (gap) move(this.gap, gap.x, gap.y);
    put(this.leader, {
      d: isGroup ? `M${x + 6},${y - 4} L${x + 6.01},${y - 4}` : `M${x},${y - 4} L${x + DASH - 7},${y - 4}`,
      "stroke-width": isGroup ? 7 : isBold ? 3.4 : 1.9,
      "stroke-linecap": isGroup ? "round" : "butt",
      "stroke-dasharray": isFloor ? "2 3" : isThin ? "6 4" : "none",
      "stroke-opacity": 1,
    });
  }

  remove(): void {
    this.group.remove();
  }
}
