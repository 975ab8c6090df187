// What the two kinds of numbers are called, and what is meant by that.

import type { Whose } from "./address";

export const MODE_WORDS: Record<Whose, string> = { both: "both", lecture: "his", careful: "published" };

export const MODE_MEANINGS: Record<Whose, string> = {
  both: "His numbers and published ones in one picture, on the same axes",
  lecture: "What he says or implies in the lecture; filled in where he gives none",
  careful: "The same equations on what makers publish of this model and this machine, each number with its source",
};
