// Whether a step has a drawing beside its chart.

import { isAmong } from "../chart/identity";
import type { Companion } from "../documents";
import { MODE_WORDS } from "../state/modes";
import { answer, isGuessing, single, sketch, step, view } from "../state/store";
import { type Accompanied, isRead } from "./read";

/** The drawing of the step's picture, once nothing is asked; null where the step has none. */
export function companionShown(): Accompanied | null {
  return isGuessing.value ? null : companionOf();
}

/** The same, be it shown by now or not. */
export function companionOf(): Accompanied | null {
  const { modes = [], views = [] } = answer.value ?? {};
  const found = step.value && views[step.value.view];
  // Of two the one that is drawn solid, or alone.
  const mode = modes.find((one) => one === single.value) ?? modes.at(-1);
  if (!step.value || !mode || found?.kind !== "curves" || view.value !== step.value.view) return null;
  const curves = found.pictures[mode];
  if (!curves?.companion) return null;
  const whose = modes.length > 1 ? `${MODE_WORDS[mode]} numbers` : "";
  const { lines, question } = step.value;
  const asked = sketch.value?.asked ?? (isGuessing.value ? (question?.line ?? "") : "");
  const companion = seenOf(curves.companion, lines);
  return { curves, companion, axes: found.axes, whose, asked, known: sketch.value?.lines ?? null };
}

/** Without what belongs to lines that are not seen by now. */
function seenOf(companion: Companion, lines: readonly string[]): Companion {
  if (!("grids" in companion) || !lines.length) return companion;
  return { ...companion, grids: companion.grids.filter(({ line }) => isAmong(lines, line)) };
}

/** Whether the drawing beside the chart writes out what a bill under it would say again. */
export function isItemized(): boolean {
  const { companion } = companionOf() ?? {};
  return companion !== undefined && "groups" in companion;
}

/** Whether a drawing beside the chart is read where the chart is. */
export function isReadBeside(shown = companionShown()): boolean {
  const { companion } = shown ?? {};
  return companion !== undefined && isRead(companion);
}
