// What is said of a place under the pointer: a small box in the corner that is farthest from it.

import type { Colour } from "../documents";
import type { Room } from "./frame";
import type { Size } from "./stage";

export interface Row {
  colour: Colour | null;
  name: string;
  /** A value for each column. */
  values: string[];
}

const INSET = 8;

export class Readout {
  private readonly box: HTMLElement;

  constructor(root: HTMLElement) {
    this.box = document.createElement("div");
    this.box.className = "chart-readout";
    this.box.hidden = true;
    root.append(this.box);
  }

  /** Say something, away from a place in pixels. */
  show(title: string, columns: readonly string[], rows: readonly Row[], x: number, y: number, room: Room, size: Size): void {
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
    const isLeft = x > (room.left + room.right) / 2;
    const isTop = y > (room.top + room.bottom) / 2;
    const { style } = this.box;
    style.left = isLeft ? `${room.left + INSET}px` : "auto";
    style.right = isLeft ? "auto" : `${size.width - room.right + INSET}px`;
    style.top = isTop ? `${room.top + INSET}px` : "auto";
    style.bottom = isTop ? "auto" : `${size.height - room.bottom + INSET}px`;
    this.box.hidden = false;
  }

  hide(): void {
    this.box.hidden = true;
  }

  /** Said aloud where keys ask for it; a pointer would say too much. */
  speak(isLoud: boolean): void {
    this.box.setAttribute("aria-live", isLoud ? "polite" : "off");
  }

  remove(): void {
    this.box.remove();
  }
}
