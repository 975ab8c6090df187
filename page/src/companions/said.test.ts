// What drawings beside charts say to whoever does not see them.

import { expect, test } from "vitest";

import type { Axes, Bar, Companion, Curves } from "../documents";
import { saidOfAbreast } from "./abreast";
import { picked, saidOfAttended } from "./attended";
import { saidOfBars } from "./bars";
import { partOf, saidOfBatched } from "./batched";
import { saidOfClocked } from "./clocked";
import { saidOfDraining } from "./draining";
import { saidOfExperts } from "./experts";
import { saidOfGenerations } from "./generations";
import { countOf, saidOfGrids } from "./grids";
import { saidOfHeld } from "./held";
import { saidOfMeanwhile } from "./meanwhile";
import { saidOfOverTrained } from "./overtrained";
import { saidOfPairs } from "./pairs";
import { within } from "./read";
import { saidOfReading } from "./sharedreading";
import { saidOfStacks } from "./stacks";
import { saidOfStores } from "./stores";
import { barsOf, saidOfModes } from "./twomodes";
import { saidOfNetworks } from "./twonetworks";
import { saidOfUndone } from "./undone";
import { saidOfVessels } from "./vessels";
import { fraction, multiple, timesOf } from "./words";

const AXES = {
  x: { caption: "size, active parameters", dimension: "", is_logarithmic: true, ends: [1, 3] },
  y: { caption: "cost", dimension: "", is_logarithmic: true },
} as Axes;

function shown(companion: Companion, curves: Partial<Curves> = {}) {
  const none: Curves = { x: [1, 2, 3], lines: [], marks: [], dots: [], is_whole: false, bill: [] };
  return { curves: { ...none, ...curves, companion }, companion, axes: AXES, whose: "", asked: "" };
}

test("vessels say the share of each part where they are read, and how far all of them are from the least", () => {
  const bill = [
    [
      { name: "falls", colour: "muted", y: [8, 4, 1] },
      { name: "rises", colour: "also", y: [1, 4, 7] },
    ],
  ] as Curves["bill"];
  const vessels = { vessels: [], filler_text: "model", text: "Two bills" };
  const said = saidOfVessels(shown(vessels, { bill }), 1);
  expect(said).toBe("Two bills. a model of 1 active parameters: falls 89 %, rises 11 %; all 9×, the least 8×");
});

test("stores name the one whose line is lowest there", () => {
  const line = (name: string, y: number[]) => ({ name, colour: "kv", is_bold: false, is_floor: false, y, high: null });
  const lines = [line("memory", [1, 5, 9]), line("disk", [4, 4, 4])] as Curves["lines"];
  const store = (name: string) => ({ line: name, retrieve_text: "", hold_text: "", when_text: "", is_kept: true });
  const stores = { stores: [store("memory"), store("disk")], thing_text: "cache", text: "Where it waits" };
  expect(saidOfStores(shown(stores, { lines }), 1)).toBe("Where it waits. After 1: memory. memory 1, disk 4");
  expect(saidOfStores(shown(stores, { lines }), 3)).toBe("Where it waits. After 3: disk. memory 9, disk 4");
  // What one is asked to guess is not told.
  expect(saidOfStores({ ...shown(stores, { lines }), asked: "memory" }, 1)).toBe(
    "Where it waits. After 1: disk. memory ?, disk 4",
  );
  // Nor what any costs where the cheapest is asked.
  expect(saidOfStores({ ...shown(stores, { lines }), asked: "cheapest" }, 1)).toBe("Where it waits. After 1: ?");
});

test("bars say their lengths, with what they are of, and nothing of those that answer what is asked", () => {
  const bar = (name: string, ends: string[]) => ({
    name,
    ends,
    parts: [{ colour: "kv" as const, length: 2 }],
    is_strong: true,
  });
  const bars = [bar("computing", ["1×"]), bar("memory", ["2×: weights 2", "2×"])];
  const list = { groups: [{ names: ["input token", "input"], bars }], heads: ["cost"], text: "List" };
  expect(saidOfBars(shown(list))).toBe("List. input token: computing 1×, memory 2×: weights 2");
  const hidden = { names: ["output token"], bars: bars.map((one) => ({ ...one, answers: true })) };
  const both = { ...list, groups: [...list.groups, hidden] };
  expect(saidOfBars(shown(both))).toMatch(/output token: computing 1×, memory 2×: weights 2$/);
  expect(saidOfBars({ ...shown(both), asked: "cost" })).toBe("List. input token: computing 1×, memory 2×: weights 2");
  // Of a group that is known in part, what is asked has its name alone.
  const part = { names: ["output token"], bars: [bars[0] as Bar, { ...(bars[1] as Bar), answers: true }] };
  expect(saidOfBars({ ...shown({ ...list, groups: [part] }), asked: "cost" })).toBe(
    "List. output token: computing 1×, memory ?",
  );
  expect(saidOfBars(shown({ ...list, groups: [{ names: [], bars: [bar("rack", ["3 TB"])] }] }))).toBe("List. rack 3 TB");
  // Where nothing is asked all groups are known, those without bars, too.
  expect(saidOfBars(shown({ ...list, groups: [{ names: ["rack"], bars: [] }] }))).toBe("List. rack: ");
});

test("grids say how many of their bits differ and the mean of the chart, and of what is asked nothing", () => {
  const line = (name: string, y: number[]) => ({ name, colour: "ink", is_bold: false, is_floor: false, y, high: null });
  const grid = (name: string, changed: string[]) => ({
    line: name,
    name,
    bits: 64,
    changed,
    substituted: "",
  });
  const digits = ["8000000000000000", "f300000000000000", "ffffffff00000000", "0000000000000001"];
  expect(digits.map(countOf)).toEqual([1, 6, 32, 1]);
  const grids = { grids: [grid("one", digits), grid("other", digits)], change_text: "first bit flipped", text: "What differs" };
  const lines = [line("one", [0.25, 0.5, 0.75]), line("other", [0.2, 0.2, 0.2])] as Curves["lines"];
  const seen = shown(grids, { lines });
  expect(saidOfGrids(seen, 1)).toBe(
    "What differs. after 1 round: one 6 of 64 differ, mean 0.25; other 6 of 64 differ, mean 0.2",
  );
  expect(saidOfGrids({ ...seen, asked: "other" }, 2)).toBe(
    "What differs. after 2 rounds: one 32 of 64 differ, mean 0.5; other is asked",
  );
});

test("experts say how many a token reads by each account, and the batch that follows", () => {
  const account = (name: string, read: number, batch_text: string) => ({ name, read, batch_text });
  const experts = {
    experts: 256,
    accounts: [account("he says", 32, "300 × 8 = 2,400"), account("published", 8, "300 × 18 = 5,400")],
    text: "Experts",
  };
  expect(saidOfExperts(shown(experts))).toBe(
    "Experts. he says: balance batch 300 × 8 = 2,400. published: balance batch 300 × 18 = 5,400",
  );
});

test("stacks say the step, the way through the layers, and what each keeps as its line has it", () => {
  const line = (name: string, y: number[]) => ({ name, colour: "kv", is_bold: false, is_floor: false, y, high: null });
  const lines = [line("all", [1, 2, 2, 1]), line("one", [1, 1, 1, 1])] as Curves["lines"];
  const stack = (name: string) => ({ line: name, does_text: "", layers: [], since: [], until: [], inputs: 0 });
  const stacks = { stacks: [stack("all"), stack("one")], depth: 2, text: "What is kept" };
  const said = (x: number) => saidOfStacks(shown(stacks, { x: [1, 2, 3, 4], lines }), x);
  expect(said(2)).toBe("What is kept. step 2 of 4: forwards through layer 2: all 2, one 1");
  expect(said(4)).toBe("What is kept. step 4 of 4: back through layer 1: all 1, one 1");
});

test("of a stack that is partly reversible it is said how many layers are, and what that saves and takes", () => {
  const lines = [{ name: "peak", colour: "ink", is_bold: true, is_floor: false, y: [8, 5, 1], high: null }] as Curves["lines"];
  const undone = { layers: 8, forward_flop: 2, none_flop: 6, all_flop: 8, text: "A stack" };
  const said = (x: number) => saidOfUndone(shown(undone, { x: [0, 4, 8], lines }), x);
  expect(said(4)).toBe("A stack. 4 of 8 layers reversible: memory 5, compute +0.17");
  expect(said(0)).toBe("A stack. 0 of 8 layers reversible: memory 8, compute +0");
});

test("racks that read the same weights say each chip's share and the time, and of what is asked nothing", () => {
  const reader = (line: string, chips: number, read_s: number, so_text: string) => ({
    line,
    name: line,
    chips,
    share_text: `${800 / chips} GB`,
    rate_text: "1 TB/s",
    read_s,
    so_text,
  });
  const readers = [reader("old", 8, 0.1, ""), reader("new", 80, 0.01, "10 times faster")];
  const seen = shown({ readers, weights_text: "800 GB", text: "Both read 800 GB" });
  const old = "Both read 800 GB. 8 old: each chip reads 1/8 of 800 GB, 100 GB at 1 TB/s, 0.1";
  expect(saidOfReading(seen)).toBe(`${old}. 80 new: each chip reads 1/80 of 800 GB, 10 GB at 1 TB/s, 0.01, 10 times faster`);
  expect(saidOfReading({ ...seen, asked: "new" })).toBe(old);
});

test("domains say their packages, the dies in each and all of them", () => {
  const domain = (names: string[], packages: number, dies: number) => ({ names, packages, dies, all_dies: packages * dies });
  const generations = { generations: [domain(["A", "B"], 8, 1), domain(["C"], 9, 4)], growth_ratio: 4.5, text: "Domains" };
  expect(saidOfGenerations(shown(generations))).toBe(
    "Domains. A, B: 8 packages × 1 die = 8 dies. C: 9 packages × 4 dies = 36 dies",
  );
});

test("a chip that reads a parameter says how many it multiplies meanwhile, of a dot that is pointed at those of its chip", () => {
  const seen = shown({ multiplied: 300, text: "Meanwhile" });
  const serve = (text: string) => `multiplies ${text}, so a parameter has to serve ${text} sequences`;
  expect(saidOfMeanwhile(seen)).toBe(`Meanwhile. reads 1, ${serve("300")}`);
  const dot = { fullName: "H20", group: "16 bits", y: 37 };
  expect(saidOfMeanwhile({ ...seen, dot })).toBe(`Meanwhile. H20, 16 bits: reads 1, ${serve("37")}`);
});

test("two networks say what goes over each and how long that takes", () => {
  const texts = { inside_text: "1/4 stays", between_text: "3/4 leaves", text: "Both at once" };
  const seen = shown({ racks: 4, link_ratio: 8, inside: 0.25, between: 6, ...texts });
  expect(saidOfNetworks(seen)).toBe("Both at once. 1/4 stays: 0.25. 3/4 leaves: 6");
});

const falling = { name: "time", colour: "ink", is_bold: true, is_floor: false, y: [8, 2, 1], high: null };
const level = { ...falling, name: "his guess: 10", y: [10, 10, 10] };

test("what many carry at once is said beside what one carries, of what is asked the guess alone", () => {
  const things = { things: ["port", "ports"] as [string, string], line: "time", first: 1, count: 3, text: "On its way" };
  const seen = shown({ ...things, limit: level.name, whole_text: "6 MB" }, { lines: [falling, level] as Curves["lines"] });
  const one = "On its way. 1 port, 6 MB: 8. ";
  expect(saidOfAbreast(seen, 3)).toBe(`${one}3 ports, each with 1/3 of 6 MB: 1, 1/10 of his guess`);
  const slow = { ...seen, curves: { ...seen.curves, lines: [falling, { ...level, y: [0.5, 0.5, 0.5] }] as Curves["lines"] } };
  expect(saidOfAbreast(slow, 3)).toBe(`${one}3 ports, each with 1/3 of 6 MB: 1, 2 times his guess`);
  expect(saidOfAbreast({ ...seen, asked: "time" }, 3)).toBe(`${one}3 ports at once: ?`);
  expect(saidOfAbreast({ ...seen, asked: "time", guess: 4 }, 3)).toBe(`${one}3 ports at once: you 4`);
});

test("sequences say what each gains and all of them together, where the chart is read", () => {
  const things = { things: ["sequence", "sequences"] as [string, string], line: "time", first: 1, text: "Shared" };
  const seen = shown(things, { lines: [falling] as Curves["lines"] });
  const each = (which: string, gain: number, all: number) =>
    `${which} share a step: ${gain} each, ${all} tokens a second together`;
  expect(saidOfAbreast(seen, 2)).toBe(`Shared. ${each("1 sequence", 8, 8)}. ${each("2 sequences", 2, 4)}, 0.5×`);
});

test("a model says what it holds and reads, and the dense one that is as good once that is not asked", () => {
  const held = { line: "time", held_experts: 3, expert_params: 4, shared_params: 2, text: "Held" };
  const seen = shown(held, { lines: [falling] as Curves["lines"] });
  expect(saidOfHeld(seen)).toBe("Held. 3 experts hold 14, of which a token reads 6. as good: a dense model of 1");
  const asked = { ...seen, asked: "time" };
  expect(saidOfHeld(asked)).toMatch(/as good: a dense model of \?$/);
  expect(saidOfHeld({ ...asked, guess: 9 })).toMatch(/as good, you say: a dense model of 9$/);
});

test("stores that are read out say what is left of each at each moment", () => {
  const store = (name: string, drain_s: number) => ({
    name,
    capacity_text: "",
    drain_s,
    drain_text: `${drain_s} s`,
    colour: "kv" as const,
  });
  const moments = [
    { at: 5, text: "5 s" },
    { at: 60, text: "a minute" },
  ];
  const said = saidOfDraining(shown({ read_out: [store("memory", 2), store("disk", 240)], moments, text: "Read out" }));
  expect(said).toBe(
    "Read out. After 5 s: memory read in 2 s, disk 98 % left of 240 s. After a minute: memory read in 2 s, disk 75 % left of 240 s",
  );
});

const lineOf = (name: string, y: number[]) => ({ name, colour: "ink", is_bold: false, is_floor: false, y, high: null });

test("pages of a context say what each kind of attention reads, and of what is asked nothing", () => {
  const kind = (line: string, more = {}) => ({
    line,
    name: line,
    picked_tokens: null,
    index_fraction: 0,
    is_root: false,
    ...more,
  });
  const attended = {
    attended: [kind("full"), kind("root", { is_root: true }), kind("index", { picked_tokens: 50, index_fraction: 0.1 })],
    text: "What is read",
  };
  const lines = [lineOf("full", [1, 100, 100]), lineOf("root", [1, 20, 20]), lineOf("index", [1, 60, 60])] as Curves["lines"];
  const seen = shown(attended, { x: [1, 100, 200], lines });
  expect(saidOfAttended(seen, 100)).toBe(
    "What is read of 100 tokens, in tokens' worth. full 100: every one of 100 tokens; root 20: a summary of each of 10 blocks," +
      " and one block; index 60: an index of every token, and 50 tokens",
  );
  expect(saidOfAttended({ ...seen, asked: "index" }, 100)).toMatch(/index is asked$/);
});

test("picked parts of a page are as many as are picked, each another one, the last in part", () => {
  const parts = picked(10, 7.25);
  expect(parts.reduce((sum, { part }) => sum + part, 0)).toBeCloseTo(7.25);
  expect(new Set(parts.map(({ row, column }) => 10 * row + column)).size).toBe(8);
  expect(picked(10, 1000)).toHaveLength(100);
  expect(parts.every(({ row, column }) => row >= 0 && row < 10 && column >= 0 && column < 10)).toBe(true);
});

test("a context has lines between ten parts at most, each a round number of tokens", () => {
  for (const tokens of [3, 10, 11, 219_000, 4e6]) {
    const every = partOf(tokens);
    expect(tokens / every).toBeLessThanOrEqual(10 + 1e-9);
    expect(tokens / every).toBeGreaterThan(3.9);
    expect([1, 2, 5]).toContain(Math.round(every / 10 ** Math.floor(Math.log10(every) + 1e-9)));
  }
});

test("a batch as rows says how long reading takes over computing, and with a price what a token costs", () => {
  const batched = { balance_batches: 2, crossover_tokens: 100, price: "", price_at_tokens: 0, text: "Read" };
  expect(saidOfBatched(shown(batched), 150)).toBe(
    "Read. context 150: reading takes 2 times as long as computing, arithmetic is busy 50 %",
  );
  const priced = shown(
    { ...batched, price: "price", price_at_tokens: 200 },
    { x: [1, 200], lines: [lineOf("price", [3, 3])] as Curves["lines"] },
  );
  expect(saidOfBatched(priced, 25)).toBe(
    "Read. context 25: a token costs as much as its computing; list price drawn to meet the cost at 200, since only its jump is known",
  );
});

test("a prompt says what attention costs beside its parameters, and a guess of both together the same way", () => {
  const pairs = { by_parameters: "parameters", with_attention: "full", text: "Prompt" };
  const lines = [lineOf("parameters", [2, 2]), lineOf("full", [2, 8])] as Curves["lines"];
  const seen = shown(pairs, { x: [1, 10], lines });
  expect(saidOfPairs(seen, 10)).toBe("Prompt. prompt of 10 tokens: parameters 2, attention 6, together 4 times the parameters");
  expect(saidOfPairs({ ...seen, asked: "full" }, 10)).toBe("Prompt. prompt of 10 tokens: parameters 2, attention ?");
  expect(saidOfPairs({ ...seen, asked: "full", guess: 4 } as typeof seen, 10)).toMatch(
    /attention you 2, together 2 times the parameters$/,
  );
});

test("two modes say their batches and prices, of a price that is asked what is guessed", () => {
  const modes = { regular_rows: 15, price: "price", alone: "slow", text: "Modes" };
  const lines = [lineOf("price", [1, 6]), lineOf("slow", [0.6, 0.6])] as Curves["lines"];
  const seen = shown(modes, { x: [1, 2.5], lines });
  const regular = "regular: all sequences of a batch share a read of the weights, each pays 1";
  expect(saidOfModes(seen, 2.5)).toBe(`Modes. ${regular}. 2.5 times the speed: a batch 15 times smaller, each pays 6`);
  // Of the regular batch no size is known, and none of it is smaller than one.
  expect(saidOfModes(seen, 1)).toBe(`Modes. ${regular}. 1 times the speed: the same batch, each pays 1`);
  expect(saidOfModes({ ...seen, asked: "price" }, 2.5)).toBe(`Modes. ${regular}. 2.5 times the speed: each pays ?`);
  expect(saidOfModes({ ...seen, asked: "price", guess: 4 } as typeof seen, 2.5)).toMatch(
    /a batch 10 times smaller, you say each pays 4$/,
  );
});

test("of two modes what one pays is drawn to one scale: its own part alike, the rest its share of the weights", () => {
  const modes = { regular_rows: 15, price: "price", alone: "slow", text: "Modes" };
  const lines = [lineOf("price", [1, 36]), lineOf("slow", [0.6, 0.6])] as Curves["lines"];
  const seen = shown(modes, { x: [1, 2.75], lines });
  const [regular, fast] = barsOf(seen, 2.75, 720);
  expect([regular?.own, regular?.all, fast?.own, fast?.all].map((one) => Math.round(one ?? 0))).toEqual([12, 20, 12, 720]);
  // Narrow as it may be the regular one is seen, and of a price that is asked there is no bar.
  expect(barsOf(seen, 2.75, 72)[0]?.all).toBe(4);
  expect(barsOf({ ...seen, asked: "price" }, 2.75, 720)).toHaveLength(1);
  expect(barsOf({ ...seen, asked: "price", guess: 8 } as typeof seen, 2.75, 720)[1]?.all).toBe(720);
});

test("trains say how often they leave by the clock and at once", () => {
  const clocked = { by_clock: "trains", at_once: "best", period_s: 0.02, text: "Trains" };
  const lines = [lineOf("trains", [50, 5000]), lineOf("best", [500, 50_000])] as Curves["lines"];
  expect(saidOfClocked(shown(clocked, { x: [1, 100], lines }), 100)).toBe(
    "Trains. 100 sequences take a step of 0.002. by the clock: a train every 0.02, 5,000 tokens a second." +
      " at once: a train every 0.002, 50,000 tokens a second",
  );
});

test("a drawing is read within its curves, where the place is still that of the curves before", () => {
  const clocked = { by_clock: "trains", at_once: "best", period_s: 0.02, text: "Trains" };
  const lines = [lineOf("trains", [500, 5000]), lineOf("best", [5000, 50_000])] as Curves["lines"];
  const seen = shown(clocked, { x: [10, 100], lines });
  expect([2, 10, 70, 2000].map((x) => within(seen.curves, x))).toEqual([10, 10, 70, 100]);
  for (const x of [2, 2000]) expect(saidOfClocked(seen, within(seen.curves, x))).not.toMatch(/NaN|∞|Infinity/);
  expect(within({ ...seen.curves, x: [] }, 7)).toBe(7);
});

test("tokens trained on are said over what each law has as best, and of the asked one what is guessed", () => {
  const trained = { trained_tokens: 300, laws: ["rule", "fit"], text: "Trained" };
  const lines = [lineOf("rule", [100, 0.5]), lineOf("fit", [20, 20])] as Curves["lines"];
  const seen = shown(trained, { x: [1, 2], lines });
  const all = "Trained. 300 tokens for 1 active parameters; filled: what is best for training alone. rule: 100 times the best";
  expect(saidOfOverTrained(seen, 1)).toBe(`${all}. fit: 20 times the best`);
  expect(saidOfOverTrained({ ...seen, asked: "fit" }, 1)).toBe(`${all}. fit: ?`);
  expect(saidOfOverTrained({ ...seen, asked: "fit", guess: 7 } as typeof seen, 1)).toBe(`${all}. fit: you 7 times the best`);
  expect(saidOfOverTrained(seen, 2)).toMatch(/rule: 1\/2 of the best/);
});

test("what is one time as much is as much", () => {
  expect(multiple("2", "its computing")).toBe("2 times its computing");
  expect(multiple("1", "its computing")).toBe("as much as its computing");
  expect(multiple("1", "as long as computing")).toBe("as long as computing");
});

test.each([
  [3, "3 times his guess", null],
  [1, "as much as his guess", null],
  [0.25, "1/4 of his guess", "1/4"],
  // Its reciprocal is one as it is written: what is as good as one has no part.
  [0.9996, "as much as his guess", null],
  [0.999, "0.999 times his guess", null],
])("what is %f times something is said as a multiple, or as a part of it", (ratio, said, part) => {
  expect(timesOf(ratio, "his guess")).toBe(said);
  expect(fraction(ratio)).toBe(part);
});
