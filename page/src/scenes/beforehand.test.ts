import { describe, expect, it } from "vitest";

import type { Gantt, Loop, RowOfRacks } from "../documents";
import { beforehand } from "./beforehand";

const GANTT: Gantt = {
  stages: 2,
  played: [
    {
      name: "2 batches in flight",
      cells: [
        { part: "first", colour: "also", rows: [0, 0, 1, 1], starts: [0, 1, 1, 2], ends: [1, 2, 2, 3], numbers: [0, 1, 0, 1] },
      ],
      kept: [],
      span: 3,
      idle_text: "33 % idle",
      text: "",
    },
  ],
  end: 3,
  ticks: [],
  numbered: "batch",
  kept: "",
  clock_unit: "",
  clock_per_unit: 1,
  clock_digits: 1,
  text: "",
};

describe("what is seen before an answer", () => {
  it("has a loop's first batch alone, and how much is idle then", () => {
    const loop: Loop = {
      gantt: GANTT,
      batches: [
        { starts: [0, 1], ends: [1, 2] },
        { starts: [1, 2], ends: [2, 3] },
      ],
      colours: ["also"],
      text: "",
    };
    const found = beforehand(loop)?.picture as Loop;
    expect(found.batches).toHaveLength(1);
    const [played] = found.gantt.played;
    expect(played?.cells[0]).toMatchObject({ numbers: [0, 0], rows: [0, 1], starts: [0, 1], ends: [1, 2] });
    // Of two stages over three turns one batch fills two of six.
    expect(played).toMatchObject({ name: "1 batch", idle_text: "67 % idle" });
  });

  it("has the first of several schedules whole, and of the others the names", () => {
    const two = { ...GANTT, played: [...GANTT.played, ...GANTT.played] };
    const [first, second] = (beforehand(two)?.picture as Gantt).played;
    expect(first).toBe(two.played[0]);
    expect(second).toMatchObject({ name: "2 batches in flight", cells: [], kept: [], idle_text: "?" });
  });

  it("has what one rack holds, and of more racks nothing", () => {
    const racks: RowOfRacks = {
      counts: [1, 2],
      here: 1,
      parts: [{ name: "weights", colour: "weights", held: [8, 4], held_text: ["8 GB", "4 GB"] }],
      both_text: ["8 GB", "4 GB"],
      hbm_bytes: 80,
      hbm_text: "80 GB, 20 times that",
      chips_text: "64 chips",
      text: "",
    };
    expect(beforehand(racks)?.picture).toMatchObject({
      here: 0,
      parts: [{ held: [8, 0] }],
      both_text: ["8 GB", "?"],
      hbm_text: "80 GB",
    });
  });
});
