// Of a board's controls the one that was chosen by its letter: on a phone its slider lies under the thumb.

import { computed, effect, signal } from "@preact/signals";
import { address } from "../state/signals";

/** Its name; empty where none was. */
export const chosen = signal("");

const shownNow = computed(() => `${address.value.board} ${address.value.step} ${address.value.claims}`);
// What was chosen on one board or step is gone on the next, whose own first control lies under the thumb.
effect(() => {
  shownNow.value;
  chosen.value = "";
});

/** Its slider has the keys from now on. */
export function take(name: string): void {
  chosen.value = name;
  requestAnimationFrame(() => document.getElementById(`control-${name}-slider`)?.focus({ preventScroll: true }));
}
