import { expect, test } from "vitest";

import type { Control } from "../documents";
import { first, inPlay, parted } from "./dead";

const controls = ["a", "b", "c", "d", "e"].map((name) => ({ name }) as Control);
const board = { controls, view_controls: [["d", "b", "a", "c"], ["e"]] };
const none = () => false;

test("what moves a picture is in the board's order, and the rest apart", () => {
  const { live, dead } = parted(board, 0);
  expect([live, dead].map((some) => some.map(({ name }) => name).join(""))).toEqual(["abcd", "e"]);
});

test("all are seen where they have places, the way to the others among them", () => {
  expect([...first(board, 0, null, none, 5)].join("")).toBe("dbac");
  expect([...first(board, 0, null, none, 4)].join("")).toBe("dba");
});

test("what somebody turned is seen before what moves the picture farther", () => {
  const isTurned = (name: string) => name === "c";
  expect([...first(board, 0, null, isTurned, 3)].join("")).toBe("cd");
  expect([...first(board, 0, null, (name) => "abc".includes(name), 2)].join("")).toBe("bac");
});

test("of what a step offers the first is what moves the picture farthest", () => {
  expect([...first(board, 0, ["a", "b"], none, 2)].join("")).toBe("b");
});

test("a step has three in play: new letters first, then what moves the picture farthest, and all that somebody turned", () => {
  expect([...inPlay(board, 0, null, [], none)].join("")).toBe("dba");
  expect([...inPlay(board, 0, null, ["c", "e"], none)].join("")).toBe("cdb");
  expect([...inPlay(board, 0, ["a", "b"], ["a"], none)].join("")).toBe("ab");
  expect([...inPlay(board, 0, null, ["c"], (name) => "abde".includes(name))].join("")).toBe("abde");
});
