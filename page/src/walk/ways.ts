// What may stand between the words of a step and its chart on an upright phone, and what of that has room.

import type { Between } from "../state/narrow";

export type Stands = Omit<Between, "of">;
const NOTHING: Stands = { hasFormula: false, hasPicture: false, isBrief: false };
export const FORMULA: Stands = { ...NOTHING, hasFormula: true };
const PICTURE: Stands = { ...NOTHING, hasPicture: true };
const BOTH: Stands = { ...FORMULA, hasPicture: true };
const brief = (one: Stands): Stands => ({ ...one, isBrief: true });

/** What is tried in turn; the last stands there whether it has room or not. */
export const WAYS = {
  /** A step that asks for no dot. */
  told: [FORMULA, NOTHING],
  asked: [BOTH, FORMULA, NOTHING],
  /** The drawing before the formula, and that before lines of a sentence that was read. */
  answered: [BOTH, PICTURE, brief(PICTURE), FORMULA, brief(FORMULA), NOTHING, brief(NOTHING)],
  /** The same on a low phone: what the answer is of is read with it, before a drawing has its room. */
  low: [BOTH, PICTURE, FORMULA, NOTHING, brief(PICTURE), brief(FORMULA), brief(NOTHING)],
};

/** In pixels. */
export interface Heights {
  /** What the chart can spare where neither stands above it and the sentence is whole. */
  spare: number;
  formula: number;
  picture: number;
  /** Of the words, beyond their first sentence. */
  rest: number;
}

/** The first that has room, and what that leaves. */
export function best(ways: readonly Stands[], heights: Heights): { found: Stands; left: number } {
  const left = (one: Stands) =>
    heights.spare +
    (one.isBrief ? heights.rest : 0) -
    (one.hasFormula ? heights.formula : 0) -
    (one.hasPicture ? heights.picture : 0);
  const found = ways.find((one) => left(one) >= 0) ?? ways.at(-1) ?? NOTHING;
  return { found, left: left(found) };
}
