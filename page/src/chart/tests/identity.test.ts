import { expect, test } from "vitest";

import { identities, isAmong, stem } from "../identity";

test("a line stays the same while its numbers change", () => {
  expect(stem("weight fetch: floor 1.23 ms")).toBe(stem("weight fetch: floor 1.17 ms"));
  expect(stem("3 balance batches")).toBe(stem("2.41 balance batches"));
  expect(isAmong(["KV fetch"], "KV fetch: binds at any batch")).toBe(true);
  expect(isAmong(["KV fetch"], "weight fetch: floor 1.23 ms")).toBe(false);
});

test("lines that differ in a number alone stay apart", () => {
  expect(new Set(identities(["8 KV heads", "4 KV heads", "2 KV heads"])).size).toBe(3);
  expect(isAmong(["dense: 370M"], "his dense: 1.3B")).toBe(false);
});
