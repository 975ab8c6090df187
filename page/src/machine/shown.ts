// Whether a step has the machine above its chart.

import type { Colour, Mode, OpenedChip } from "../documents";
import { answer, isHeld, single, step, view } from "../state/store";

/** The chip of the step's picture, once nothing is asked; null where the step has none. */
export function machineShown(): { chip: OpenedChip; mode: Mode; told: readonly Colour[] } | null {
  const now = step.value;
  const { modes = [], opened = {} } = answer.value ?? {};
  // Of two the one that is drawn solid, or alone.
  const mode = modes.find((one) => one === single.value) ?? modes.at(-1);
  const chip = mode && opened[mode];
  if (!now?.opened.length || isHeld.value || view.value !== now.view || !chip) return null;
  return { chip, mode, told: now.opened };
}
