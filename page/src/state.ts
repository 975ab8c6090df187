// What is shown, and its form in the address: a link brings back the same view.

export type Shown = "both" | "lecture" | "careful";

export interface State {
  board: string;
  /** As the address says it: what is no mode, the server refuses. */
  shown: Shown;
  model: string;
  machine: string;
  /** Controls that were turned: text with units, as it was typed. */
  turned: Record<string, string>;
}

const OURS = new Set(["board", "mode", "model", "machine"]);

export function read(address: string, first: string): State {
  const query = new URLSearchParams(address);
  const turned: Record<string, string> = {};
  // Of a control that stands twice the server is told both, and says so.
  for (const [name, text] of query) if (!OURS.has(name)) turned[name] = name in turned ? `${turned[name]}, ${text}` : text;
  return {
    board: query.get("board") || first,
    shown: (query.get("mode") as Shown | null) ?? "both",
    model: query.get("model") ?? "",
    machine: query.get("machine") ?? "",
    turned,
  };
}

export function write(state: State): string {
  const query = new URLSearchParams({ board: state.board });
  if (state.shown !== "both") query.set("mode", state.shown);
  if (state.model) query.set("model", state.model);
  if (state.machine) query.set("machine", state.machine);
  for (const [name, text] of Object.entries(state.turned)) query.set(name, text);
  return `?${query.toString()}`;
}

/** What in a terminal gives the same numbers. */
export function command(state: State, mode: "lecture" | "careful"): string {
  const words = ["ridgeline", "board", state.board, "--mode", mode];
  if (mode === "careful" && state.model) words.push("--model", state.model);
  if (mode === "careful" && state.machine) words.push("--on", state.machine);
  for (const [name, text] of Object.entries(state.turned)) words.push("--set", `${name}=${text}`);
  return [...words, "--json"].map(quoted).join(" ");
}

function quoted(word: string): string {
  return /^[\w./=+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
