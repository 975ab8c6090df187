// How a guess compares with what is true, in words that may stand after others in a sentence.

import { times } from "./ratio";

/** Which way a guess is off, along each axis. */
const OFF = { x: { more: "too far right", less: "too far left" }, y: { more: "too high", less: "too low" } };

/** Between how far off it is and how far off it may be. */
export const WITHIN = "; within ";

/** As a sentence begins. */
export function begun(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export interface Verdict {
  text: string;
  isRight: boolean;
}

/** By how many times it is off, and whether that is near enough. */
export function verdict(guess: number, truth: number, tolerance: number, axis: "x" | "y"): Verdict {
  const ratio = guess / truth;
  const way = OFF[axis][guess > truth ? "more" : "less"];
  if (!(ratio > 0) || !Number.isFinite(ratio)) {
    const isRight = guess === truth;
    return { text: isRight ? "exactly right" : way, isRight };
  }
  const off = Math.max(ratio, 1 / ratio);
  const isRight = off <= tolerance;
  if (off < 1.005) return { text: "spot on", isRight };
  return { text: `${times(off)}× ${way}${isRight ? `${WITHIN}${times(tolerance)}× counts` : ""}`, isRight };
}
