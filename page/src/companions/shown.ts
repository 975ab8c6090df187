// Whether a step has a drawing beside its chart that is read where the chart is.

import { signal } from "@preact/signals";

import { heightAt } from "../chart/numbers";
import type { Axes, Companion, Curves } from "../documents";
import { MODE_WORDS } from "../state/modes";
import { answer, isHeld, single, step, view } from "../state/store";

export interface Accompanied {
  curves: Curves;
  companion: Companion;
  axes: Axes;
  /** Whose numbers they are, where that has to be said. */
  whose: string;
}

/** Where along the picture it has come to while it is played; null once it is where it is read. */
export const passing = signal<number | null>(null);

/** The drawing of the step's picture, once nothing is asked; null where the step has none. */
export function companionShown(): Accompanied | null {
  const { modes = [], views = [] } = answer.value ?? {};
  const found = step.value && views[step.value.view];
  // Of two the one that is drawn solid, or alone.
  const mode = modes.find((one) => one === single.value) ?? modes.at(-1);
  if (!mode || found?.kind !== "curves" || isHeld.value || view.value !== step.value?.view) return null;
  const curves = found.pictures[mode];
  if (!curves?.companion) return null;
  const whose = modes.length > 1 ? `${MODE_WORDS[mode]} numbers` : "";
  return { curves, companion: curves.companion, axes: found.axes, whose };
}

/** Whether it is read at one place along; else all of it stands there. */
export function isRead(companion: Companion): boolean {
  return !("kinds" in companion);
}

/** How high a line lies at a place, null where it has no such line, or does not reach. */
export function costOf({ x: xs, lines }: Curves, name: string, x: number): number | null {
  const line = lines.find((one) => one.name === name);
  return line ? heightAt(xs, line.y, x) : null;
}
