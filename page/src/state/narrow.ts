// How wide the screen is: on a phone's what is told at length is folded, and a wide one has a margin.

import { type Signal, signal } from "@preact/signals";

export const isNarrow = matching("(max-width: 52rem)");
export const hasMargin = matching("(min-width: 70rem)");

function matching(query: string): Signal<boolean> {
  const list = matchMedia(query);
  const found = signal(list.matches);
  list.addEventListener("change", ({ matches }) => {
    found.value = matches;
  });
  return found;
}
