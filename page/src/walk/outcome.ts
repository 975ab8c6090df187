// How the walk's questions were answered, and how near guesses came: each by its ratio to what is true.

import type { Choice, Step } from "../documents";
import { kept } from "../state/kept";
import { judgedBy } from "./near";

/** A question of the walk, and how it was answered. */
export interface Told {
  /** Of its step, from 1. */
  place: number;
  mark: Mark;
  words: string;
  /** How many times off a guess is, in powers of e to either side; NaN without one, or where an answer was chosen. */
  away: number;
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
    if (value === null) return [openAt(which + 1)];
    const { isRight, isNear, off } = judgedBy(question, value, truth);
    const mark = isNear ? "near" : isRight ? "right" : "off";
    return [{ place: which + 1, mark, words: off, away: Math.abs(Math.log(value / truth)) }];
  });
}

function openAt(place: number): Told {
  return { place, mark: "open", words: "", away: Number.NaN };
}

/** Of an answer that was chosen nothing says how far off it is. */
function chosenOf(place: number, choice: Choice, value: number | null): Told {
  if (value === null) return openAt(place);
  return { place, mark: value === choice.right ? "right" : "off", words: chosenWords(choice, value), away: Number.NaN };
}

/** Whether it was answered at all. */
export const isGiven = ({ mark }: Told) => mark !== "open";
const isRight = ({ mark }: Told) => mark === "right" || mark === "near";

/** What is right, after what was chosen in its place. */
export function chosenWords({ options, right }: Choice, value: number): string {
  const is = options[right]?.name ?? "";
  return value === right ? is : `not ${options[value]?.name}, but ${is}`;
}

/** Fewer guesses have no good score. */
const LEAST = 4;

export interface Score {
  right: number;
  of: number;
}

export function scoreOf(told: readonly Told[]): Score {
  return { right: told.filter(isRight).length, of: told.filter(isGiven).length };
}

/** Whether it is one to be proud of: at least half of several. */
export function isGood({ right, of }: Score): boolean {
  return of >= LEAST && 2 * right >= of;
}

/** Of the guesses that were right the nearest; null where none was. */
export function nearestOf(told: readonly Told[]): Told | null {
  const right = told.filter((one) => one.away >= 0 && isRight(one));
  return right.reduce<Told | null>((least, one) => (least && least.away <= one.away ? least : one), null);
}

/** Of the guesses that were not right the one that is off by the most times; null where all were right. */
export function farthestOf(told: readonly Told[]): Told | null {
  const wrong = told.filter((one) => one.away >= 0 && !isRight(one));
  return wrong.reduce<Told | null>((most, one) => (most && most.away >= one.away ? most : one), null);
}
