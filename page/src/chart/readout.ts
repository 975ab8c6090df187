// What is said of a place under the pointer: a small box beside the hair, on the side where it covers less.

import type { Colour } from "../documents";
import type { Room } from "./frame";
import type { Size } from "./stage";

export interface Row {
  colour: Colour | null;
  name: string;
  /** A value for each column. */
  values: string[];
}

export interface Said {
  title: string;
  columns: readonly string[];
  rows: readonly Row[];
}

/** Where the box may stand, and what it should not cover. */
export interface Beside {
  /** In pixels: the hair, and how high on it the hand or the value is. */
  x: number;
  y: number;
  room: Room;
  size: Size;
  /** What it would cover between two places along, and how much each matters. */
  things: (from: number, to: number) => readonly Thing[];
}

export interface Thing {
  x: number;
  y: number;
  weight: number;
}

/** From the hair, and from the picture's edges. */
const GAP = 12;
const INSET = 4;
/** Things that a box covers more before it changes places. */
const STICKY = 3;
/** Places along the hair on each of its sides, from the top; and how much a pixel from the hand matters. */
const PLACES = 7;
const FAR = 0.005;
/** How much words matter that are written in the picture. */
const WORDS = 8;

export class Readout {
  private readonly box: HTMLElement;
  /** Which of the places beside the hair, those beside the hand first. */
  private which = 0;

  constructor(private readonly root: HTMLElement) {
    this.box = document.createElement("div");
    this.box.className = "chart-readout";
    this.box.hidden = true;
    // Keys have it said in a sentence instead.
    this.box.setAttribute("aria-hidden", "true");
    root.append(this.box);
  }

  show(said: Said, beside: Beside): void {
    this.write(said);
    this.box.hidden = false;
    this.place(beside);
  }

  private write({ title, columns, rows }: Said): void {
    const cell = (name: "span" | "strong", text: string, colour?: Colour | null) => {
      const made = document.createElement(name);
      made.textContent = text;
      if (colour) made.style.color = `var(--${colour})`;
      return made;
    };
    const width = columns.length || Math.max(0, ...rows.map((row) => row.values.length));
    this.box.style.gridTemplateColumns = `auto ${"auto ".repeat(width)}`;
    const heads = columns.length ? columns : Array.from({ length: width }, () => "");
    this.box.replaceChildren(
      ...[cell("strong", title), ...heads.map((head) => cell("span", head))],
      ...rows.flatMap(({ colour, name, values }) => [
        Object.assign(cell("span", name, colour), { className: "name" }),
        ...Array.from({ length: width }, (_, place) => cell("span", values[place] ?? "", colour)),
      ]),
    );
  }

  /** Right or left of the hair, where it covers least; it stays as long as another place is not much better. */
  private place({ x, y, room, size, things }: Beside): void {
    const { offsetWidth: width, offsetHeight: height } = this.box;
    const [lowest, highest] = [Math.max(INSET, Math.min(room.top, size.height - height - INSET)), size.height - height - INSET];
    const tops = Array.from({ length: PLACES }, (_, place) => lowest + ((highest - lowest) * place) / (PLACES - 1));
    const places = [x + GAP, x - GAP - width].flatMap((left) =>
      [y - height - GAP, y + GAP, ...tops].map((top) => ({ left, top: Math.max(lowest, Math.min(highest, top)) })),
    );
    const all = things(x - GAP - width, x + GAP + width);
    const words = this.words();
    const hits = (left: number, top: number) => {
      const [right, bottom] = [left + width, top + height];
      const points = all.filter((one) => one.x > left && one.x < right && one.y > top && one.y < bottom);
      const covered = words.filter((one) => one.left < right && one.right > left && one.top < bottom && one.bottom > top);
      return points.reduce((sum, { weight }) => sum + weight, WORDS * covered.length);
    };
    const costs = places.map(({ left, top }, which) => {
      const isOut = left < INSET || left + width > size.width - INSET;
      const far = Math.abs(top + height / 2 - y);
      return (
        (isOut ? 1000 : 0) + (far < height / 2 ? 1 : 0) + far * FAR + hits(left, top) + (which === this.which ? 0 : STICKY)
      );
    });
    this.which = costs.indexOf(Math.min(...costs));
    const { left, top } = places[this.which] ?? { left: x, top: y };
    const inside = Math.max(INSET, Math.min(size.width - width - INSET, left));
    this.box.style.transform = `translate(${Math.round(inside)}px, ${Math.round(top)}px)`;
  }

  /** Where words are written, from the picture's corner. */
  private words(): DOMRect[] {
    const { left, top } = this.root.getBoundingClientRect();
    return [...this.root.querySelectorAll("svg text")]
      .filter((one) => one.checkVisibility({ visibilityProperty: true }))
      .map((one) => one.getBoundingClientRect())
      .map(({ x, y, width, height }) => new DOMRect(x - left, y - top, width, height));
  }

  hide(): void {
    this.box.hidden = true;
  }

  remove(): void {
    this.box.remove();
  }
}

/** The same in a sentence, for whoever does not see it. */
export function spoken({ title, columns, rows }: Said): string {
  const of = ({ name, values }: Row) => {
    const told = values.flatMap((value, place) => (value ? [columns[place] ? `${columns[place]} ${value}` : value] : []));
    return told.length ? `${name} ${told.join(", ")}` : name;
  };
  return [title, ...rows.map(of)].join("; ");
}
