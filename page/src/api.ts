// What the server says, as it says it: see src/ridgeline/web/app.py and boards/document.py.

export type Colour = "ink" | "compute" | "kv" | "weights" | "estimate" | "muted";
export type Mode = "lecture" | "careful";

export interface Unit {
  factor: number;
  prefixes: [string, number][];
  written: string;
  /** Significant digits without which a value says nothing, as of a year. */
  least_digits: number;
}

export interface Shelf {
  version: string;
  boards: { name: string; title: string; question: string; chapter: string; chapter_title: string }[];
  models: string[];
  machines: string[];
  units: Record<string, Unit>;
}

export interface Control {
  name: string;
  symbol: string;
  meaning: string;
  dimension: string;
  low: number;
  high: number;
  is_whole: boolean;
  lecture: number | null;
  careful: number | null;
  /** Whose number the lecture's is: said, implied, or filled in here. */
  lecture_origin?: string;
  lecture_time_stamp?: string;
  hedge?: string;
}

export interface Claim {
  id: string;
  time_stamp: string;
  claim: string;
  lecture: number | null;
  ours_lecture_mode: number | null;
  ours_careful: number | null;
  texts: Record<"lecture" | "ours_lecture_mode" | "ours_careful", string>;
  verdict: string;
  why: string;
  link: string;
  lecture_number: { origin: string; hedge: string } | null;
  careful_of: string;
  contrast: string;
  bridge: { change: string; value: number | null; text: string }[];
  ambiguities: { number: number; text: string }[];
}

export interface Board {
  name: string;
  title: string;
  question: string;
  caption: string;
  formula: { tex: string; colour: Colour | null }[];
  /** Letters of the formula that no control explains. */
  symbols: { tex: string; meaning: string }[];
  time_stamp: string;
  link: string;
  model: string;
  machine: string;
  /** Whether any careful number is of a model or a machine. */
  takes_facts: boolean;
  controls: Control[];
  claims: Claim[];
  exercises: { id: string; question: string; asked: string }[];
}

export interface Axis {
  caption: string;
  dimension: string;
  is_logarithmic: boolean;
  ends?: [number, number];
  ticks?: number[];
}

export interface Mark {
  name: string;
  x: number;
  y: number;
  line: string;
  text: string;
  colour: Colour;
}

export interface Curves {
  kind: "curves";
  x: number[];
  lines: { name: string; colour: Colour; is_bold: boolean; is_floor: boolean; y: number[]; high: number[] | null }[];
  marks: Mark[];
  /** Things that lie on no line: models, machines, prices. */
  dots: { name: string; x: number[]; y: number[]; labels: string[]; colour: Colour; is_named: boolean }[];
  /** Whether lines are known at their points alone. */
  is_whole: boolean;
}

export interface Table {
  kind: "table";
  /** What the first row and column are counted as. */
  first: number;
  values: number[][];
  is_written: boolean;
  text: string;
}

export interface Timeline {
  kind: "timeline";
  rows: string[];
  blocks: { row: number; start: number; end: number; text: string; colour: Colour }[];
  text: string;
}

export interface Sheet {
  kind: "sheet";
  columns: string[];
  rows: string[][];
  bold: number[];
  text: string;
}

export interface Schematic {
  kind: "schematic";
  width: number;
  height: number;
  boxes: { x: number; y: number; width: number; height: number; text: string; colour: Colour; is_frame: boolean }[];
  cables: {
    x: number;
    y: number;
    to_x: number;
    to_y: number;
    colour: Colour;
    text: string;
    is_arrow: boolean;
    is_dashed: boolean;
    width: number;
  }[];
  text: string;
}

export type View = { heading: string; axes: { x: Axis; y: Axis } } & (Curves | Table | Timeline | Sheet | Schematic);

export interface Views {
  mode: Mode;
  controls: Record<string, number>;
  views: View[];
}

/** What a request was refused for. */
export class Refusal extends Error {
  constructor(
    readonly field: string,
    message: string,
    /** Of all fields that are wrong, what is. */
    readonly wrong: Record<string, string> = {},
  ) {
    super(message);
  }
}

export async function ask<Answer>(path: string, fields: Record<string, string> = {}, init?: RequestInit): Promise<Answer> {
  const query = new URLSearchParams(fields).toString();
  let response: Response;
  try {
    response = await fetch(query ? `${path}?${query}` : path, init);
  } catch {
    throw new Refusal("", "The server does not answer; start it again with: ridgeline blackboard");
  }
  const answer: unknown = await response.json().catch(() => ({}));
  if (!response.ok) {
    const { field = "", message = `The server answered with status ${response.status}`, wrong = {} } = answer as Partial<Refusal>;
    throw new Refusal(field, message, wrong);
  }
  return answer as Answer;
}
