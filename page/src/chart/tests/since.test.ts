import { expect, test } from "vitest";

import { since } from "../since";

test.each([
  ["weights alone: 2,400", "weights alone: 4,090", "weights alone: 2,400 → 4,090"],
  ["with contexts: 3,550, 1.83 ms", "with contexts: 4,090, 2.1 ms", "with contexts: 3,550 → 4,090, 2.1 ms"],
  ["step 900 µs", "step 1.1 ms", "step 900 µs → 1.1 ms"],
  ["at 8: 2,400 sequences", "at 8: 2,400 sequences", "at 8: 2,400 sequences"],
  ["alone", "alone", "alone"],
  ["100B: 33 %", "416B: 33 %", "100B → 416B: 33 %"],
  // Other words say something else: nothing is compared.
  ["decode: just its arithmetic", "decode: 2 times", "decode: 2 times"],
])("%s, then %s", (before, now, said) => {
  expect(since(before, now)).toBe(said);
});
