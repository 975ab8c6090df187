// How wide the screen is: on a phone's what is told at length is folded, and on a wide one the walk has two columns.

import { type Signal, signal } from "@preact/signals";

/** A phone, however it is held. */
export const isNarrow = matching("(max-width: 52rem), (max-height: 30rem)");
/** One on its side: the picture stays beside what is read and turned. */
export const isOnItsSide = matching("(max-height: 30rem) and (min-width: 35rem)");
/** A phone held upright, whose first screen is short of height. */
export const isHandheld = matching("(max-width: 40rem) and (min-height: 30.001rem)");
/** The same with little height, as a browser's own bars leave it: room for one picture and what turns it. */
export const isShort = matching("(max-width: 40rem) and (min-height: 30.001rem) and (max-height: 47rem)");
/** The same with so little that a step's formula has none beside its words. */
export const isShortest = matching("(max-width: 40rem) and (min-height: 30.001rem) and (max-height: 41rem)");
/** Room for answers to choose from beside what is drawn before them, or below it. */
export const hasSketch = matching(
  "(min-width: 52.001rem) and (min-height: 30.001rem), (max-width: 40rem) and (min-height: 35rem)",
);
/** Height of all of a chart but its plot, as it will be at rest, in pixels; of the last curves in its canvas, and null before there are any. */
export const aroundPlot = signal<number | null>(null);
/** What stands between the words and the chart of a step on an upright phone, once it is known what has room. */
export interface Between {
  /** Of which step, before or after its answer, and of which window. */
  of: string;
  hasFormula: boolean;
  hasPicture: boolean;
  /** Whether of words that were read before the answer only first sentences are left, so that they have the room. */
  isBrief: boolean;
}
export const between = signal<Between>({ of: "", hasFormula: false, hasPicture: false, isBrief: false });
/** Room for words beside the picture, and the height that this takes. */
export const hasMargin = matching("(min-width: 60rem) and (min-height: 30.001rem)");
/** Room beside a board's picture. */
export const hasAside = matching("(min-width: 70rem)");
/** A mouse, and so most likely a keyboard. */
export const hasMouse = matching("(hover: hover)");
/** Room for one more control in the row below a board's picture. */
export const isWide = matching("(min-width: 88rem)");
/** Two columns whose height a second picture above the first would use up. */
export const isLow = matching("(min-width: 60rem) and (max-height: 53rem)");
/** The same with so little that the chart comes first, and of the machine its clock stands above it. */
export const isLowest = matching("(min-width: 60rem) and (min-height: 30.001rem) and (max-height: 48rem)");

function matching(query: string): Signal<boolean> {
  const list = matchMedia(query);
  const found = signal(list.matches);
  list.addEventListener("change", ({ matches }) => {
    found.value = matches;
  });
  return found;
}
