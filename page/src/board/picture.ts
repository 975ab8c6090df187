// What the chart is asked to show: the view, and of it what the walk has come to.

import type { Predicted, Shown } from "../chart/chart";
import type { Mode, View } from "../documents";
import { isScene } from "../scenes/views";
import { format } from "../state/quantity";
import { isRevealed, step } from "../state/store";

export function shownChart(view: Shown["view"], modes: Mode[], past: View | null): Shown {
  const now = step.value;
  const lines = now?.lines.length ? now.lines : null;
  const before = past && !isScene(past) ? past : null;
  return { view, modes, lines, predict: prediction(), past: before, units: format };
}

/** The step's question, until it was answered. */
function prediction(): Predicted | null {
  const question = step.value?.question;
  return question && !isRevealed.value ? { ...question, prompt: "Put the dot where you think it lies" } : null;
}
