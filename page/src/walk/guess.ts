// What is asked on the chart, and a dot that answers it: how near it came, kept in the browser alone.

import { computed, effect, signal, untracked } from "@preact/signals";

import { times } from "../chart/ratio";
import type { Predicted } from "../chart/stage";
import { begun, verdict } from "../chart/verdict";
import type { Choice, Mode, Place, Prediction, Working } from "../documents";
import { keep, kept } from "../state/kept";
import { MODE_WORDS } from "../state/modes";
import { hasMargin, isNarrow } from "../state/narrow";
import { format } from "../state/quantity";
import {
  address,
  askedId,
  askOnceMore,
  exercise,
  isRevealed,
  judge,
  pictured,
  place,
  revealed,
  said,
  shown,
  step,
  view,
} from "../state/store";
import { judgedBy } from "./near";

export interface Guess {
  /** Of what was asked. */
  id: string;
  /** Where the dot was put, as its axis has it, or which answer was chosen; null of an answer that was written. */
  value: number | null;
  /** What is true, on the same axis. */
  truth: number;
  /** How near it came, in words. */
  text: string;
  isRight: boolean;
  /** Whether it was given on an earlier visit. */
  isBefore: boolean;
  /** The way to an exercise's answer. */
  working: Working | null;
}

export const guess = signal<Guess | null>(null);
/** That of what is asked now. */
export const given = computed(() => (guess.value?.id === askedId.value ? guess.value : null));

/** Where on the chart a dot waits to be given; null while none does. */
export const waiting = signal<[number, number] | null>(null);

const PROMPT = "Put a dot where you expect it";
/** The same on a phone, where longer words would lie over lines and names. */
const BRIEF_PROMPT = "Put a dot";

/** What the chart asks, or how it went; null where nothing is asked on it. */
export const predicted = computed<Predicted | null>(() => {
  const on = place.value;
  // Nobody puts a dot on a picture of other numbers.
  if (on && pictured.value !== exercise.value?.id) return null;
  // Another picture of the board is not what it was about.
  const isThere = !exercise.value && step.value?.view === view.value;
  const question = isThere ? step.value?.question : null;
  const asked = on ? ofPlace(on, given.value?.truth ?? null) : question ? ofStep(question) : null;
  if (!asked) return null;
  return {
    ...asked,
    id: askedId.value,
    prompt: isNarrow.value ? BRIEF_PROMPT : PROMPT,
    given: given.value?.value ?? null,
    isOpen: !isRevealed.value,
    // Beside the dot where the words are far from it; else the words have them.
    hands: on ? "check" : hasMargin.value ? "both" : "none",
  };
});

type Asked = Pick<Predicted, "axis" | "line" | "known" | "on" | "x" | "truth" | "names" | "tolerance_ratio">;

const COUNTS: Record<number, string> = { 2: "two", 3: "three" };

/** How near is near enough, in words. */
export function within(ratio: number, isBrief = false): string {
  if (isBrief) return `Within ${times(ratio)}× counts.`;
  return `Within a factor of ${COUNTS[ratio] ?? times(ratio)} (the band) counts.`;
}

function ofStep({ axis, line, x, y, known_from, known_to, tolerance_ratio }: Prediction): Asked {
  const isAlong = axis === "x";
  // Of other numbers nobody has said where along it lies.
  const isKnown = !isAlong || !Object.keys(address.value.turned).length;
  return {
    axis,
    line: isAlong ? "" : line,
    known: [known_from, known_to],
    on: isAlong ? line : "",
    x: isKnown ? x : null,
    truth: isAlong ? x : y,
    names: { lecture: nameOf("lecture"), careful: nameOf("careful") },
    tolerance_ratio,
  };
}

/** Whose a line is that runs elsewhere than the answer says: of the question's own mode, or turned, what it is now. */
function nameOf(mode: Mode): string {
  const isNow = shown.value !== "both" && (mode === step.value?.mode || Object.keys(address.value.turned).length);
  return isNow ? "now" : MODE_WORDS[mode];
}

function ofPlace({ axis, line, on, x, tolerance_ratio }: Place, truth: number | null): Asked {
  // Its numbers are its own: the line that is drawn tells.
  return { axis, line, known: [null, null], on, x: axis === "x" ? truth : x, truth: null, names: MODE_WORDS, tolerance_ratio };
}

/** A dot was put somewhere; the line is seen from now on. */
export function guessed(x: number, y: number): void {
  const on = place.value;
  if (on && exercise.value) void placed(exercise.value.id, exercise.value.dimension, on, on.axis === "x" ? x : y);
  else if (step.value?.question) told(step.value.question, step.value.question.axis === "x" ? x : y);
}

/** Of the walk: judged by the question's own numbers, whatever has been turned or is shown since. */
function told(question: Prediction, value: number): void {
  const id = askedId.value;
  const truth = truthOf(question);
  const found = judgedBy(question, value, truth);
  guess.value = { id, value, truth, ...found, isBefore: false, working: null };
  keepGuess(id, value, found.isRight);
  said.value = found.text;
  revealed.value = id;
  onwardByKeys();
}

/** Of an exercise. */
async function placed(
  id: string,
  dimension: string,
  { times, tolerance_ratio, axis }: Place,
  value: number,
  isBefore = false,
): Promise<void> {
  const working = await judge(id, "");
  if (askedId.value !== id) return;
  const truth = working.value * times;
  const found = verdict(value, truth, tolerance_ratio, axis, (on) => format(on / times, dimension));
  if (!isBefore) keepGuess(id, value, found.isRight);
  guess.value = { id, value, truth, ...found, isBefore, working };
  revealed.value = id;
  if (isBefore) return;
  said.value = found.text;
  onwardByKeys();
}

/** An exercise's answer in words and numbers, or (none) the way to it. */
export async function wrote(id: string, text: string): Promise<void> {
  const working = await judge(id, text);
  if (askedId.value !== id) return;
  const isRight = working.is_right;
  if (isRight !== undefined) keep({ answers: { ...kept().answers, [id]: isRight } });
  const { value, given = 0 } = working;
  // Nothing but what the server calls right is right, however near.
  const words = isRight === undefined ? "" : isRight ? "right" : verdict(given, value, 1, "y", String).text;
  const truth = working.value * (place.value?.times ?? 1);
  guess.value = { id, value: null, truth, text: words, isRight: isRight ?? false, isBefore: false, working };
  // A wrong number may be written again before the picture tells.
  said.value = words;
  if (isRight === false) return;
  revealed.value = id;
  onwardByKeys();
}

/** An answer was chosen, of the walk's question with a few; the picture is seen from now on. */
export function taken(choice: Choice, value: number): void {
  const id = askedId.value;
  guess.value = chosen(id, choice, value, false);
  keepGuess(id, value, guess.value.isRight);
  revealed.value = id;
  onwardByKeys();
}

function chosen(id: string, { right }: Choice, value: number, isBefore: boolean): Guess {
  return { id, value, truth: right, text: "", isRight: value === right, isBefore, working: null };
}

function keepGuess(id: string, value: number, isRight: boolean): void {
  const before = kept();
  keep({ answers: { ...before.answers, [id]: isRight }, guesses: { ...before.guesses, [id]: value } });
}

/** Asked once more. */
export function guessAgain(): void {
  guess.value = null;
  askOnceMore();
  document.querySelector<HTMLElement>("#canvas .chart")?.focus({ preventScroll: true });
}

/** Given up. */
export function giveUp(): void {
  revealed.value = askedId.value;
  onwardByKeys();
}

/** After an answer keys lead on, not into the picture; a hand that needs none sees no ring. */
function onwardByKeys(): void {
  const isByKeys = document.activeElement?.matches(":focus-visible") === true;
  const next = () => document.getElementById(isByKeys ? "next" : "board");
  requestAnimationFrame(() => next()?.focus({ preventScroll: true }));
}

/** Who comes back sees what was guessed, and may guess again. */
effect(() => {
  const id = askedId.value;
  const { question, choice } = step.value ?? {};
  const on = place.value;
  untracked(() => {
    // A dot waits for one question alone.
    waiting.value = null;
    if (given.value?.working && !given.value.isBefore) return;
    guess.value = null;
    const value = kept().guesses[id];
    if (value === undefined) return;
    if (on && exercise.value) void placed(id, exercise.value.dimension, on, value, true).catch(() => {});
    else if (question && !exercise.value) {
      const truth = truthOf(question);
      guess.value = {
        id,
        value,
        truth,
        ...judgedBy(question, value, truth),
        isBefore: true,
        working: null,
      };
      revealed.value = id;
    } else if (choice && !exercise.value) {
      guess.value = chosen(id, choice, value, true);
      revealed.value = id;
    }
  });
});

/** Whose numbers the question's are, where others are shown. */
const BY_THE_QUESTION = "by the question's numbers";

/** A verdict after its mark, with what it is of before it: "✓ Last time, by the question's numbers, right". */
export function marked(found: Pick<Guess, "isRight" | "isBefore"> | null, text: string, isOfOthers: boolean): string {
  const words = [found?.isBefore && "last time", isOfOthers && BY_THE_QUESTION, text].filter(Boolean).join(", ");
  return `${found ? (found.isRight ? "✓ " : "✗ ") : ""}${begun(words)}`;
}

function truthOf({ axis, x, y }: Prediction): number {
  return axis === "x" ? x : y;
}
