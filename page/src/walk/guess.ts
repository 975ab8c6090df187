// A guess on the chart before a curve is seen; how near it came, kept in the browser alone.

import { signal } from "@preact/signals";

import { keep, kept } from "../state/kept";
import { address, answer, isRevealed, said, step, view } from "../state/store";

export interface Guess {
  /** The guess over what is there. */
  ratio: number;
  isRight: boolean;
}

export const guess = signal<Guess | null>(null);

/** A dot was placed at a height; the line is seen from now on. */
export function guessed(_x: number, y: number): void {
  const question = step.value?.question;
  const there = question && heightAt(question.line, question.x);
  if (question && there) {
    const ratio = y / there;
    const isRight = Math.abs(Math.log(ratio)) <= Math.log(question.tolerance_ratio);
    guess.value = { ratio, isRight };
    keep({ answers: { ...kept().answers, [`step-${address.value.step}`]: isRight } });
    said.value = isRight ? "Right" : "Not quite";
  }
  isRevealed.value = true;
}

/** Where the line lies, in the mode that the question is about: careful where it is drawn, else the lecture's. */
function heightAt(name: string, x: number): number | undefined {
  const found = answer.value?.views[view.value];
  if (found?.kind !== "curves") return undefined;
  const picture = found.pictures.careful ?? found.pictures.lecture;
  const line = picture?.lines.find((one) => isNamed(one.name, name));
  if (!picture || !line) return undefined;
  const after = picture.x.findIndex((each) => each >= x);
  const [x1, x2] = [picture.x[after - 1] ?? picture.x[0], picture.x[after]];
  const [y1, y2] = [line.y[after - 1] ?? line.y[0], line.y[after]];
  if (x1 === undefined || x2 === undefined || y1 === undefined || y2 === undefined) return undefined;
  return x2 === x1 ? y2 : y1 + ((y2 - y1) * (x - x1)) / (x2 - x1);
}

/** Names may go on with numbers that follow from the controls: what stands before a colon tells lines apart. */
export function isNamed(line: string, name: string): boolean {
  return line === name || line.split(":")[0] === name.split(":")[0];
}
