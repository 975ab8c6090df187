// Written by bench/page_types.py from the documents of src/ridgeline/; do not edit.

/** What a line is about, the same on every board; each theme has a colour for it. */
export type Colour = "ink" | "compute" | "weights" | "kv" | "links" | "money" | "estimate" | "also" | "muted";

/** Whose numbers a board starts from. */
export type Mode = "lecture" | "careful";

/** Whose number it is. */
export type Origin = "said" | "implied" | "filled in";

/** What became of a claim when it was computed. */
export type Verdict =
  | "reproduces"
  | "rounded"
  | "does not reproduce"
  | "depends on an unstated assumption"
  | "not derivable";

/** Along which axis a dot is put. */
export type Way = "x" | "y";

/** A time during which a chip does something. */
export interface Busy {
  /** What it does. */
  colour: Colour;
  /** When it begins, as a fraction of the time that is drawn. */
  start: number;
  /** When it ends, likewise. */
  end: number;
}

/** One rack, or a box of chips that are joined as those of a rack; they are all alike but for the painted ones. */
export interface Cabinet {
  /** Chips that are drawn. */
  chips: number;
  /** What lies in the memory of each, from the bottom. */
  memory: Fill[];
  /** What each of them does. */
  tracks: Track[];
  /** Chips that stand out. */
  painted: Paint[];
}

/** A part of a chip's memory. */
export interface Fill {
  /** What lies there. */
  colour: Colour;
  /** How much of the memory it takes; all parts together may be more than there is. */
  fraction: number;
}

/** Chips that stand out from the others. */
export interface Paint {
  /** What they stand for. */
  colour: Colour;
  /** Numbers of those in their cabinet, from 0. */
  chips: number[];
}

/** The rack as a step has it. */
export interface RackPicture {
  /** In the order in which work passes through them. */
  cabinets: Cabinet[];
  /** The caption. */
  words: Word[];
  /** Whether its times are those of the bill of the step's picture, wherever that is read. */
  follows_bill: boolean;
  /** Where the bill is read by the batch, part of the memory that the KV cache of one sequence takes; null where no memory is followed. */
  kv_of_one?: number;
  /** Of the picture's tokens, in the order in which they are played; empty where it plays none. */
  tokens: Visited[];
  /** Where the step's picture plays the same work, its whole time over that which is drawn here; null where it plays something else. */
  scene_spans?: number;
  /** Whether the step is about no rack, so that it stands there and does nothing. */
  is_resting: boolean;
}

/** One of the things that a chip can do at the same time as others: reading, computing, sending. */
export interface Track {
  /** Its times, in their order; the chip is idle between them. */
  busy: Busy[];
}

/** Chips that one of the tokens of the step's picture visits, while it is played. */
export interface Visited {
  /** Numbers of those that it visits, from 0, by cabinet. */
  chips: number[][];
  /** The caption meanwhile. */
  words: Word[];
}

/** A piece of the caption. */
export interface Word {
  /** The piece, with the spaces around it. */
  text: string;
  /** What it names in the drawing; null for what joins the pieces. */
  colour?: Colour;
}

/** Written form of a dimension's numbers. */
export interface Unit {
  /** Factor on base units. */
  factor: number;
  /** Possible prefixes, the largest first, each with its value. */
  prefixes: [string, number][];
  /** The text, with `{number}` and `{prefix}`. */
  written: string;
  /** Minimum number of significant digits of a value, as for a year. */
  least_digits: number;
  /** Whether thousands are separated by a comma. */
  is_grouped: boolean;
}

/** A place on an axis, with what is written there. */
export interface Tick {
  /** Where. */
  at: number;
  /** The number in words. */
  text: string;
}

/** What is believed of one quantity in several cases, a row each over one axis. */
export interface Beliefs {
  /** Rising, in equal ratios; of a choice among a few, their places from 0 on. */
  x: number[];
  /** Whether x counts places: rows are then bars, each with its chance. */
  is_whole: boolean;
  /** From the top. */
  rows: Row[];
  /** Values that somebody reads or measures, drawn across all rows. */
  marks: Tick[];
  /** On the axis along. */
  x_ticks: Tick[];
  /** What they say together, in a sentence. */
  text: string;
}

/** What is believed of a quantity in one case: after a price, or under an assumption. */
export interface Row {
  /** The price, or what is assumed. */
  name: string;
  /** What it says, in a few words with its numbers. */
  text: string;
  /** What it is about. */
  colour: Colour;
  /** Of the density over the common x, each row's highest 1; where x counts places, the chance of each. */
  heights: number[];
  /** Chances in words, one a place; empty where x does not count places. */
  labels: string[];
  /** 5th percentile; null where places have no order. */
  low: number | null;
  /** Median, likewise. */
  middle: number | null;
  /** 95th percentile, likewise. */
  high: number | null;
  /** Values of known things, in a row that shows those in place of chances. */
  points: number[];
  /** Whether it is a reading that the board is about. */
  is_bold: boolean;
}

/** One quantity over the common x, on an upright axis of its own that begins at zero. */
export interface Facet {
  /** Name of the quantity. */
  name: string;
  /** Its values. */
  y: number[];
  /** Value at which its axis ends. */
  top: number;
  /** The same in words. */
  top_text: string;
  /** Its value at the chosen x, in words. */
  text: string;
  /** What it is about. */
  colour: Colour;
}

/** Several quantities over one x, each in a small frame: which fall, which stay, which rise. */
export interface Facets {
  /** Rising; of all of them. */
  x: number[];
  /** The place in `x` at which values are written. */
  chosen: number;
  /** Quantities in their order. */
  facets: Facet[];
  /** On the axis along. */
  x_ticks: Tick[];
  /** What it says, in a few words. */
  text: string;
}

/** What becomes of both halves where one bit that goes in is the other way. */
export interface Flip {
  /** The half that passes through f next, before each round and after the last. */
  left: number[];
  /** The other half, at the same moments. */
  right: number[];
  /** Bits of both halves that are other than without the flip, likewise. */
  differing: number[];
  /** How many those are at the end, in words. */
  text: string;
}

/** Two halves through rounds and back: one passes through f and is added to the other, then they change places. */
export interface Halves {
  /** The half that passes through f next, before each round and after the last. */
  left: number[];
  /** The other half, at the same moments. */
  right: number[];
  /** The same halves on the way back, from the last round to the first. */
  left_back: number[];
  /** The other ones. */
  right_back: number[];
  /** What f made of the left half, by rounds. */
  through: number[];
  /** What f is, as TeX's `x^2` in plain letters. */
  function: string;
  /** At which halves begin anew. */
  modulus: number;
  /** Of a half. */
  bits: number;
  /** By the bit that is flipped, first those of the left half, each from its highest. */
  flips: Flip[];
  /** What it says, in a few words. */
  text: string;
}

/** What goes from one place to another. */
export interface Message {
  /** Where it leaves, from 0 at the top. */
  row: number;
  /** Where it arrives. */
  to_row: number;
  /** When its first byte leaves. */
  start: number;
  /** Time from its first byte's leaving to its last one's: bytes over bandwidth. */
  long: number;
  /** Time from a byte's leaving to its arrival. */
  latency: number;
  /** Equal parts that are sent one after another. */
  parts: number;
  /** Beside it, in a few words. */
  text: string;
  /** What it is about. */
  colour: Colour;
}

/** Messages on their way in time, by one or more axes of it: widths are times. */
export interface Passage {
  /** One below another. */
  strips: Strip[];
  /** What it says, in a few words. */
  text: string;
}

/** What a place does for a while. */
export interface Stay {
  /** Which place, from 0 at the top. */
  row: number;
  /** On the axis of time. */
  start: number;
  /** The same. */
  end: number;
  /** Written into it where there is room. */
  text: string;
  /** What it is about. */
  colour: Colour;
}

/** Places over one axis of time. */
export interface Strip {
  /** What it shows, and its scale where other strips have another one. */
  name: string;
  /** Names, from the top. */
  places: string[];
  /** What places do, and when. */
  stays: Stay[];
  /** What goes between them. */
  messages: Message[];
  /** Times to compare with, each with what it is. */
  limits: Tick[];
  /** Time at which the axis ends. */
  end: number;
  /** Times that are written along it. */
  ticks: Tick[];
}

/** What the stages of a schedule do of one part of the work; the same place of each row belongs together. */
export interface Cells {
  /** What part of the work it is: forward, backward, ... */
  part: string;
  /** What it is about. */
  colour: Colour;
  /** Stages, from 0 at the top. */
  rows: number[];
  /** When each begins, on the axis of time. */
  starts: number[];
  /** When each ends, likewise. */
  ends: number[];
  /** Micro-batches; empty of what has none. */
  numbers: number[];
}

/** One chip of a rack, under traffic. */
export interface Chip {
  /** Its number among all chips of all racks. */
  number: number;
  /** Visits to it, over the mean of all chips. */
  load: number;
  /** Numbers of those that it holds, the most sought-after first. */
  experts: number[];
  /** By racks, the part of all visits of that rack's tokens that comes to this chip. */
  part_of_rack: number[];
  /** Part of its visits that its own rack's tokens make. */
  near_fraction: number;
}

/** One train. */
export interface Departure {
  /** Requests that arrived in the period before it. */
  came: number;
  /** Requests that ride it. */
  aboard: number;
  /** Requests that arrived in time and found no seat. */
  left: number;
  /** How many ride, as it is written. */
  aboard_text: string;
  /** How many stay; empty where none does. */
  left_text: string;
}

/** Schedules of the same work, one above another over one axis of time. */
export interface Gantt {
  /** Stages of each schedule. */
  stages: number;
  /** Schedules, from the top. */
  played: Played[];
  /** Time at which the axis ends. */
  end: number;
  /** Times that are written along it. */
  ticks: Tick[];
  /** What is kept, in words: activations of micro-batches; empty where nothing is. */
  kept: string;
  /** Unit in which the time is said; empty of turns. */
  clock_unit: string;
  /** Such units in one of the axis. */
  clock_per_unit: number;
  /** Digits of that time behind the point. */
  clock_digits: number;
  /** What it says, in a few words. */
  text: string;
}

/** What a stage keeps for backward passes, from each of its changes on. */
export interface Kept {
  /** Times of changes, the first one zero. */
  at: number[];
  /** Micro-batches whose activations it keeps from then on. */
  level: number[];
  /** The most of them. */
  peak: number;
}

/** The same drawing for several models or machines, over the same axes. */
export interface Multiples {
  /** What a name chooses: "model" or "machine". */
  chooses: string;
  /** Rising; of all lines. */
  x: number[];
  /** A line to compare with, the same in each. */
  reference: number[];
  /** Drawings in their order. */
  smalls: Small[];
  /** Where the upright axis ends. */
  top: number;
  /** Where it begins. */
  bottom: number;
  /** On the axis along. */
  x_ticks: Tick[];
  /** On the upright one. */
  y_ticks: Tick[];
  /** What it says, in a few words. */
  text: string;
}

/** A schedule as it was played. */
export interface Played {
  /** Of the schedule. */
  name: string;
  /** Parts of the work, each with all of its cells. */
  cells: Cells[];
  /** What each stage keeps over time; empty where nothing is kept for later. */
  kept: Kept[];
  /** Times between which idle time grows evenly. */
  idle_at: number[];
  /** Time that all stages together have idled until then. */
  idle: number[];
  /** Time of all passes, after which the optimiser's step begins. */
  span: number;
  /** The same in words. */
  idle_text: string;
  /** What it says, in a few words. */
  text: string;
}

/** One scale-up domain. */
export interface Rack {
  /** Chips that are drawn, in their order. */
  chips: Chip[];
  /** How much of its tokens' traffic leaves it, in words; empty of one rack. */
  leaving_text: string;
}

/** Experts on the chips of racks, lit by traffic, and some tokens' visits. */
export interface Racks {
  /** The racks, all alike, in their order. */
  racks: Rack[];
  /** Visits to one copy of each expert, over the mean of all experts' places. */
  heat: number[];
  /** Of each expert, the first one included. */
  copies: number[];
  /** Places for experts that a chip has. */
  slots: number;
  /** Tokens whose visits are drawn, one after another. */
  tokens: Token[];
  /** Number of the chip with most visits. */
  busiest: number;
  /** How busy it is, in words. */
  busiest_text: string;
  /** Part of all visits that go to another rack. */
  leaving_fraction: number;
  /** The same in words; empty of one rack. */
  leaving_text: string;
  /** What it says, in a few words. */
  text: string;
}

/** As many requests as a drawing has room for, by columns, in the order in which they come. */
export interface Requests {
  /** Arrivals, in periods from the start. */
  came_periods: number[];
  /** Numbers of the departures that take them, from 0; -1 for those that wait at the end. */
  train: number[];
  /** Trains that left without them. */
  passed: number[];
}

/** One of several drawings of the same thing. */
export interface Small {
  /** Model or machine that it is drawn for, by its name in the catalog. */
  name: string;
  /** Its line, over the common x. */
  y: number[];
  /** Where its point lies. */
  mark_x: number;
  /** How high. */
  mark_y: number;
  /** Written at the point. */
  text: string;
}

/** One draw of the router. */
export interface Token {
  /** In which the token lies. */
  rack: number;
  /** Number of the chip on which it lies. */
  chip: number;
  /** Experts that it visits in its own rack. */
  near: number;
  /** Experts that it visits in others. */
  beyond: number;
  /** To those of them whose chips are drawn. */
  visits: Visit[];
}

/** Departures every period, full or not: who rides, who stays, and how long it takes them. */
export interface Trains {
  /** Time between two departures, which a ride takes, too, s. */
  period_s: number;
  /** Requests that a train has room for. */
  seats: number;
  /** Requests that a drawn one stands for. */
  requests_per_dot: number;
  /** In their order, the first one a period after the start. */
  departures: Departure[];
  /** Those that are drawn, each of which stands for its neighbours. */
  requests: Requests;
  /** Time from arrival to token that the equations expect, in periods. */
  mean_periods: number;
  /** The same in words. */
  mean_text: string;
  /** The time at each whole period, from the start on, in words. */
  clock: string[];
  /** Unit of the clock: s or ms. */
  clock_unit: string;
  /** Units in a period. */
  clock_per_period: number;
  /** Digits of the clock behind the point. */
  clock_digits: number;
  /** Seats that are taken on the mean, of all. */
  load_fraction: number;
  /** The same in words. */
  load_text: string;
  /** What it says, in a few words. */
  text: string;
}

/** A token's way to one of its experts. */
export interface Visit {
  /** Its number. */
  expert: number;
  /** Number of the chip that serves it. */
  chip: number;
  /** In which that chip is. */
  rack: number;
}

/** A rectangle of a schematic. */
export interface Box {
  /** Left edge, in the schematic's own units. */
  x: number;
  /** Upper edge, counted downwards. */
  y: number;
  /** To the right. */
  width: number;
  /** Downwards. */
  height: number;
  /** Written inside, in the middle; at the upper edge of a frame. */
  text: string;
  /** What it is about. */
  colour: Colour;
  /** Whether it is an outline around others; else it is filled. */
  is_frame: boolean;
}

/** A straight connection of a schematic. */
export interface Cable {
  /** Where it begins, in the schematic's own units. */
  x: number;
  /** The same, counted downwards. */
  y: number;
  /** Where it ends. */
  to_x: number;
  /** The same. */
  to_y: number;
  /** What it is about. */
  colour: Colour;
  /** Written beside its middle. */
  text: string;
  /** Whether something moves along it, towards its end. */
  is_arrow: boolean;
  /** Whether it is one of several ways, or slower than the others. */
  is_dashed: boolean;
  /** In points. */
  width: number;
}

/** Parts and how they are connected; what is drawn follows from a layout, not from a ruler. */
export interface Schematic {
  /** Of the whole, in its own units, which are alike in both directions. */
  width: number;
  /** The same. */
  height: number;
  /** From the back to the front. */
  boxes: Box[];
  /** Behind the filled boxes, over the frames. */
  cables: Cable[];
  /** What it says, in a few words. */
  text: string;
}

/** A batch that goes round: from the first stage to the last, and again for its next token. */
export interface Batch {
  /** When it enters each stage on its way, on the axis of time. */
  starts: number[];
  /** When it leaves them. */
  ends: number[];
}

/** A part of a way: one thing, or several at once that take equally long. */
export interface Leg {
  /** What happens, in a few words. */
  text: string;
  /** Ways, each from its beginning to its end. */
  cables: Cable[];
  /** Places of those boxes of the drawing that work once they are reached. */
  boxes: number[];
}

/** Stages in a ring, batches that go round, and the same over time. */
export interface Loop {
  /** What each stage does when; one schedule, of which nothing is kept. */
  gantt: Gantt;
  /** In the order in which they first start. */
  batches: Batch[];
  /** Of their tokens, in turn. */
  colours: Colour[];
  /** What it says, in a few words. */
  text: string;
}

/** A part of the drawing that messages go through. */
export interface Node {
  /** Of it alone, in a few words. */
  name: string;
  /** Its place among the drawing's boxes. */
  box: number;
  /** Places, among the nodes, of those that a cable connects it to. */
  neighbours: number[];
  /** How many those are, in words. */
  neighbours_text: string;
  /** Whether messages begin and end there, as at a chip. */
  is_end: boolean;
}

/** One way through the drawing, from beginning to end. */
export interface Route {
  /** What takes it. */
  name: string;
  /** One after another. */
  legs: Leg[];
}

/** Ways through a drawing, one after another. */
export interface Routes {
  /** What stands still. */
  schematic: Schematic;
  /** Ways in their order. */
  routes: Route[];
  /** Between which any way can be asked for; none where that says nothing. */
  nodes: Node[];
  /** What it says, in a few words. */
  text: string;
}

/** Lines over one x. */
export interface Curves {
  /** Rising; of all lines; empty where no line reaches what is shown. */
  x: number[];
  /** From the back to the front. */
  lines: Line[];
  /** On them, the one that matters most first. */
  marks: Mark[];
  /** Over the lines. */
  dots: Dots[];
  /** Whether x counts what cannot be divided: each of its values is then shown as a point. */
  is_whole: boolean;
  /** What the bold line is paid for: it is the largest of these sums, and what is in the others is had beside it; empty where it is no such sum. */
  bill: Part[][];
  /** The largest x that memory has room for: beyond it lines are faint; null where nothing limits x. */
  fits_to?: number;
  /** The x from which on the first sum of the bill is the largest; null where no x that is shown is. */
  takes_over_at?: number;
}

/** Points on no line, each with its name: models, machines, prices. */
export interface Dots {
  /** What they are, together. */
  name: string;
  /** Whether that is written at the right, as a line's is: where colours tell groups apart. */
  is_named: boolean;
  /** Where. */
  x: number[];
  /** How high. */
  y: number[];
  /** Of each; empty for those that stay without a name. */
  labels: string[];
  /** What they are about. */
  colour: Colour;
}

/** One line over the drawing's x. */
export interface Line {
  /** Written where it ends. */
  name: string;
  /** What it is about. */
  colour: Colour;
  /** Whether it is what the board is about. */
  is_bold: boolean;
  /** Whether it is a bound that is not crossed, or a level to compare with: dashed. */
  is_floor: boolean;
  /** Its values. */
  y: number[];
  /** Up to where they may lie: a band above the line; null where there is none. */
  high: number[] | null;
  /** The height that stands for all that nothing reaches, where the line leaves the picture. */
  out_of_reach_from?: number;
}

/** A point on a line, and what is written beside it. */
export interface Mark {
  /** Of what lies there. */
  name: string;
  /** Where. */
  x: number;
  /** How high. */
  y: number;
  /** Name of the line that it lies on. */
  line: string;
  /** In a few words, with its number. */
  text: string;
  /** What it is about. */
  colour: Colour;
  /** Whether no control moves it along its line: it cannot be dragged. */
  is_fixed: boolean;
  /** Whether it is a dot alone, whose text waits for the pointer. */
  is_quiet: boolean;
  /** Name of the line that its line meets there, without which it says nothing; empty for none. */
  crosses: string;
}

/** A part of what the bold line is paid for. */
export interface Part {
  /** Of what is paid. */
  name: string;
  /** What it is about. */
  colour: Colour;
  /** What it takes, over the picture's x. */
  y: number[];
}

export type Picture =
  | Curves
  | Table
  | Sheet
  | Trains
  | Racks
  | Gantt
  | Multiples
  | Passage
  | Halves
  | Facets
  | Beliefs
  | Loop
  | Routes;

export type Scene = Trains | Racks | Gantt | Multiples | Passage | Halves | Facets | Beliefs | Loop | Routes;

/** A table of words and numbers, as one is written on a blackboard. */
export interface Sheet {
  /** Headings, that of the rows' names first. */
  columns: string[];
  /** Cells, as many as columns. */
  rows: string[][];
  /** Numbers of the rows that matter most, from 0. */
  bold: number[];
  /** What it says, in a few words. */
  text: string;
}

/** Numbers by row and column, the darker the larger. */
export interface Table {
  /** Row after row, none below zero. */
  values: number[][];
  /** Whether each number is written into its cell; else the darkness alone shows it. */
  is_written: boolean;
  /** What the table says, in a few words. */
  text: string;
  /** Number of the first row and of the first column. */
  first: number;
}

/** A number that can be turned, and where it starts in each mode. */
export interface Control {
  /** The glossary's; in links and on the command line. */
  name: string;
  /** What it is called. */
  label: string;
  /** The same in few letters, beside a slider's value. */
  short: string;
  /** Its letter; empty where it has none. */
  symbol: string;
  /** What is said of a number of it: "4 stages". */
  meaning: string;
  /** In which it is written. */
  dimension: string;
  /** End of its range, in base units as all here. */
  low: number;
  /** The other end. */
  high: number;
  /** Whether it counts what cannot be divided. */
  is_whole: boolean;
  /** Where it starts with the lecture's numbers. */
  lecture: number | null;
  /** Where it starts with the catalog's; null where the model or the machine does not have it. */
  careful: number | null;
  /** Whose number the lecture's is. */
  lecture_origin?: Origin;
  /** When it was said. */
  lecture_time_stamp?: string;
  /** How the speaker limited it. */
  hedge?: string;
  /** What the catalog's number is, where that is not plain. */
  careful_is?: string;
}

/** A letter of a formula, explained. */
export interface Letter {
  /** As it stands in the formula. */
  tex: string;
  /** A noun phrase, with its unit where it has one. */
  meaning: string;
}

/** A part of a board's formula. */
export interface Term {
  /** As in LaTeX's math mode. */
  tex: string;
  /** Of the lines that it makes; null for what joins the terms. */
  colour: Colour | null;
}

/** Both axes of a view, the same for all that is drawn in it. */
export interface Axes {
  /** Along. */
  x: Axis;
  /** Upright. */
  y: Axis;
}

/** One axis. */
export interface Axis {
  /** In words, with its unit where the numbers do not carry one. */
  caption: string;
  /** In which its numbers are written. */
  dimension: string;
  /** Whether equal steps are equal ratios. */
  is_logarithmic: boolean;
  /** That it counts what cannot be divided; not there for other axes. */
  is_whole?: true;
  /** Of what is shown, where there are lines. */
  ends?: [number, number];
  /** Between them. */
  ticks?: number[];
}

/** One picture of a board in the modes that are shown. */
export interface ViewOf<Kind, Drawn> {
  /** What is drawn against what; empty where the board's title says it. */
  heading: string;
  /** Of the pictures of all modes. */
  axes: Axes;
  /** Of the pictures. */
  kind: Kind;
  /** Of the modes that are shown. */
  pictures: Partial<Record<Mode, Drawn>>;
}

export type CurvesView = ViewOf<"curves", Curves>;
export type TableView = ViewOf<"table", Table>;
export type SheetView = ViewOf<"sheet", Sheet>;
export type TrainsView = ViewOf<"trains", Trains>;
export type RacksView = ViewOf<"racks", Racks>;
export type GanttView = ViewOf<"gantt", Gantt>;
export type MultiplesView = ViewOf<"multiples", Multiples>;
export type PassageView = ViewOf<"passage", Passage>;
export type HalvesView = ViewOf<"halves", Halves>;
export type FacetsView = ViewOf<"facets", Facets>;
export type BeliefsView = ViewOf<"beliefs", Beliefs>;
export type LoopView = ViewOf<"loop", Loop>;
export type RoutesView = ViewOf<"routes", Routes>;

export type View =
  | CurvesView
  | TableView
  | SheetView
  | TrainsView
  | RacksView
  | GanttView
  | MultiplesView
  | PassageView
  | HalvesView
  | FacetsView
  | BeliefsView
  | LoopView
  | RoutesView;

/** What the lecture leaves open. */
export interface Ambiguity {
  /** In the list of all. */
  number: number;
  /** A sentence. */
  text: string;
}

/** A step from the lecture's number to the careful one. */
export interface BridgeStep {
  /** What is assumed instead. */
  change: string;
  /** The number after it; null where it is without bound. */
  value: number | null;
  /** The same as it is read; of the first step with its noun. */
  text: string;
}

/** A claim's numbers as they are read, the first of them with its noun; "-" where there is none. */
export interface ClaimTexts {
  /** The lecture's. */
  lecture: string;
  /** Computed with the lecture's constants. */
  ours_lecture_mode: string;
  /** Computed with the catalog's facts. */
  ours_careful: string;
}

/** A number that somebody gives. */
export interface Constant {
  /** In base units. */
  value: boolean | number | string | null;
  /** Whether it was said, implied, or filled in here. */
  origin: Origin;
  /** When it was said. */
  time_stamp: string;
  /** How the speaker limited it. */
  hedge: string;
  /** Lower end of what the hedge leaves open. */
  low: number | null;
  /** Upper end of the same. */
  high: number | null;
  /** Id of the claim whose number it is. */
  claim: string;
  /** Id of a claim that states it beside its own number. */
  beside: string;
}

/** A claim's numbers as text, without what they are of; empty where there is none. */
export interface Note {
  /** The lecture's. */
  his: string;
  /** Computed with the lecture's constants. */
  ours: string;
  /** What others measured, where no equation gives a number. */
  published: string;
  /** What all of them are of; empty where their unit says it. */
  of: string;
  /** The sentence that tells them, words and numbers in turn, words first. */
  line: string[];
}

/** The rack beside a step. */
export interface Beside {
  /** By whose numbers they are, the rack once there is nothing left to guess. */
  told: Partial<Record<Mode, RackPicture>>;
  /** The same before the question is answered; empty where nothing is asked. */
  known: Partial<Record<Mode, RackPicture>>;
}

/** Words of a sentence that name what is drawn. */
export interface Named {
  /** The first character, from 0. */
  start: number;
  /** The first after them. */
  end: number;
  /** Of the lines and terms that they name. */
  colour: Colour;
}

/** A point to guess. */
export interface Prediction {
  /** What is asked. */
  prompt: string;
  /** That the guess is read from: "y" upright, "x" along. */
  axis: Way;
  /** Name of the line on which the point lies, as the view has it; a height is guessed before it is drawn. */
  line: string;
  /** Where the point lies on the axis along, in base units. */
  x: number;
  /** How high. */
  y: number;
  /** From where on the line is drawn before the guess; null from its start, or with the other not at all. */
  known_from: number | null;
  /** Up to where it is drawn. */
  known_to: number | null;
  /** By how many times a guess may lie above or below and still be right. */
  tolerance_ratio: number;
  /** What is said when the line appears. */
  reveal: string;
}

/** One step. */
export interface Step {
  /** Its board and its time stamp, which stay its own where steps come in between. */
  id: string;
  /** Name of the one that it is told in, which need not be the board's own. */
  chapter: string;
  /** Where the lecture makes the point. */
  time_stamp: string;
  /** To that second of the recording. */
  link: string;
  /** Its name. */
  board: string;
  /** Number of the view, from 0. */
  view: number;
  /** What is argued. */
  sentence: string;
  /** Words of it that name what is drawn, in their order. */
  named: Named[];
  /** Whose numbers are drawn. */
  mode: "lecture" | "careful" | "both";
  /** Controls that are not where they start, as a person writes them. */
  turned: Record<string, string>;
  /** Names of those that move the lines shown by now; empty for all that move the view. */
  controls: string[];
  /** How many terms of the formula are shown by now. */
  terms: number;
  /** Names of the lines shown by now, as the view has them in either mode; empty for all. What a name has after a colon moves with the controls, so that once one is turned the words before it tell which is meant. */
  lines: string[];
  /** Ids of the ledger's rows to light. */
  claims: string[];
  /** To be answered before its line is drawn; null where nothing is asked. */
  question: Prediction | null;
}

/** The whole walk. */
export interface Walk {
  /** In the order of the recording. */
  steps: Step[];
}

/** Where an exercise's answer lies on a board's picture. */
export interface Place {
  /** Its name. */
  board: string;
  /** Number of the view, from 0. */
  view: number;
  /** That the answer is read from: "x" along, "y" upright. */
  axis: Way;
  /** Name of the line on which the answer lies, drawn once the dot is put. */
  line: string;
  /** Where along, of an answer that is read upright; null of one that is read along. */
  x: number | null;
  /** Name of the line along which the dot slides, of an answer that is read along; else empty. */
  on: string;
  /** Names of the lines that are seen before. */
  lines: string[];
  /** Controls that are not where the lecture has them, as a person writes them. */
  turned: Record<string, string>;
  /** What the axis shows, over the answer. */
  times: number;
  /** By how many times a dot may lie above or below and still be right: within a hand's reach. */
  tolerance_ratio: number;
  /** Whether things that lie on no line are seen before. */
  has_dots: boolean;
}

export type Answer = Shelf | Board | Views | Working | Ledger | Walk;

/** `boards/NAME`: what stays as it is while controls are turned. */
export interface Board {
  /** In links and on the command line. */
  name: string;
  /** What is drawn against what. */
  title: string;
  /** That it answers. */
  question: string;
  /** What the lines are. */
  caption: string;
  /** What is drawn, its terms one after another. */
  formula: Term[];
  /** Its letters that no control explains. */
  symbols: Letter[];
  /** Where the lecture draws it; empty for what it does not draw. */
  time_stamp: string;
  /** To that second of the recording; empty likewise. */
  link: string;
  /** Id of the model that careful numbers are of. */
  model: string;
  /** The same of the machine. */
  machine: string;
  /** Whether any careful number is of a model or a machine. */
  takes_facts: boolean;
  /** What can be turned. */
  controls: Control[];
  /** Names of the controls that move each of its pictures, first what moves its bold lines farthest. */
  view_controls: string[][];
  /** What the lecture says there, and what became of it. */
  claims: Claim[];
  /** Questions on it. */
  exercises: Question[];
}

/** A claim on a board, with the way from the lecture's number to the careful one. */
export interface Claim {
  /** As "A11". */
  id: string;
  /** In the recording. */
  time_stamp: string;
  /** To that second of it. */
  link: string;
  /** That shows it. */
  board: string;
  /** That it is of. */
  chapter: string;
  /** In our own words. */
  claim: string;
  /** What our number is; empty where it is what the claim states. */
  computed: string;
  /** Of its numbers; empty for ratios and counts. */
  unit: string;
  /** What follows its numbers and their unit: what is counted, or what a ratio is to. */
  what: string;
  /** The lecture's number. */
  lecture: number | null;
  /** Computed with the lecture's constants. */
  ours_lecture_mode: number | null;
  /** Computed with the catalog's facts. */
  ours_careful: number | null;
  /** The three as they are read. */
  texts: ClaimTexts;
  /** The same apart, and in a sentence. */
  note: Note;
  /** Where the lecture's number is from. */
  lecture_number: Constant | null;
  /** Of the comparison. */
  verdict: Verdict;
  /** Of a claim that does not reproduce, what is true instead, in one sentence; empty for others. */
  correction: string;
  /** One line. */
  why: string;
  /** What the lecture leaves open there. */
  ambiguities: Ambiguity[];
  /** What it is computed from, with the lecture's constants. */
  inputs: Record<string, Constant>;
  /** The same with the catalog's facts. */
  careful_inputs: Record<string, boolean | number | string | null>;
  /** What the careful number is of. */
  careful_of: string;
  /** What that is of where it is no estimate of the same. */
  contrast: string;
  /** Name of the function behind it. */
  equation: string;
  /** Part by which ours may differ from the lecture's. */
  tolerance: number;
  /** One changed assumption a step. */
  bridge: BridgeStep[];
}

/** A control that was turned beyond its range. */
export interface Clamped {
  /** The end of the range that it is set to, as it is typed. */
  text: string;
  /** A sentence without its full stop: what it is set to and why. */
  said: string;
}

/** What becomes of a configuration that is dropped on the page. */
export interface Dropped {
  /** The name under which it is found. */
  model: string;
}

/** A claim with its words and its numbers. */
export interface LedgerClaim {
  /** As "A11". */
  id: string;
  /** Where in the recording. */
  seconds: number;
  /** Of the comparison. */
  verdict: Verdict;
  /** That shows it. */
  board: string;
  /** As "0:19:22". */
  time_stamp: string;
  /** Of one that does not reproduce, for a picture of all; empty of others. */
  short_name: string;
  /** In our own words. */
  claim: string;
  /** To that second of the recording. */
  link: string;
  /** Of a claim that does not reproduce, what is true instead, in one sentence; empty for others. */
  correction: string;
  /** One line on the verdict. */
  why: string;
  /** Its numbers, apart and in a sentence. */
  note: Note;
  /** The number with the lecture's constants over the lecture's; null where one of them is missing or zero. */
  ratio: number | null;
}

/** `ledger`: all claims, with what comes out of them. */
export interface Ledger {
  /** In the order in which they are made. */
  claims: LedgerClaim[];
}

/** An exercise. */
export interface Question {
  /** A topic and a word. */
  id: string;
  /** In full. */
  question: string;
  /** What kind of number answers it. */
  asked: string;
  /** In which its answer is written. */
  dimension: string;
  /** Where its answer lies on a board's picture; null where no picture has it. */
  place: Place | null;
}

/** Why there is no answer. */
export interface RefusalDocument {
  /** That holds what it cannot. */
  field: string;
  /** What is wrong with it, and what to write instead. */
  message: string;
  /** Of all such fields what is wrong with them. */
  wrong: Record<string, string>;
}

/** A board among all. */
export interface ShelfBoard {
  /** In links and on the command line. */
  name: string;
  /** What is drawn against what. */
  title: string;
  /** That it answers. */
  question: string;
  /** Name of its chapter. */
  chapter: string;
  /** Its title. */
  chapter_title: string;
  /** Where the lecture draws it, as "0:09:10"; empty for what it does not draw. */
  time_stamp: string;
}

/** A chapter of the lecture. */
export interface ShelfChapter {
  /** Of the chapter. */
  name: string;
  /** In a few words. */
  title: string;
  /** In one or two. */
  label: string;
  /** What it answers, in a sentence. */
  question: string;
  /** Where it begins. */
  time_stamp: string;
  /** To that second of the recording. */
  link: string;
  /** Names, in the lecture's order. */
  boards: string[];
  /** In the order of the boards, each once. */
  exercises: ShelfExercise[];
  /** How many steps of the walk are told in it. */
  steps: number;
}

/** A claim as a point on the lecture's time line: nothing of it is computed. */
export interface ShelfClaim {
  /** As "A11". */
  id: string;
  /** Where in the recording. */
  seconds: number;
  /** Of the comparison. */
  verdict: Verdict;
  /** That shows it. */
  board: string;
}

/** `shelf`: all boards, models and machines that careful numbers can be of, and how numbers are written. */
export interface Shelf {
  /** Of the program. */
  version: string;
  /** In the lecture's order. */
  boards: ShelfBoard[];
  /** The same. */
  chapters: ShelfChapter[];
  /** In the order in which they are made. */
  claims: ShelfClaim[];
  /** Length of the recording, in seconds. */
  end_s: number;
  /** Ids in the catalog. */
  models: string[];
  /** The same. */
  machines: string[];
  /** Those of them whose chips somebody rents at a price that the catalog has. */
  priced_machines: string[];
  /** Of these models and machines, by id, as a sentence has them. */
  names: Record<string, string>;
  /** How numbers of each dimension are written. */
  units: Record<string, Unit>;
  /** Pattern of a control's text that is so many times what its mode starts with, the number its first group. */
  times: string;
}

/** An exercise among all. */
export interface ShelfExercise {
  /** Its id. */
  exercise: string;
  /** Name of the one that it is answered on. */
  board: string;
}

/** `boards/NAME/views`: the pictures at some values of the controls. */
export interface Views {
  /** That are shown; one alone where both are alike. */
  modes: Mode[];
  /** Values of all, in base units, by mode. */
  controls: Partial<Record<Mode, Record<string, number>>>;
  /** Modes that were asked for and cannot be drawn, and why. */
  refused: Partial<Record<Mode, RefusalDocument>>;
  /** Fields that the board does not have. */
  ignored: Record<string, string>;
  /** Controls that were turned beyond their range, by name. */
  clamped: Record<string, Clamped>;
  /** Of the modes that are shown. */
  views: View[];
  /** The rack beside each step of the walk that shows the board, by its id. */
  racks: Record<string, Beside>;
}

/** `exercises/ID`: the way to the answer, and what became of a reader's. */
export interface Working {
  /** Formula in words and numbers. */
  working: string;
  /** As it is read. */
  answer: string;
  /** The same in base units. */
  value: number;
  /** Of the answer that was given. */
  is_right?: boolean;
}
