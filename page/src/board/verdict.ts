// What became of a claim, in one word: as a class of its dot and as text.

export type Verdict = "holds" | "rounded" | "depends" | "open" | "fails";

const OF: Record<string, Verdict> = {
  reproduces: "holds",
  rounded: "rounded",
  "depends on an unstated assumption": "depends",
  "not derivable": "open",
  "does not reproduce": "fails",
};

export const WORDS: Record<Verdict, string> = {
  holds: "holds",
  rounded: "rounded",
  depends: "depends",
  open: "not derivable",
  fails: "does not reproduce",
};

export function verdictOf(text: string): Verdict {
  return OF[text] ?? "open";
}
