// The ledger's rows on a board: the lecture's number and ours.

import type { Claim } from "./api";
import { element } from "./dom";

/** Who gives the lecture's number, by its origin. */
const gives: Record<string, string> = {
  said: "the lecture says",
  implied: "the lecture implies",
  "filled in": "filled in here",
};

export function claim(one: Claim): HTMLElement {
  const parts: (Node | string)[] = [];
  for (const [name, said] of [
    ["lecture", gives[one.lecture_number?.origin ?? "said"] ?? ""],
    ["ours_lecture_mode", "ours, lecture mode"],
    ["ours_careful", one.contrast ? "beside it" : "careful"],
  ] as const)
    if (one[name] !== null) parts.push(parts.length ? " · " : "", `${said} `, element("b", {}, one.texts[name]));
  return element(
    "div",
    { class: "claim" },
    element(
      "p",
      {},
      element("b", {}, one.id),
      " ",
      ...(one.time_stamp ? [element("a", { href: one.link, target: "_blank", rel: "noopener noreferrer" }, one.time_stamp), " "] : []),
      element("span", { class: `verdict ${one.verdict.split(" ")[0]}` }, one.verdict),
      " ",
      one.claim,
    ),
    element("p", { class: "numbers" }, ...parts),
    element("p", { class: "why" }, one.why),
    ...(one.lecture_number?.hedge ? [element("p", { class: "why" }, `Hedged: ${one.lecture_number.hedge}`)] : []),
    ...(one.contrast ? [element("p", { class: "why" }, `Beside it, not instead of it: ${one.contrast}`)] : []),
    ...(one.careful_of ? [element("p", { class: "why" }, `Careful: ${one.careful_of}`)] : []),
    ...(one.bridge.length > 1 ? [bridge(one)] : []),
    ...one.ambiguities.map(({ text }) => element("p", { class: "why" }, "Left open: ", text)),
  );
}

/** From the lecture's number to the careful one: a changed assumption a row. */
function bridge(one: Claim): HTMLElement {
  return element(
    "details",
    { class: "bridge" },
    element("summary", {}, "Why is it not the lecture's number?"),
    element(
      "table",
      {},
      element(
        "tbody",
        {},
        ...one.bridge.map(({ change, text }) =>
          element("tr", {}, element("th", { scope: "row" }, change), element("td", {}, text)),
        ),
      ),
    ),
  );
}
