// How large a formula is written: as large as its place holds, and never cut where smaller letters would do.

import { step } from "../state/store";

/** In rem, the largest first. */
const SIZES = [1.9, 1.75, 1.6, 1.45, 1.3, 1.15, 1, 0.9, 0.8, 0.7];
/**
 * In rem: what a larger formula and its letters may take of the height, which the words beside them have on the walk
 * however short they are. The same for all steps, so that no formula changes its size from one to the next.
 */
const ROOM = 10;
/** In rem: where rows are few, letters are made smaller for that only so far. */
const LEAST = 0.8;
/** Pixels by which a glyph may lean over its own width: no smaller letters would mend that. */
const OVERHANG = 3;

/** Keep a formula fitted to its place; what that does is undone by the function that comes back. */
export function fitting(place: HTMLElement): () => void {
  const column = columnOf(place);
  // Who is observed is told at once, and of each fit: nothing is to be fitted anew where all measures as it did then.
  const measure = () => [place, column].map((one) => `${one?.clientWidth} ${one?.offsetHeight}`).join();
  let measured = "";
  const fit = () => {
    fitted(place);
    measured = measure();
  };
  const refit = () => {
    if (measure() !== measured) fit();
  };
  const watch = new ResizeObserver(refit);
  watch.observe(place);
  // Letters that come later take height, too: a frame later, since what is observed lies inside this.
  const around = new ResizeObserver(() => requestAnimationFrame(refit));
  if (column) around.observe(column);
  document.fonts?.addEventListener("loadingdone", fit);
  fit();
  return () => {
    watch.disconnect();
    around.disconnect();
    document.fonts?.removeEventListener("loadingdone", fit);
  };
}

/** All that stands in a column with a formula. */
function columnOf(place: HTMLElement): HTMLElement | null {
  return place.closest(".lead > *");
}

function fitted(place: HTMLElement): void {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const before = Number.parseFloat(place.style.fontSize);
  place.style.fontSize = "";
  place.classList.remove("broken");
  const style = getComputedStyle(place);
  const plain = Number.parseFloat(style.fontSize) / rem;
  // Only where it stands beside words does it have room to grow.
  const largest = Number.parseFloat(style.getPropertyValue("--largest")) || plain;
  // In rem, on the walk on a phone: what its rows may take from the picture.
  const most = Number.parseFloat(style.getPropertyValue("--most")) || Number.POSITIVE_INFINITY;
  const equations = [...place.querySelectorAll<HTMLElement>(".together")];
  // A phone's board has all of it in one row, which a thumb moves where it is longer still.
  const row = step.value ? null : place.querySelector(".terms");
  const column = columnOf(place);
  const choices = [...SIZES.filter((size) => size <= largest && size !== plain), ...(plain <= largest ? [plain] : [])];
  choices.sort((one, other) => other - one);
  const isFit = (size: number): boolean => {
    place.style.fontSize = `${size}rem`;
    const isWhole = equations.every(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth + OVERHANG);
    const isSeen = size <= LEAST || !row || row.scrollWidth <= row.clientWidth + OVERHANG;
    const isLow = size <= LEAST || place.offsetHeight <= most * rem;
    // What is unfolded below makes nothing smaller.
    const unfolded = column?.querySelector<HTMLElement>(".equations[open]")?.offsetHeight ?? 0;
    return isWhole && isSeen && isLow && (size <= plain || (column?.offsetHeight ?? 0) - unfolded <= ROOM * rem);
  };
  // What fits in one size does in all smaller ones: the page is laid out for a few of them. The last fits or must do.
  let [from, to] = [0, choices.length - 1];
  // Mostly it is the size that it was, or the next.
  const guess = choices.indexOf(before);
  let look = guess;
  while (from < to) {
    if (look < from || look >= to) look = (from + to) >> 1;
    const fits = isFit(choices[look] as number);
    if (fits) to = look;
    else from = look + 1;
    look = look === guess ? guess + (fits ? -1 : 1) : -1;
  }
  place.style.fontSize = `${choices[from]}rem`;
  // In the smallest letters, too, longer than a line.
  place.classList.toggle(
    "broken",
    equations.some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + OVERHANG),
  );
}
