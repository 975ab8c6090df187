// Which mode a picture shows that has room for one at a time.

import { useLayoutEffect } from "preact/hooks";

import type { Mode } from "../documents";
import { picked, single } from "../state/signals";

/** Of two that have no room beside each other the one that was chosen, else the careful one, whose numbers controls show. */
export function oneOf(modes: readonly Mode[]): Mode | undefined {
  return modes.find((mode) => mode === picked.value) ?? modes.at(-1);
}

/** Tell all others whose numbers are shown for as long as they are shown alone. */
export function useSingle(mode: Mode | null): void {
  useLayoutEffect(() => {
    single.value = mode;
    return () => {
      single.value = null;
    };
  }, [mode]);
}
