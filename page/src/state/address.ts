// What is shown, and its form in the address: a link brings back the same.

import type { Mode } from "../documents";

/** Whose numbers are shown. */
export type Whose = "both" | Mode;

export interface Address {
  /** A board's name; empty on the first view and on the walk. */
  board: string;
  /** Which step of the walk, from 1; 0 off the walk, and `NO_STEP` where the address has something else for one, or a name
   * before names are known. */
  step: number;
  /** Which of the board's pictures is large, from 0; null where nobody has chosen. */
  view: number | null;
  /** As the address says it; null where nobody has chosen. What is no mode, the source refuses. */
  shown: Whose | null;
  model: string;
  machine: string;
  /** A claim whose note is open. */
  claim: string;
  /** An exercise that is open. */
  exercise: string;
  /** On the page of all claims which are shown, by outcome, or "all"; empty elsewhere. */
  claims: string;
  /** "all" where all boards are shown; empty elsewhere. */
  boards: string;
  /** Where along the bill is read, in base units; null where nobody has moved it. The page's alone: no source is told. */
  at: number | null;
  /** Controls that were turned: text with units, as it was typed. */
  turned: Record<string, string>;
}

const OURS = new Set(["board", "step", "view", "mode", "model", "machine", "claim", "claims", "exercise", "boards", "at"]);

/** A step that there never is. */
const NO_STEP = -1;

/** Names of the walk's steps in their order, last its end; none before they are known. */
let names: readonly string[] = [];

/** From now on addresses have a step's name: its number is another once a step comes before it. */
export function nameSteps(found: readonly { id: string }[]): void {
  names = [...found.map(({ id }) => id), "end"];
}

/** A step, from 1, as an address has it. */
export function stepQuery(place: number): string {
  return `?step=${names[place - 1] ?? place}`;
}

export const HOME: Address = {
  board: "",
  step: 0,
  view: null,
  shown: null,
  model: "",
  machine: "",
  claim: "",
  exercise: "",
  claims: "",
  boards: "",
  at: null,
  turned: {},
};

/** Whether each board has a page of its own, as on a site without a server, so that a link to it shows its picture. */
const hasPages = document.head.querySelector('meta[name="ridgeline-site"]') !== null;

/** The folder that all addresses begin with. */
const ROOT = new URL(".", document.baseURI);

// A base that is relative would be read anew from every address that the page gives itself.
document.querySelector("base")?.setAttribute("href", ROOT.href);

export function read(place: { pathname: string; search: string }): Address {
  const fields = new URLSearchParams(place.search);
  const page = hasPages ? place.pathname.slice(ROOT.pathname.length).split("/")[0] : "";
  const turned: Record<string, string> = {};
  // Of a control that stands twice the source is told both, and says so.
  for (const [name, text] of fields) if (!OURS.has(name)) turned[name] = name in turned ? `${turned[name]}, ${text}` : text;
  return {
    board: fields.get("board") ?? (page?.includes(".") ? "" : (page ?? "")),
    step: stepAsked(place) ? names.indexOf(stepAsked(place)) + 1 || count(stepAsked(place)) || NO_STEP : 0,
    view: count(fields.get("view")),
    shown: fields.get("mode") as Whose | null,
    model: fields.get("model") ?? "",
    machine: fields.get("machine") ?? "",
    claim: fields.get("claim") ?? "",
    // The walk asks questions of its own.
    exercise: fields.get("step") ? "" : (fields.get("exercise") ?? ""),
    claims: fields.get("claims") ?? "",
    boards: fields.get("boards") ?? "",
    at: value(fields.get("at")),
    turned,
  };
}

/** As the address has it, which may be no number. */
export function stepAsked({ search }: { search: string }): string {
  return new URLSearchParams(search).get("step") ?? "";
}

function count(text: string | null): number | null {
  return text !== null && /^\d{1,4}$/.test(text) ? Number(text) : null;
}

function value(text: string | null): number | null {
  const found = text !== null && /^\d+(\.\d+)?(e[+-]?\d+)?$/.test(text) ? Number(text) : 0;
  return found > 0 && Number.isFinite(found) ? found : null;
}

export function write(address: Address): string {
  const query = new URLSearchParams();
  const isPage = hasPages && address.board !== "" && !address.step;
  if (address.step) query.set("step", names[address.step - 1] ?? String(address.step));
  else if (address.board && !isPage) query.set("board", address.board);
  if (address.view !== null) query.set("view", String(address.view));
  if (address.shown) query.set("mode", address.shown);
  for (const name of ["model", "machine", "claim", "claims", "exercise", "boards"] as const)
    if (address[name]) query.set(name, address[name]);
  if (address.at !== null) query.set("at", String(address.at));
  for (const [name, text] of Object.entries(address.turned)) query.set(name, text);
  // A colon may stand as it is, and is read more easily.
  const text = query.toString().replaceAll("%3A", ":");
  return new URL((isPage ? `${encodeURIComponent(address.board)}/` : "") + (text && `?${text}`), ROOT).href;
}

/** What in a terminal gives the same numbers. */
export function command(
  { board, model, machine, turned }: Pick<Address, "board" | "model" | "machine" | "turned">,
  mode: Mode,
): string {
  const words = ["ridgeline", "board", board, "--mode", mode];
  if (mode === "careful" && model) words.push("--model", model);
  if (mode === "careful" && machine) words.push("--on", machine);
  for (const [name, text] of Object.entries(turned)) words.push("--set", `${name}=${text}`);
  return [...words, "--json"].map(quoted).join(" ");
}

function quoted(word: string): string {
  return /^[\w./=+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
