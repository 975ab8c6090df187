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

/** What a formula is in its place, as long as that is as wide, and the window as large. */
interface Known {
  /** Of which place and window. */
  where: string;
  /** In pixels. */
  rem: number;
  /** In rem: the size that it has of itself. */
  plain: number;
  /** In rem, on the walk on a phone: what its rows may take from the picture. */
  most: number;
  /** In rem, the largest first. */
  choices: number[];
  /** By size. */
  tried: Map<number, Tried>;
}

interface Tried {
  isWhole: boolean;
  isSeen: boolean;
  /** In pixels. */
  height: number;
}

/** The size of the formula that was fitted last, which the next one has most often: it is laid out in that first. */
let latest = "";

/** Keep a formula fitted to its place; what that does is undone by the function that comes back. */
export function fitting(place: HTMLElement): () => void {
  const column = place.closest<HTMLElement>(".lead > *");
  let known: Known | null = null;
  place.style.fontSize ||= latest;
  const look = () => {
    const where = `${place.clientWidth} ${innerWidth} ${innerHeight}`;
    if (known?.where !== where) known = knownOf(place, where);
    const size = fitted(place, column, known);
    return { size: `${size}rem`, isBroken: !tried(place, known, size).isWhole };
  };
  const fit = () => {
    const { size, isBroken } = look();
    if (place.style.fontSize !== size) place.style.fontSize = size;
    latest = size;
    // In the smallest letters, too, longer than a line.
    place.classList.toggle("broken", isBroken);
  };
  const refit = () => {
    known = null;
    fit();
  };
  // Who is observed is told once all is laid out, and most often what it is then was tried before.
  const watch = new ResizeObserver(fit);
  watch.observe(place);
  // Letters that come later take height, too: a frame later, since what is observed lies inside this.
  const around = new ResizeObserver(() => {
    if (look().size !== place.style.fontSize) requestAnimationFrame(fit);
  });
  if (column) around.observe(column);
  document.fonts?.addEventListener("loadingdone", refit);
  fit();
  return () => {
    watch.disconnect();
    around.disconnect();
    document.fonts?.removeEventListener("loadingdone", refit);
  };
}

function knownOf(place: HTMLElement, where: string): Known {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  const style = getComputedStyle(place);
  const plain = Number.parseFloat(style.getPropertyValue("--plain"));
  // Only where it stands beside words does it have room to grow.
  const largest = Number.parseFloat(style.getPropertyValue("--largest")) || plain;
  const most = Number.parseFloat(style.getPropertyValue("--most")) || Number.POSITIVE_INFINITY;
  const choices = [...SIZES.filter((size) => size <= largest && size !== plain), ...(plain <= largest ? [plain] : [])];
  choices.sort((one, other) => other - one);
  return { where, rem, plain, most, choices, tried: new Map() };
}

/** The largest size that fits. */
function fitted(place: HTMLElement, column: HTMLElement | null, known: Known): number {
  const { rem, plain, most, choices } = known;
  // What is unfolded below makes nothing smaller.
  const unfolded = column?.querySelector<HTMLElement>(".equations[open]")?.offsetHeight ?? 0;
  const rest = column ? column.offsetHeight - place.offsetHeight - unfolded : 0;
  const isFit = (size: number): boolean => {
    const { isWhole, isSeen, height } = tried(place, known, size);
    const isLow = size <= LEAST || height <= most * rem;
    return isWhole && (size <= LEAST || isSeen) && isLow && (size <= plain || !column || rest + height <= ROOM * rem);
  };
  // What fits in one size does in all smaller ones: the page is laid out for a few of them. The last fits or must do.
  let [from, to] = [0, choices.length - 1];
  // Mostly it is the size that it was, or the next.
  const guess = choices.indexOf(Number.parseFloat(place.style.fontSize));
  let look = guess;
  while (from < to) {
    if (look < from || look >= to) look = (from + to) >> 1;
    const fits = isFit(choices[look] as number);
    if (fits) to = look;
    else from = look + 1;
    look = look === guess ? guess + (fits ? -1 : 1) : -1;
  }
  return choices[from] as number;
}

/** How a size fits: the page is laid out for it once. */
function tried(place: HTMLElement, known: Known, size: number): Tried {
  const before = known.tried.get(size);
  if (before) return before;
  const was = { size: place.style.fontSize, isBroken: place.classList.contains("broken") };
  place.classList.remove("broken");
  place.style.fontSize = `${size}rem`;
  // A phone's board has all of it in one row, which a thumb moves where it is longer still.
  const row = step.value ? null : place.querySelector(".terms");
  const isIn = ({ scrollWidth, clientWidth }: Element) => scrollWidth <= clientWidth + OVERHANG;
  const found = {
    isWhole: [...place.querySelectorAll(".together")].every(isIn),
    isSeen: !row || isIn(row),
    height: place.offsetHeight,
  };
  place.style.fontSize = was.size;
  place.classList.toggle("broken", was.isBroken);
  known.tried.set(size, found);
  return found;
}
