// Whether a step has a drawing beside its chart.

import { MODE_WORDS } from "../state/modes";
import { answer, isHeld, single, step, view } from "../state/store";
import { type Accompanied, isRead } from "./read";

/** The drawing of the step's picture, once nothing is asked; null where the step has none. */
export function companionShown(): Accompanied | null {
  return isHeld.value ? null : companionOf();
}

/** The same, be it shown by now or not. */
export function companionOf(): Accompanied | null {
  const { modes = [], views = [] } = answer.value ?? {};
  const found = step.value && views[step.value.view];
  // Of two the one that is drawn solid, or alone.
  const mode = modes.find((one) => one === single.value) ?? modes.at(-1);
  if (!mode || found?.kind !== "curves" || view.value !== step.value?.view) return null;
  const curves = found.pictures[mode];
  if (!curves?.companion) return null;
  const whose = modes.length > 1 ? `${MODE_WORDS[mode]} numbers` : "";
  return { curves, companion: curves.companion, axes: found.axes, whose };
}

/** Whether a drawing beside the chart is read where the chart is. */
export function isReadBeside(shown = companionShown()): boolean {
  const { companion } = shown ?? {};
  return companion !== undefined && isRead(companion);
}
