import { expect, test } from "vitest";

import { Newest } from "./newest";

test("of many askings under way one more is done, and another later", async () => {
  const begun: number[] = [];
  let now = 0;
  const newest = new Newest(async () => {
    begun.push(now);
    await Promise.resolve();
  });
  const first = newest.ask();
  for (now = 1; now < 5; now += 1) void newest.ask();
  await first;
  expect(begun).toEqual([0, 5]);
  await newest.ask();
  expect(begun).toEqual([0, 5, 5]);
});

test("work that failed can be asked for again", async () => {
  let rounds = 0;
  const newest = new Newest(() => {
    rounds += 1;
    return rounds === 1 ? Promise.reject(new Error("once")) : Promise.resolve();
  });
  await expect(newest.ask()).rejects.toThrow("once");
  await newest.ask();
  expect(rounds).toBe(2);
});
