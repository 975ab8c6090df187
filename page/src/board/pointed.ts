// The marks of a picture that lie where a claim's numbers do, so that a hand on the claim finds them.

import type { Axis, Claim, Mode, View } from "../documents";

/** Relative: numbers of a claim and of a mark that are this near are one. */
const SAME = 0.005;
/** Ratios and counts below it, such as 1 and a half, stand on many axes by chance. */
const LEAST_TELLING = 3;

/** Dimensions of axes on which numbers of a claim's unit lie. */
const DIMENSIONS: Record<string, readonly string[]> = {
  "": ["count", "fraction"],
  s: ["s", "duration"],
  bytes: ["bytes"],
  FLOP: ["flop"],
  tokens: ["count"],
  params: ["count"],
  "tokens/s": ["tokens_per_s"],
  "$/s": ["usd_per_s"],
  "$/token": ["usd_per_token"],
};

type Marked = { name: string; x: number; y: number };

/** Keys of marks as the chart has them. */
export function marksOf(claim: Claim, view: View | undefined, modes: readonly Mode[]): string[] {
  if (view?.kind !== "curves") return [];
  const { x, y } = view.axes;
  return modes.flatMap((mode) => {
    const numbers = numbersOf(claim, mode, modes.length > 1);
    const lies = (value: number, axis: Axis) =>
      (DIMENSIONS[claim.unit] ?? []).includes(axis.dimension) && numbers.some((number) => isSame(value, number));
    const marks: readonly Marked[] = view.pictures[mode]?.marks ?? [];
    return marks.filter((mark) => lies(mark.x, x) || lies(mark.y, y)).map(({ name }) => `${mode}\n${name}`);
  });
}

function numbersOf({ unit, lecture, ours_lecture_mode, ours_careful }: Claim, mode: Mode, isPair: boolean): number[] {
  const all = mode === "careful" ? [ours_careful] : [lecture, ours_lecture_mode, isPair ? null : ours_careful];
  return all.filter((one): one is number => one !== null && (unit !== "" || one >= LEAST_TELLING || one % 1 !== 0));
}

function isSame(value: number, number: number): boolean {
  return Math.abs(value - number) <= SAME * Math.abs(number);
}
