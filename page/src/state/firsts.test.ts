import { expect, test } from "vitest";

import { firsts } from "./firsts";

const PATTERN = "(?<!\\w)(?:(KV caches?)|([Bb]atch(?:es)?))(?!\\w)";

test("a word is explained where it first stands, in the order of the texts", () => {
  const [first, second] = ["Batches share the weights; a batch of one does not.", "The KV cache of a batch; KV caches grow."];
  const found = firsts([first, second], PATTERN);
  expect(found.get(first)).toEqual([{ start: 0, end: 7, which: 1 }]);
  expect(found.get(second)).toEqual([{ start: 4, end: 12, which: 0 }]);
});

test("a part of a longer word is none", () => {
  expect(firsts(["debatched"], PATTERN).get("debatched")).toEqual([]);
});
