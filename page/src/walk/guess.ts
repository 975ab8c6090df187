// A guess on the chart before a curve is seen; how near it came, kept in the browser alone.

import { signal } from "@preact/signals";

import { called } from "../chart/identity";
import { heightAt } from "../chart/numbers";
import { verdict } from "../chart/predict";
import type { Prediction } from "../documents";
import { keep, kept } from "../state/kept";
import { address, answer, isRevealed, said, step, view } from "../state/store";

interface Guess {
  /** How near it came, in words. */
  text: string;
  isRight: boolean;
}

export const guess = signal<Guess | null>(null);

/** A dot was placed at a height; the line is seen from now on. */
export function guessed(_x: number, y: number): void {
  const question = step.value?.question;
  const there = question && truth(question);
  if (question && there) {
    const found = verdict(y, there, question.tolerance_ratio);
    guess.value = found;
    keep({ answers: { ...kept().answers, [`step-${address.value.step}`]: found.isRight } });
    said.value = found.text;
  }
  isRevealed.value = true;
}

/** Where the line lies, in the mode that the question is about: careful where it is drawn, else the lecture's. */
function truth({ line: name, x }: Prediction): number | null {
  const found = answer.value?.views[view.value];
  if (found?.kind !== "curves") return null;
  const picture = found.pictures.careful ?? found.pictures.lecture;
  const line = picture && called(picture.lines, (one) => one.name, name);
  return picture && line ? heightAt(picture.x, line.y, x) : null;
}
