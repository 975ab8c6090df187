// How a guess compares with what is true, in words that may stand after others in a sentence.

import { times } from "./ratio";

/** Which way a guess is off, along each axis. */
const OFF = { x: { more: "too far right", less: "too far left" }, y: { more: "too high", less: "too low" } };

/** As a sentence begins. */
export function begun(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export interface Verdict {
  /** How far off it is, and of a right one how far off it might be. */
  text: string;
  /** How far off it is. */
  off: string;
  /** The same in a word: a factor where there is one. */
  brief: string;
  isRight: boolean;
}

/** By how many times it is off, and whether that is near enough. */
export function verdict(guess: number, truth: number, tolerance: number, axis: "x" | "y"): Verdict {
  const ratio = guess / truth;
  const way = OFF[axis][guess > truth ? "more" : "less"];
  if (!(ratio > 0) || !Number.isFinite(ratio)) {
    const isRight = guess === truth;
    return inOneWord(isRight ? "exactly right" : way, isRight);
  }
  const factor = Math.max(ratio, 1 / ratio);
  const isRight = factor <= tolerance;
  if (factor < 1.005) return inOneWord("spot on", isRight);
  const brief = `${times(factor)}×`;
  const off = `${brief} ${way}`;
  return { text: isRight ? `${off}; within ${times(tolerance)}× counts` : off, off, brief, isRight };
}

const inOneWord = (text: string, isRight: boolean): Verdict => ({ text, off: text, brief: text, isRight });
