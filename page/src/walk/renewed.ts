// Of words that hold in place of others the new ones.

/** Between two words, with the stop that ends the first. */
const GAP = /[.,;:]? /g;
/** What begins so belongs to the word, or the number, before it. */
const GOES_ON = /^[.,-]?\w/;

/** Words that both begin with, and all from the first new word on. */
export function renewed(was: string, now: string): [same: string, fresh: string] {
  let from = 0;
  for (const { 0: gap, index } of now.matchAll(GAP))
    if (was.startsWith(now.slice(0, index)) && !GOES_ON.test(was.slice(index))) from = index + gap.length;
  return [now.slice(0, from), now.slice(from)];
}
