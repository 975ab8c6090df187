// How a guess compares with what is true, in words that may stand after others in a sentence.

import { times } from "./ratio";

/** Which way a guess is off, along each axis. */
const OFF = { x: { more: "too far right", less: "too far left" }, y: { more: "too high", less: "too low" } };

/** Up to so many times off a guess is right; farther off it is at best near enough. */
const CLOSE = 1.1;
/** A ratio that is no nearer to one than this has a digit in which it differs. */
const VISIBLE = 1.005;

/** As a sentence begins. */
export function begun(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export interface Verdict {
  /** How it came out, and what it was: of a right one the answer, too. */
  text: string;
  /** The same where a mark or a colour says whether it is right. */
  off: string;
  /** The same in a word: a factor where there is one. */
  brief: string;
  isRight: boolean;
  /** Set where it counts as right and is only near enough. */
  isNear?: boolean;
}

/** By how many times it is off, and whether that is near enough. */
export function verdict(
  guess: number,
  truth: number,
  tolerance: number,
  axis: "x" | "y",
  written: (value: number) => string,
): Verdict {
  const ratio = guess / truth;
  const way = OFF[axis][guess > truth ? "more" : "less"];
  const isMeasured = ratio > 0 && Number.isFinite(ratio);
  const factor = isMeasured ? Math.max(ratio, 1 / ratio) : Number.POSITIVE_INFINITY;
  const isRight = factor <= tolerance || guess === truth;
  if (!isRight) {
    if (!isMeasured) return { text: way, off: way, brief: way, isRight };
    const brief = factor < VISIBLE ? "a little" : `${times(factor)}×`;
    const off = `${brief} ${way}`;
    return { text: off, off, brief, isRight };
  }
  const [said, is] = [written(guess), written(truth)];
  if (said === is) return { text: `right: it is ${is}`, off: `it is ${is}`, brief: "right", isRight };
  if (factor <= CLOSE) {
    const off = `you said ${said}, it is ${is}`;
    return { text: `right: ${off}`, off, brief: "right", isRight };
  }
  const off = `you said ${said}, ${times(ratio)} times ${is}`;
  return { text: `near enough: ${off}`, off, brief: `${times(factor)}×`, isRight, isNear: true };
}
