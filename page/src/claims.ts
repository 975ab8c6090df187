// The ledger's rows on a board: the lecture's number and ours.

import type { Claim } from "./api";
import { element } from "./dom";
import { format } from "./quantity";

const DIMENSIONS: Record<string, string> = {
  s: "s",
  bytes: "bytes",
  "bytes/s": "bytes_per_s",
  FLOP: "flop",
  "FLOP/s": "flop_per_s",
  "tokens/s": "tokens_per_s",
  $: "usd",
};

export function claim(one: Claim): HTMLElement {
  const number = (value: number | null) => (value === null ? "-" : written(value, one.unit ?? ""));
  const parts: (Node | string)[] = [];
  for (const [name, value] of [
    ["lecture", one.lecture],
    ["its constants give", one.ours_lecture_mode],
    ["careful", one.ours_careful],
  ] as const)
    if (value !== null) parts.push(parts.length ? " · " : "", `${name} `, element("b", {}, number(value)));
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
  );
}

function written(value: number, unit: string): string {
  const dimension = DIMENSIONS[unit];
  if (dimension) return format(value, dimension);
  const text = format(value, "count");
  return unit ? `${text} ${unit}` : text;
}
