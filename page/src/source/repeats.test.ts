import { expect, test } from "vitest";

import { withRepeats } from "./repeats";

test("what is repeated is what stands where the way leads", () => {
  const first = { pictures: { lecture: { x: [1, 2] }, careful: { x: [3] } } };
  const found = withRepeats({
    views: { views: [{}, first], modes: ["lecture"] },
    "views?mode=lecture": { views: [{}, { pictures: { lecture: { as_in: ["views", "views", 1, "pictures", "lecture"] } } }] },
  });
  expect(found).toEqual({
    views: { views: [{}, first], modes: ["lecture"] },
    "views?mode=lecture": { views: [{}, { pictures: { lecture: { x: [1, 2] } } }] },
  });
});
