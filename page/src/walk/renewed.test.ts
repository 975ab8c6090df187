import { expect, test } from "vitest";

import { renewed } from "./renewed";

test.each([
  ["a network to find it", "a network to find it. Here 1 bit changes", ["a network to find it. ", "Here 1 bit changes", ""]],
  ["is far from his third", "is near his third", ["is ", "near", " his third"]],
  ["takes more time", "costs less", ["", "costs less", ""]],
  ["ten racks in a row", "ten racks", ["ten ", "racks", ""]],
  ["one and one", "one and one and one", ["one and one ", "and one", ""]],
  ["in 1.5 ms", "in 1.7 ms", ["in ", "1.7", " ms"]],
])("of %j, now %j, only new words are new", (was, now, parts) => {
  expect(renewed(was, now)).toEqual(parts);
  expect(renewed(was, now).join("")).toBe(now);
});
