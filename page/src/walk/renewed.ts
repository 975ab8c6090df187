// Of words that hold in place of others the new ones.

/** Before each space, and before a stop that ends a word. */
const BETWEEN_WORDS = /(?= )|(?=[.,;:](?: |$))/;
const BEFORE_A_WORD = /^[.,;:]? /;

/** Words that both begin with, the new words between (at least one), and words that both end with. */
export function renewed(was: string, now: string): [same: string, fresh: string, same: string] {
  const [before, words] = [was.split(BETWEEN_WORDS), now.split(BETWEEN_WORDS)];
  const most = Math.min(before.length, words.length - 1);
  let first = 0;
  while (first < most && words[first] === before[first]) first++;
  let last = 0;
  while (last < most - first && words.at(-1 - last) === before.at(-1 - last)) last++;
  const fresh = words.slice(first, words.length - last).join("");
  const lead = BEFORE_A_WORD.exec(fresh)?.[0] ?? "";
  const same = words.slice(0, first).join("") + lead;
  return [same, fresh.slice(lead.length), words.slice(words.length - last).join("")];
}
