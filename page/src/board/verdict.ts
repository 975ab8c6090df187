// What became of a claim, in a word or two and in a sentence: as a class of its dot and as text.

import type { Contradicted, ShelfClaim, Verdict } from "../documents";

export type Outcome = "holds" | "rounded" | "depends" | "open" | "fails";

export const OUTCOMES: Record<Verdict, Outcome> = {
  reproduces: "holds",
  rounded: "rounded",
  "depends on an unstated assumption": "depends",
  "not derivable": "open",
  "does not reproduce": "fails",
};

export const WORDS: Record<Outcome, string> = {
  holds: "holds",
  rounded: "rounded",
  depends: "conditional",
  open: "not computed",
  fails: "does not reproduce",
};

export const MEANINGS: Record<Outcome, string> = {
  holds: "his number comes out, of his own inputs where he gives them",
  rounded: "his number comes out once it is rounded as he rounds",
  depends: "whether it comes out rests on something that he leaves unsaid",
  open: "a price, a practice, a rumour or a judgement, which no equation gives",
  fails: "another number comes out, of his own inputs or of published facts",
};

/** What is meant by a claim's own verdict. */
export function meaningOf({
  verdict,
  contradicts,
}: Pick<ShelfClaim, "verdict"> & { contradicts?: Contradicted | null }): string {
  return contradicts ? `${contradicts} give another number` : MEANINGS[OUTCOMES[verdict]];
}

/** The worst first; last what nobody can compute. */
export const IN_ORDER: readonly Outcome[] = ["fails", "depends", "rounded", "holds", "open"];

export function rank({ verdict }: { verdict: Verdict }): number {
  return IN_ORDER.indexOf(OUTCOMES[verdict]);
}

/** The worst first, but for the one that is asked for. */
export function inOrder<Told extends { id: string; verdict: Verdict }>(claims: readonly Told[], asked: string): Told[] {
  const placed = (one: Told) => (one.id === asked ? -1 : rank(one));
  return [...claims].sort((one, other) => placed(one) - placed(other));
}

/** How many of those that do not reproduce contradict what: "2 contradict his own inputs, 7 published facts". */
export function contradicting(claims: readonly ShelfClaim[]): string {
  const counts = new Map<Contradicted, number>();
  for (const { contradicts } of claims) if (contradicts) counts.set(contradicts, (counts.get(contradicts) ?? 0) + 1);
  return [...counts]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([what, count], place) => `${count} ${place ? "" : count === 1 ? "contradicts " : "contradict "}${what}`)
    .join(", ");
}

export function counted(claims: readonly Pick<ShelfClaim, "verdict">[]): Record<Outcome, number> {
  const counts: Record<Outcome, number> = { fails: 0, depends: 0, rounded: 0, open: 0, holds: 0 };
  for (const { verdict } of claims) counts[OUTCOMES[verdict]] += 1;
  return counts;
}
