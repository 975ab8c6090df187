import { expect, test } from "vitest";

import type { Curves } from "../documents";
import { billAt } from "./bill";
import { binds } from "./binds";

/** Compute costs 1, weights 8 over the batch, KV so much: without KV compute takes over at 8. */
function picture(kv: number, takenOverAt?: number): Curves {
  const x = [1, 2, 4, 8, 16];
  return {
    x,
    lines: [],
    marks: [],
    dots: [],
    is_whole: false,
    bill: [
      [{ name: "compute", colour: "compute", y: x.map(() => 1) }],
      [
        { name: "weights", colour: "weights", y: x.map((batch) => 8 / batch) },
        { name: "KV", colour: "kv", y: x.map(() => kv) },
      ],
    ],
    ...(takenOverAt === undefined ? {} : { takes_over_at: takenOverAt }),
  };
}

function said(shown: Curves, batch: number) {
  const bill = billAt(shown, batch);
  if (!bill) throw new Error("no bill there");
  const { colour, head, rest } = binds(bill, shown);
  return [colour, `${head}: ${rest}`];
}

test("what is paid most says what a larger batch does about it", () => {
  expect(said(picture(0.1), 2)).toEqual(["weights", "Memory-bound: mostly weights, which a larger batch would share."]);
  expect(said(picture(0.1), 16)).toEqual(["compute", "Compute-bound: a larger batch is no cheaper from here on."]);
  expect(said(picture(3), 16)).toEqual(["kv", "Memory-bound: mostly KV cache, which is not shared: shorten the contexts."]);
});

test("where compute takes over is said as the document has it", () => {
  expect(said(picture(0, 8888.4), 2)[1]).toBe("Memory-bound: mostly weights, until compute binds at 8,888 sequences.");
  expect(said(picture(3, 8888.4), 16)[1]).toContain("mostly KV cache, until compute binds at 8,888");
});
