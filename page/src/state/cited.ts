// What numbers rest on: of the lecture's the second at which they are said, of others the facts and their sources.

import type { Board, Control, Fact, Mode, Source } from "../documents";
import { called } from "./called";
import { address, shelf, sources, turned } from "./signals";

/** A source, and what it says. */
export interface Cite extends Source {
  said: string;
}

export interface Ground {
  /** How the number follows; empty where a source has it as it stands. */
  how: string;
  cites: Cite[];
}

/** Of a number of a control that nobody turned; null of what was filled in, which says why itself. */
export function groundOf(board: Board, control: Control, mode: Mode): Ground | null {
  if (control.name in turned.value) return null;
  return mode === "careful" ? sourced(board, control) : heard(control);
}

function heard({ lecture_origin: origin, lecture_time_stamp: at = "", hedge, lecture_of: of }: Control): Ground | null {
  const link = recordingAt(at);
  if (!link || (origin !== "said" && origin !== "implied")) return null;
  const more = [hedge, of].filter(Boolean).join("; ");
  return {
    how: `${origin === "said" ? "Said" : "Implied"} in the lecture${more ? ` (${more})` : ""}.`,
    cites: [{ title: `Recording at ${at}`, address: link, said: "" }],
  };
}

/** The recording at a second of it; empty where there is none. */
export function recordingAt(stamp: string): string {
  const link = shelf.value?.chapters[0]?.link ?? "";
  if (!(stamp && link)) return "";
  const seconds = stamp.split(":").reduce((sum, part) => 60 * sum + Number(part), 0);
  return link.replace(/\d+s$/, `${seconds}s`);
}

const CHOSEN = "Chosen here: no source has it.";

function sourced(board: Board, { basis = "", careful_is: is, careful, lecture }: Control): Ground | null {
  if (!sources.value || careful === null) return null;
  const found = sources.value.bases[basis];
  if (!found) return careful === lecture ? null : { how: CHOSEN, cites: [] };
  const [model, machine] = [address.value.model || board.model, address.value.machine || board.machine];
  const known = { ...sources.value.facts[model], ...sources.value.facts[machine] };
  const facts = [...found.facts.flatMap((name) => known[name] ?? []), ...found.cites];
  const cites = citesOf(facts);
  // A configuration that was dropped on the page has no other source than itself.
  if (found.facts.includes("config") && !known["config"]) cites.unshift({ title: called(model), address: "", said: "" });
  const how = [found.how, is && `${is[0]?.toUpperCase()}${is.slice(1)}.`].filter(Boolean).join(" ");
  return { how, cites };
}

/** Facts by their sources, each of which is named once. */
export function citesOf(facts: readonly Fact[]): Cite[] {
  const by = new Map<number, Fact[]>();
  for (const fact of facts) by.set(fact.source, [...(by.get(fact.source) ?? []), fact]);
  return [...by].flatMap(([place, all]) => {
    const source = sources.value?.sources[place];
    return source ? [{ ...source, said: `${saidOf(all)}${all[0]?.date ?? ""}` }] : [];
  });
}

/** "BF16 2500 TFLOP/s, FP8 5000 TFLOP/s (dense); " before the day. */
function saidOf(facts: readonly Fact[]): string {
  const texts = facts.map(({ kind = "", value, note }) => [kind, value, note && `(${note})`].filter(Boolean).join(" "));
  const said = texts.filter(Boolean).join(", ");
  return said && `${said}; `;
}

/** All that a board's numbers rest on, each source once. */
export function sourcesOf(board: Board): Cite[] {
  const all = board.controls.flatMap((control) => sourced(board, control)?.cites ?? []);
  return [...new Map(all.map((cite) => [cite.title, { ...cite, said: "" }])).values()];
}
