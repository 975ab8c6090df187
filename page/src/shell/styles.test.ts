import { expect, test } from "vitest";

const SHEETS = import.meta.glob<string>("../**/*.css", { query: "?raw", import: "default", eager: true });

// With a state or anything at all among what it looks for, a browser restyles the whole page for each part that a picture
// gets or loses, which took most of the time of a frame.
test("what :has() looks for is named", () => {
  const looked = Object.values(SHEETS).flatMap((sheet) => [...sheet.matchAll(/:has\(([^)]*)/g)].map(([, what = ""]) => what));
  expect(looked.length).toBeGreaterThan(10);
  expect(looked.filter((what) => /[:*]/.test(what))).toEqual([]);
});
