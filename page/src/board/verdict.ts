// What became of a claim, in one word: as a class of its dot and as text.

import type { Verdict } from "../documents";

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
  depends: "depends",
  open: "not derivable",
  fails: "does not reproduce",
};
