// How the walk's questions were answered, and how near guesses came: each by its ratio to what is true.

import type { Choice, Step } from "../documents";
import { kept } from "../state/kept";
import { judgedBy } from "./near";

/** A question of the walk, with the guess that was kept; without one its value is null. */
export interface Told {
  /** Of its step, from 1. */
  place: number;
  value: number | null;
  truth: number;
  isRight: boolean;
  mark: Mark;
  words: string;
}

/** How a question was answered, if it was. */
export type Mark = "right" | "near" | "off" | "open";

/** All questions of the walk. */
export function toldOf(steps: readonly Step[]): Told[] {
  const { guesses } = kept();
  return steps.flatMap(({ id, question, choice }, which) => {
    if (choice) return [chosenOf(which + 1, choice, guesses[id] ?? null)];
    if (!question) return [];
    const truth = question.axis === "x" ? question.x : question.y;
    const value = guesses[id] ?? null;
    if (value === null) return [{ place: which + 1, value, truth, isRight: false, mark: "open", words: "" }];
    const { isRight, isNear, off } = judgedBy(question, value, truth);
    return [{ place: which + 1, value, truth, isRight, mark: isNear ? "near" : isRight ? "right" : "off", words: off }];
  });
}

/** Of an answer that was chosen nothing says how far off it is. */
function chosenOf(place: number, choice: Choice, value: number | null): Told {
  const isRight = value === choice.right;
  const mark = value === null ? "open" : isRight ? "right" : "off";
  return { place, value, truth: Number.NaN, isRight, mark, words: value === null ? "" : chosenWords(choice, value) };
}

/** What is right, after what was chosen in its place. */
export function chosenWords({ options, right }: Choice, value: number): string {
  const is = options[right]?.name ?? "";
  return value === right ? is : `not ${options[value]?.name}, but ${is}`;
}

/** Fewer guesses have no middle worth telling, and no good score. */
const LEAST = 4;

export interface Score {
  right: number;
  of: number;
}

export function scoreOf(told: readonly Told[]): Score {
  const given = told.filter(({ value }) => value !== null);
  return { right: given.filter(({ isRight }) => isRight).length, of: given.length };
}

/** Whether it is one to be proud of: at least half of several. */
export function isGood({ right, of }: Score): boolean {
  return of >= LEAST && 2 * right >= of;
}

/** By how many times half of the guesses were off at most, in words; null of so few that a half says nothing. */
export function middleOf(told: readonly Told[]): string | null {
  const sizes = told
    .filter(isMeasured)
    .map((one) => Math.exp(away(one)))
    .filter(Number.isFinite)
    .sort((one, other) => one - other);
  const half = sizes[Math.floor((sizes.length - 1) / 2)] ?? 1;
  if (sizes.length < LEAST) return null;
  return half < 1.995 ? `${Math.max(1, Math.round(100 * (half - 1)))} %` : `${half.toPrecision(2)}×`;
}

const isMeasured = ({ value, truth }: Told) => value !== null && !Number.isNaN(truth);

/** Of the guesses that were right the nearest; null where none was. */
export function nearestOf(told: readonly Told[]): Told | null {
  const right = told.filter((one) => isMeasured(one) && one.isRight);
  return right.reduce<Told | null>((least, one) => (least && away(least) <= away(one) ? least : one), null);
}

/** How many times off, in powers of e to either side. */
function away({ value, truth }: Told): number {
  return Math.abs(Math.log((value ?? truth) / truth));
}

/** Of the guesses that were not right the one that is off by the most times; null where all were right. */
export function farthestOf(told: readonly Told[]): Told | null {
  const wrong = told.filter((one) => isMeasured(one) && !one.isRight);
  return wrong.reduce<Told | null>((most, one) => (most && away(most) >= away(one) ? most : one), null);
}
