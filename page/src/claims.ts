// The ledger's rows on a board: the lecture's number and ours.

import type { Claim } from "./api";
import { element } from "./dom";

export function claim(one: Claim): HTMLElement {
  const parts: (Node | string)[] = [];
  for (const [name, said] of [
    ["lecture", "lecture"],
    ["ours_lecture_mode", "its constants give"],
    ["ours_careful", "careful"],
  ] as const)
    if (one[name] !== null) parts.push(parts.length ? " · " : "", `${said} `, element("b", {}, one.texts[name]));
  return element(
    "div",
    { class: "claim" },
    element(
      "p",
      {},
      element("b", {}, one.id),
      one.time_stamp ? ` ${one.time_stamp} ` : " ",
      element("span", { class: `verdict ${one.verdict.split(" ")[0]}` }, one.verdict),
      " ",
      one.claim,
    ),
    element("p", { class: "numbers" }, ...parts),
    element("p", { class: "why" }, one.why),
    ...(one.ours_careful !== null && "careful" in one.inputs
      ? [element("p", { class: "why" }, `Careful: ${one.inputs["careful"]}`)]
      : []),
    ...one.ambiguities.map(({ text }) => element("p", { class: "why" }, "Left open: ", text)),
  );
}
