// Whether a step has the machine above its chart.

import type { Colour, OpenedChip } from "../documents";
import { MODE_WORDS, whyFilledIn } from "../state/modes";
import { answer, board, isHeld, single, step, view } from "../state/store";

/** The chip of the step's picture, once nothing is asked; null where the step has none. */
export function machineShown(): { chip: OpenedChip; told: readonly Colour[]; whose: string; filledIn: string[] } | null {
  const now = step.value;
  const { modes = [], opened = {} } = answer.value ?? {};
  // Of two the one that is drawn solid, or alone.
  const mode = modes.find((one) => one === single.value) ?? modes.at(-1);
  const chip = mode && opened[mode];
  if (!now?.opened.length || isHeld.value || view.value !== now.view || !chip) return null;
  // What he left open is set apart, as it is everywhere.
  const filledIn = (board.value?.controls ?? []).filter((one) => whyFilledIn(one, mode) !== null).map(({ name }) => name);
  return { chip, told: now.opened, whose: modes.length > 1 ? `${MODE_WORDS[mode]} numbers` : "", filledIn };
}
