// How far the page is scrolled: at its top where one goes elsewhere, and where one was on the way back.

/** What an entry of the history keeps of the page that was left. */
interface Left {
  /** How far it was scrolled. */
  y: number;
}

/** Before another entry: where one is, for whoever comes back. */
export function leave(): void {
  history.replaceState({ y: scrollY } satisfies Left, "");
}

/** To where the page was scrolled, once it is as long again as it was. */
export function scrollBack(left: Left | null): void {
  if (left) requestAnimationFrame(() => scrollTo({ top: left.y, behavior: "instant" }));
}

/** What is elsewhere begins at its top; who has scrolled a bar out of sight does not get it back. */
export function toTop(): void {
  const board = document.querySelector("main");
  const bar = document.querySelector("header");
  if (!board || !bar) return;
  const top = board.getBoundingClientRect().top - bar.getBoundingClientRect().bottom;
  if (top < 0) scrollBy({ top, behavior: "instant" });
}
