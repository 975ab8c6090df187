// How many times as much, in words: what a number of an axis is more or less of.

import type { Axis } from "../documents";

/** Ratios nearer to one are no difference. */
export const ALIKE = 0.02;
/** Longer captions name no thing that there is more or less of. */
const LONGEST_NOUN = 20;

/** How many times as much, in few digits. */
export function times(ratio: number): string {
  if (ratio >= 1000) return Math.round(ratio).toLocaleString("en-US");
  if (Math.abs(ratio - 1) < 0.1) return ratio.toFixed(2);
  return ratio >= 99.5 ? String(Math.round(ratio)) : String(Number(ratio.toPrecision(2)));
}

/** A ratio of two numbers of an axis: "57× shorter context"; empty where it says nothing. */
export function compared(ratio: number, axis: Axis): string {
  if (!(ratio > 0) || !Number.isFinite(ratio) || Math.abs(ratio - 1) <= ALIKE) return "";
  const [more, less] = words(axis);
  return `${times(Math.max(ratio, 1 / ratio))}× ${ratio > 1 ? more : less}`;
}

function words({ caption, dimension }: Axis): [more: string, less: string] {
  if (dimension === "s" || dimension === "duration") return ["longer", "shorter"];
  if (dimension.startsWith("usd")) return ["dearer", "cheaper"];
  if (dimension === "bytes") return ["larger", "smaller"];
  const [noun = ""] = caption.split(/[:,]/);
  if (noun.startsWith("size")) return ["larger", "smaller"];
  if (noun === "context") return ["longer context", "shorter context"];
  if (noun === "batch") return ["larger batch", "smaller batch"];
  const isCounted = dimension === "count" && noun.length <= LONGEST_NOUN && /s( |$)/.test(noun);
  return isCounted ? [`more ${noun}`, `fewer ${noun}`] : ["higher", "lower"];
}
