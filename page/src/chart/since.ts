// What a mark's words were before a hand took hold of it: the first number that is another has the old one before it.

/** "balance: 2,400" that was "balance: 1,200" is "balance: 1,200 → 2,400"; other words are as they are. */
export function since(before: string, now: string): string {
  const [old, fresh] = [before.split(" "), now.split(" ")];
  const from = fresh.findIndex((word, place) => word !== old[place]);
  if (from < 0 || old.length !== fresh.length || !/\d/.test(old[from] ?? "")) return now;
  // With its unit, where that is another, too.
  let to = from;
  while (!old[to]?.endsWith(",") && to + 1 < fresh.length && !/\d/.test(fresh[to + 1] ?? "") && fresh[to + 1] !== old[to + 1])
    to += 1;
  const was = old
    .slice(from, to + 1)
    .join(" ")
    .replace(/[,:]$/, "");
  return [...fresh.slice(0, from), was, "→", ...fresh.slice(from)].join(" ");
}
