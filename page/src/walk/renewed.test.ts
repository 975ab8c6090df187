import { expect, test } from "vitest";

import { renewed } from "./renewed";

test.each([
  ["a network to find it", "a network to find it. Here 1 bit changes", ["a network to find it. ", "Here 1 bit changes"]],
  ["is far from his third", "is near his third", ["is ", "near his third"]],
  ["takes more time", "costs less", ["", "costs less"]],
  ["ten racks in a row", "ten racks", ["ten ", "racks"]],
  ["ten racks wait", "ten rack wait", ["ten ", "rack wait"]],
  ["in 1.5 ms", "in 1.7 ms", ["in ", "1.7 ms"]],
  ["in 1.5 ms", "in 1 ms", ["in ", "1 ms"]],
  ["of 1,000 racks", "of 1 rack", ["of ", "1 rack"]],
])("of %j, now %j, all is new from the first new word on", (was, now, parts) => {
  expect(renewed(was, now)).toEqual(parts);
});
