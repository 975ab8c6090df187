import { expect, test } from "vitest";

import { wrappedTo } from "../measure";

/** Letters are as wide as each other. */
const wide = (text: string) => text.length;

test.each([
  ["111B on 117T: 23 % for pre-training", ["111B on 117T: 23 %", "for pre-training"]],
  ["nine times as long: 23 ms at most", ["nine times as long:", "23 ms at most"]],
])("two lines of %j part no number from its unit", (text, lines) => {
  expect(wrappedTo(text, 2, wide)).toEqual(lines);
});
