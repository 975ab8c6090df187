// Claims as dots on the line of time: where dots are too near they stand one above another.

import type { ShelfClaim } from "../documents";

/** Of the time line's length: dots that are nearer stand one above another. */
const APART = 0.0085;
const MOST_LEVELS = 4;

export interface Spot {
  claim: ShelfClaim;
  level: number;
}

/** In the order of their time. */
export function stacked(claims: ShelfClaim[], end: number): Spot[] {
  const ends: number[] = [];
  return [...claims]
    .sort((one, other) => one.seconds - other.seconds)
    .map((claim) => {
      const at = claim.seconds / end;
      let level = ends.findIndex((last) => at - last >= APART);
      if (level < 0) level = ends.length < MOST_LEVELS ? ends.length : ends.indexOf(Math.min(...ends));
      ends[level] = at;
      return { claim, level };
    });
}

/** Of a time stamp as "0:19:22". */
export function seconds(timeStamp: string): number {
  return timeStamp.split(":").reduce((sum, part) => 60 * sum + Number(part), 0);
}
