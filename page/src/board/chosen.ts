// Of a board's controls the one that was chosen by its letter: on a phone its slider lies under the thumb.

import { signal } from "@preact/signals";

/** Its name; empty where none was. */
export const chosen = signal("");

/** Its slider has the keys from now on. */
export function take(name: string): void {
  chosen.value = name;
  requestAnimationFrame(() => document.getElementById(`control-${name}-slider`)?.focus({ preventScroll: true }));
}
