// Whether the screen is a phone's: what is told at length is folded there.

import { signal } from "@preact/signals";

const narrow = matchMedia("(max-width: 52rem)");

export const isNarrow = signal(narrow.matches);

narrow.addEventListener("change", ({ matches }) => {
  isNarrow.value = matches;
});
