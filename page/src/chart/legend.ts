// What dashes, grey lines and halos mean: at the right of the upright axis's caption, or below it.

import { MODE_WORDS } from "../state/modes";
import { GHOST } from "./ghost";
import { LINE, measure, SMALL } from "./measure";
import { at } from "./numbers";
import { matched, move, part, put, say } from "./svg";

type Entry = "before" | "lecture" | "careful" | "drag";

export interface LegendAsked {
  isPair: boolean;
  isHaunted: boolean;
  isDragged: boolean;
  /** Width of the caption, where the row below it begins, and the width of all. */
  caption: number;
  below: number;
  width: number;
}

const PAIR: readonly Entry[] = ["lecture", "careful"];
const SAMPLE = 24;
const BETWEEN = { sample: 6, entries: 14, caption: 24 };
const WORDS: Record<Entry, string> = {
  before: "before",
  lecture: MODE_WORDS.lecture,
  careful: MODE_WORDS.careful,
  drag: "drag",
};
const STROKES: Record<Entry, [width: number, dashes: string]> = {
  before: [GHOST.width, "none"],
  lecture: [1.6, "6 4"],
  careful: [2.4, "none"],
  drag: [0, "none"],
};

export class Legend {
  private readonly group: SVGGElement;

  constructor(parent: SVGGElement) {
    this.group = part(parent, "g", { class: "legend", "font-size": SMALL, fill: "var(--muted)", "aria-hidden": "true" });
  }

  private long(entry: Entry): number {
    const sample = entry === "drag" ? SMALL : SAMPLE;
    return sample + BETWEEN.sample + measure(WORDS[entry], SMALL) + BETWEEN.entries;
  }

  private total(some: readonly Entry[]): number {
    return some.reduce((sum, each) => sum + this.long(each), -BETWEEN.entries);
  }

  private isBeside({ isPair, caption, width }: LegendAsked): boolean {
    return caption + BETWEEN.caption + this.total(isPair ? PAIR : []) <= width;
  }

  /** In pixels, what it needs below the caption. */
  height(asked: LegendAsked): number {
    return asked.isPair && !this.isBeside(asked) ? LINE + 2 : 0;
  }

  draw(asked: LegendAsked): void {
    const { isPair, isHaunted, isDragged, caption, below, width } = asked;
    const total = (some: readonly Entry[]) => this.total(some);
    const lasting: readonly Entry[] = isPair ? PAIR : [];
    const isBeside = this.isBeside(asked);
    const room = isBeside ? width - caption - BETWEEN.caption : width;
    // What is less needed is said where there is room.
    const entries: Entry[] = isDragged && total([...lasting, "drag"]) <= room ? [...lasting, "drag"] : [...lasting];
    if (isHaunted && total(["before", ...entries]) <= room) entries.unshift("before");
    let x = isBeside ? width - total(entries) : 0;
    matched(this.group, entries.length, () => {
      const made = part(this.group, "g");
      part(made, "path", { d: `M0,-4 L${SAMPLE},-4`, stroke: "var(--muted)", fill: "none" });
      part(made, "circle", { cy: -4 });
      part(made, "text");
      return made;
    }).forEach((made, place) => {
      const entry = at(entries, place);
      const [path, dot, words] = [at(made.children, 0), at(made.children, 1), at(made.children, 2)];
      const isDrag = entry === "drag";
      put(path, {
        "stroke-width": STROKES[entry][0],
        "stroke-dasharray": STROKES[entry][1],
        stroke: entry === "before" ? GHOST.stroke : "var(--muted)",
        "stroke-opacity": entry === "before" ? GHOST.opacity : 1,
      });
      // As marks are: hollow, filled, with a halo.
      put(dot, {
        cx: isDrag ? SMALL / 2 : SAMPLE / 2,
        r: isDrag ? 4.6 : 3.4,
        fill: entry === "lecture" ? "var(--background)" : "var(--muted)",
        stroke: "var(--muted)",
        "stroke-width": isDrag ? 7 : 1.4,
        "stroke-opacity": isDrag ? 0.25 : 1,
        visibility: entry === "before" ? "hidden" : "inherit",
      });
      put(words, { x: (isDrag ? SMALL : SAMPLE) + BETWEEN.sample });
      say(words, WORDS[entry]);
      if (isDrag) put(made, { "data-passing": "" });
      else made.removeAttribute("data-passing");
      move(made, x, (isBeside ? 0 : below) + SMALL);
      x += this.long(entry);
    });
  }
}
