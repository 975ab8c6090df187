// How wide words are, asked once for each.

/** Width in pixels of a text of a size and a weight. */
export type Measure = (text: string, size: number, weight?: number) => number;

/** Sizes of words in pixels. */
export const FONT = 13;
export const SMALL = 12;
/** From one baseline to the next. */
export const LINE = 16;

const MOST_WIDTHS = 5000;
const REFERENCE = 100;

/** Widths by weight and text, of letters as large as the reference; all that is drawn has one family, and one pen. */
const widths = new Map<string, number>();
let pen: CanvasRenderingContext2D | null = null;
let family = "";
// What was measured before a font came was measured in another.
globalThis.document?.fonts?.addEventListener("loadingdone", () => widths.clear());

/** How wide a text is in the family of figures, in which all drawings are written. */
export const measure: Measure = (text, size, weight = 400) => {
  const key = `${weight} ${text}`;
  let width = widths.get(key);
  if (width === undefined) {
    pen ??= document.createElement("canvas").getContext("2d");
    // Of the page, not of what is drawn just now: that would have to be laid out first.
    family ||= getComputedStyle(document.documentElement).getPropertyValue("--figures");
    if (pen) {
      pen.font = `${weight} ${REFERENCE}px ${family}`;
      width = pen.measureText(text).width / REFERENCE;
    } else width = 0.6 * text.length;
    if (widths.size > MOST_WIDTHS) widths.clear();
    widths.set(key, width);
  }
  return width * size;
};

/** A text over as few lines as a width allows, lines as alike as they can be. */
export function wrapped(text: string, width: number, wide: (text: string) => number): string[] {
  return wrappedTo(text, filled(text, width, wide).length, wide);
}

/** A text over so many lines, or fewer where it has fewer words, as narrow as they can be. */
export function wrappedTo(text: string, count: number, wide: (text: string) => number): string[] {
  if (count < 2) return [text];
  let [low, high] = [wide(text) / count, wide(text)];
  for (let round = 0; round < 8; round += 1) {
    const middle = (low + high) / 2;
    if (filled(text, middle, wide).length > count) low = middle;
    else high = middle;
  }
  return filled(text, high, wide);
}

/** A space that parts no number from its unit. */
const BREAK = /(?<!\d) |(?<=\d) (?!%|(?:[µmnk]?s|[kMGTP]?B|k?W|h|d|min|times)\b)/;

function filled(text: string, width: number, wide: (text: string) => number): string[] {
  const lines: string[] = [];
  // Where not even those two have room beside each other, they part.
  for (const word of text.split(BREAK).flatMap((each) => (wide(each) > width ? each.split(" ") : [each]))) {
    const last = lines[lines.length - 1];
    if (last !== undefined && wide(`${last} ${word}`) <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
