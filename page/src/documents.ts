// Written by bench/page_types.py from the documents of src/ridgeline/; do not edit.

/** Subject of a line, the same on every board; each theme has a colour for it. */
export type Colour = "ink" | "compute" | "weights" | "kv" | "links" | "money" | "away" | "also" | "muted";

/** Source of the numbers that a board starts from. */
export type Mode = "lecture" | "careful";

/** Source of a number. */
export type Origin = "said" | "implied" | "filled in";

/** Facts that a claim which does not reproduce contradicts. */
export type Contradicted = "his own inputs" | "published facts";

/** Result of comparing a claim with its computation. */
export type Verdict =
  | "reproduces"
  | "rounded"
  | "does not reproduce"
  | "depends on an unstated assumption"
  | "not derivable";

/** Axis along which a dot is put. */
export type Way = "x" | "y";

/** How a stroke is drawn. */
export type Look = "line" | "bold" | "level" | "fill";

/** A chip among others that all do the same; what depends on the batch is given for one sequence. */
export interface OpenedChip {
  /** Number of chips. */
  chips: number;
  /** Memory of a chip, bytes. */
  hbm_bytes: number;
  /** Memory bandwidth of a chip, bytes/s. */
  hbm_bytes_per_s: number;
  /** Arithmetic of a chip, FLOP/s. */
  flop_per_s: number;
  /** A chip's part of all weights, bytes. */
  weight_bytes: number;
  /** A chip's part of one sequence's KV cache, bytes. */
  kv_bytes: number;
  /** Time to read all of its weights, s. */
  weights_s: number;
  /** Time to read its part of one sequence's KV cache, s. */
  kv_s: number;
  /** Time of its part of the arithmetic of one sequence's token, s. */
  compute_s: number;
  /** Rising batches at which the read part of the weights is given; between two it is nearly straight, and beyond the last as there. */
  batches: number[];
  /** Part of the weights that a step of each of these batches reads. */
  read: number[];
  /** Largest number of sequences whose KV caches fit beside the weights; 0 for none. */
  most: number;
}

/** A chip among others that all do the same, at one batch. */
export interface ChipShares {
  /** Number of chips. */
  chips: number;
  /** Share of a chip's memory that its part of the weights fills. */
  weights_memory_fraction: number;
  /** Share of the memory that KV caches fill. */
  kv_memory_fraction: number;
  /** Share of the step's time in which it reads weights. */
  weights_time_fraction: number;
  /** Share of the step's time in which it reads KV caches. */
  kv_time_fraction: number;
  /** Share of the step's time in which it computes, meanwhile. */
  compute_time_fraction: number;
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

/** Position on an axis with its text. */
export interface Tick {
  /** Position on the axis. */
  at: number;
  /** The number in words. */
  text: string;
}

/** Beliefs about one quantity in several cases, a row for each over one axis. */
export interface Beliefs {
  /** Abscissas in equal ratios, ascending; places from 0 on for a choice among a few. */
  x: number[];
  /** Whether x counts places: rows are then bars, each with its probability. */
  is_whole: boolean;
  /** Rows from the top. */
  rows: Row[];
  /** Values that were read or measured, drawn across all rows. */
  marks: Tick[];
  /** Ticks of the horizontal axis. */
  x_ticks: Tick[];
  /** Summary of all rows in a sentence. */
  text: string;
}

/** Belief about a quantity in one case: after a price, or under an assumption. */
export interface Row {
  /** Name of the price or assumption. */
  name: string;
  /** Summary in a few words with its numbers. */
  text: string;
  /** Colour of its subject. */
  colour: Colour;
  /** Density over the common x, each row's highest 1; where x counts places, the probability of each. */
  heights: number[];
  /** Probabilities in words, one a place; empty where x does not count places. */
  labels: string[];
  /** 5th percentile; null where places have no order. */
  low: number | null;
  /** Median; null where places have no order. */
  middle: number | null;
  /** 95th percentile; null where places have no order. */
  high: number | null;
  /** Values of known things, in a row that shows those in place of a density. */
  points: number[];
  /** Names of these things, for the pointer; null of a density. */
  names?: string[];
  /** Whether it is a reading that the board is about. */
  is_bold: boolean;
}

/** Copies of a token inside a rack, layer by layer, while the token before it is handed to the next rack. */
export interface Crossing {
  /** Copies of a token in a layer, each to a chip of its own. */
  copies: number;
  /** Layers of a rack. */
  layers: number;
  /** Time of a layer's copies on their way to experts. */
  there: number;
  /** Time of their way back. */
  back: number;
  /** Speed of a chip's links inside the rack, over that of its link to the next rack. */
  link_ratio: number;
  /** Time inside over the hand-over, as a calculation. */
  ratio_text: string;
  /** Consequence of that ratio, in words. */
  so_text: string;
  /** Times that are written along the axis. */
  ticks: Tick[];
  /** Summary in a few words. */
  text: string;
}

/** One quantity over the common x, on an upright axis of its own that begins at zero. */
export interface Facet {
  /** Name of the quantity. */
  name: string;
  /** Values over the common x. */
  y: number[];
  /** Value at which its axis ends. */
  top: number;
  /** End of the axis in words. */
  top_text: string;
  /** Value at the chosen x, in words. */
  text: string;
  /** Colour of the quantity. */
  colour: Colour;
}

/** Several quantities over one x, each in a small frame: which fall, which stay, which rise. */
export interface Facets {
  /** Abscissas of all facets, ascending. */
  x: number[];
  /** Index in `x` at which values are written. */
  chosen: number;
  /** Quantities in their order. */
  facets: Facet[];
  /** Ticks of the horizontal axis. */
  x_ticks: Tick[];
  /** Summary in a few words. */
  text: string;
}

/** Effect on both halves of flipping one input bit. */
export interface Flip {
  /** The half that passes through f next, before each round and after the last. */
  left: number[];
  /** Half that the result of f is added to, at the same moments. */
  right: number[];
  /** Number of bits of both halves that differ from those without the flip, at the same moments. */
  differing: number[];
  /** Number of them at the end, in words. */
  text: string;
}

/** Two halves through rounds and back: one passes through f and is added to the other, then they change places. */
export interface Halves {
  /** The half that passes through f next, before each round and after the last. */
  left: number[];
  /** Half that the result of f is added to, at the same moments. */
  right: number[];
  /** Left half on the way back, from the last round to the first. */
  left_back: number[];
  /** Right half on the way back, from the last round to the first. */
  right_back: number[];
  /** Results of f on the left half, by rounds. */
  through: number[];
  /** Formula of f, TeX's `x^2` in plain letters. */
  function: string;
  /** Modulus of the addition. */
  modulus: number;
  /** Number of bits in a half. */
  bits: number;
  /** Flips by the flipped bit, first those of the left half, each from its highest. */
  flips: Flip[];
  /** Summary in a few words. */
  text: string;
}

/** Message from one place to another. */
export interface Message {
  /** Number of the sender, from 0 at the top. */
  row: number;
  /** Number of the receiver. */
  to_row: number;
  /** Time at which its first byte leaves. */
  start: number;
  /** Time from its first byte's leaving to its last one's: bytes over bandwidth. */
  long: number;
  /** Time from a byte's leaving to its arrival. */
  latency: number;
  /** Text beside it, in a few words. */
  text: string;
  /** Colour of its subject. */
  colour: Colour;
}

/** Messages over one or more time axes, on which widths are times. */
export interface Passage {
  /** One below another. */
  strips: Strip[];
  /** Summary in a few words. */
  text: string;
}

/** Activity of a place for a while. */
export interface Stay {
  /** Number of the place, from 0 at the top. */
  row: number;
  /** Start on the time axis. */
  start: number;
  /** End on the time axis. */
  end: number;
  /** Text inside it, where there is room. */
  text: string;
  /** Colour of the activity. */
  colour: Colour;
}

/** Places over one axis of time. */
export interface Strip {
  /** Name of the strip, and its scale where other strips have another one. */
  name: string;
  /** Names, from the top. */
  places: string[];
  /** Activities of the places. */
  stays: Stay[];
  /** Messages between the places. */
  messages: Message[];
  /** Times to compare with, each with what it is. */
  limits: Tick[];
  /** Time at which the axis ends. */
  end: number;
  /** Times that are written along it. */
  ticks: Tick[];
}

/** Passes of one kind in a schedule; equal positions in each field belong together. */
export interface Cells {
  /** Kind of pass: forward, backward, ... */
  part: string;
  /** Colour of the kind. */
  colour: Colour;
  /** Stages, from 0 at the top. */
  rows: number[];
  /** Starts on the time axis. */
  starts: number[];
  /** Ends on the time axis. */
  ends: number[];
  /** Numbers of micro-batches; empty for passes without one. */
  numbers: number[];
}

/** One chip of a rack, under traffic. */
export interface Chip {
  /** Number among all chips of all racks. */
  number: number;
  /** Visits to it, over the mean of all chips. */
  load: number;
  /** Numbers of its experts, the most visited first. */
  experts: number[];
  /** Fraction of the visits of each rack's tokens that comes to this chip, by rack. */
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
  /** Number of riders in words. */
  aboard_text: string;
  /** Number of those left behind in words; empty where there are none. */
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
  /** Name of the things that passes are numbered by: micro-batch or batch. */
  numbered: string;
  /** Name of the things that are kept: activations of micro-batches; empty where nothing is. */
  kept: string;
  /** Unit of the clock; empty where the axis counts turns. */
  clock_unit: string;
  /** Clock units in one unit of the axis. */
  clock_per_unit: number;
  /** Decimals of the clock. */
  clock_digits: number;
  /** Summary in a few words. */
  text: string;
}

/** Activations that a stage keeps for backward passes, as a step function of time. */
export interface Kept {
  /** Times of the changes, the first one zero. */
  at: number[];
  /** Micro-batches whose activations it keeps from then on. */
  level: number[];
  /** Largest of these levels. */
  peak: number;
}

/** Small multiples: one drawing for several models or machines, over the same axes. */
export interface Multiples {
  /** Kind of thing that a name chooses: "model" or "machine". */
  chooses: string;
  /** Abscissas of all lines, ascending. */
  x: number[];
  /** Line to compare with, the same in all drawings. */
  reference: number[];
  /** Drawings in their order. */
  smalls: Small[];
  /** Top of the upright axis. */
  top: number;
  /** Bottom of the upright axis. */
  bottom: number;
  /** Ticks of the horizontal axis. */
  x_ticks: Tick[];
  /** Ticks of the upright axis. */
  y_ticks: Tick[];
  /** Summary in a few words. */
  text: string;
}

/** A schedule as it was played. */
export interface Played {
  /** Name of the schedule. */
  name: string;
  /** Parts of the work, each with all of its cells. */
  cells: Cells[];
  /** Activations that each stage keeps over time; empty where nothing is kept for later. */
  kept: Kept[];
  /** Time of all passes, after which the optimiser's step begins. */
  span: number;
  /** Bubble fraction in words. */
  idle_text: string;
  /** Summary in a few words. */
  text: string;
}

/** One scale-up domain. */
export interface Rack {
  /** Chips that are drawn, in their order. */
  chips: Chip[];
  /** Fraction of its tokens' traffic that leaves it, in words; empty for a single rack. */
  leaving_text: string;
}

/** Experts on the chips of racks, lit by traffic, and some tokens' visits. */
export interface Racks {
  /** The racks, all alike, in their order. */
  racks: Rack[];
  /** Visits to one copy of each expert, over the mean of all experts' places. */
  heat: number[];
  /** Copies of each expert, the first one included. */
  copies: number[];
  /** Places for experts that a chip has. */
  slots: number;
  /** Tokens whose visits are drawn, one after another. */
  tokens: Token[];
  /** Number of the chip with most visits. */
  busiest: number;
  /** Load of that chip in words. */
  busiest_text: string;
  /** Part of all visits that go to another rack. */
  leaving_fraction: number;
  /** Leaving fraction in words; empty for one rack. */
  leaving_text: string;
  /** Summary in a few words. */
  text: string;
}

/** Requests that a drawing has room for, by columns, in the order of arrival. */
export interface Requests {
  /** Arrivals, in periods from the start. */
  came_periods: number[];
  /** Numbers of the departures that take them, from 0; -1 for those that wait at the end. */
  train: number[];
  /** Number of trains that left without them. */
  passed: number[];
}

/** One of several drawings of the same thing. */
export interface Small {
  /** Model or machine that it is drawn for, by its name in the catalog. */
  name: string;
  /** Line over the common x. */
  y: number[];
  /** Abscissa of its point. */
  mark_x: number;
  /** Ordinate of its point. */
  mark_y: number;
  /** Written at the point. */
  text: string;
}

/** One draw of the router. */
export interface Token {
  /** Rack of the token. */
  rack: number;
  /** Number of the chip on which it lies. */
  chip: number;
  /** Experts that it visits in its own rack. */
  near: number;
  /** Experts that it visits in others. */
  beyond: number;
  /** Visits to the experts whose chips are drawn. */
  visits: Visit[];
}

/** Departures every period, full or not: riders, requests left behind, and their latencies. */
export interface Trains {
  /** Time between two departures, which a ride takes, too, s. */
  period_s: number;
  /** Requests that a train has room for. */
  seats: number;
  /** Number of requests that one dot stands for. */
  requests_per_dot: number;
  /** Departures in their order, the first one a period after the start. */
  departures: Departure[];
  /** Requests that are drawn, each of which stands for its neighbours. */
  requests: Requests;
  /** Time from arrival to token that the equations expect, in periods. */
  mean_periods: number;
  /** Mean time in words. */
  mean_text: string;
  /** The time at each whole period, from the start on, in words. */
  clock: string[];
  /** Unit of the clock: s or ms. */
  clock_unit: string;
  /** Units in a period. */
  clock_per_period: number;
  /** Decimals of the clock. */
  clock_digits: number;
  /** Mean fraction of seats that are taken. */
  load_fraction: number;
  /** Load in words. */
  load_text: string;
  /** Summary in a few words. */
  text: string;
}

/** A token's way to one of its experts. */
export interface Visit {
  /** Number of the expert. */
  expert: number;
  /** Number of the chip that serves it. */
  chip: number;
  /** Number of the rack of that chip. */
  rack: number;
}

/** A rectangle of a schematic. */
export interface Box {
  /** Left edge, in the schematic's own units. */
  x: number;
  /** Upper edge, counted downwards. */
  y: number;
  /** Width to the right. */
  width: number;
  /** Height downwards, likewise. */
  height: number;
  /** Text in its middle, or at the upper edge of a frame. */
  text: string;
  /** Colour of its subject. */
  colour: Colour;
  /** Whether it is an outline around others; else it is filled. */
  is_frame: boolean;
}

/** A straight connection of a schematic. */
export interface Cable {
  /** Start to the right, in the schematic's own units. */
  x: number;
  /** Start downwards, likewise. */
  y: number;
  /** End to the right, likewise. */
  to_x: number;
  /** End downwards, likewise. */
  to_y: number;
  /** Colour of its subject. */
  colour: Colour;
  /** Text beside its middle. */
  text: string;
  /** Whether something moves along it, towards its end. */
  is_arrow: boolean;
  /** Whether it is one of several ways, or slower than the others. */
  is_dashed: boolean;
  /** Line width, points. */
  width: number;
}

/** Parts and how they are connected; what is drawn follows from a layout, not from a ruler. */
export interface Schematic {
  /** Width of the whole, in its own units, which are alike in both directions. */
  width: number;
  /** Height of the whole, likewise. */
  height: number;
  /** Boxes from back to front. */
  boxes: Box[];
  /** Cables, drawn behind the filled boxes and over the frames. */
  cables: Cable[];
  /** Summary in a few words. */
  text: string;
}

/** A batch that goes round: from the first stage to the last, and again for its next token. */
export interface Batch {
  /** Times at which it enters each stage of its way. */
  starts: number[];
  /** Times at which it leaves them. */
  ends: number[];
}

/** Part of a route: one move, or several at once that take equally long. */
export interface Leg {
  /** Event in a few words. */
  text: string;
  /** Lines of the move, each from its start to its end. */
  cables: Cable[];
  /** Indices of the drawing's boxes that work once they are reached. */
  boxes: number[];
}

/** Stages in a ring with batches that go round, and their schedule over time. */
export interface Loop {
  /** Schedule of the stages over time, without kept activations. */
  gantt: Gantt;
  /** Batches in the order in which they first start. */
  batches: Batch[];
  /** Colours of their tokens, in turn. */
  colours: Colour[];
  /** Summary in a few words. */
  text: string;
}

/** A part of the drawing that messages go through. */
export interface Node {
  /** Name in a few words. */
  name: string;
  /** Position among the drawing's boxes. */
  box: number;
  /** Indices of the nodes that a cable connects it to. */
  neighbours: number[];
  /** Number of neighbours in words. */
  neighbours_text: string;
  /** Whether messages begin and end there, as at a chip. */
  is_end: boolean;
}

/** Route through the drawing, from start to end. */
export interface Route {
  /** Name of the traffic that takes it. */
  name: string;
  /** Legs in their order. */
  legs: Leg[];
}

/** Routes through a drawing, one after another. */
export interface Routes {
  /** Drawing that stands still. */
  schematic: Schematic;
  /** Routes in their order. */
  routes: Route[];
  /** Nodes between which any way can be asked for; empty where that says nothing. */
  nodes: Node[];
  /** Summary in a few words. */
  text: string;
  /** Number of all that it has of what routes go over, for a corner of the drawing; empty for none. */
  total_text: string;
}

/** One schedule, with the gap of its first stage in a bracket, and the idle share by micro-batches. */
export interface Bubble {
  /** Schedule over time, without kept activations. */
  gantt: Gantt;
  /** Start of the first stage's gap on the time axis. */
  gap_start: number;
  /** End of that gap. */
  gap_end: number;
  /** Length of the gap and of the step, in words. */
  gap_text: string;
  /** Numbers of micro-batches, ascending. */
  counts: number[];
  /** Idle share of a stage's time with each of them. */
  idle: number[];
  /** Each share in words. */
  idle_text: string[];
  /** Index of the number that the schedule has. */
  here: number;
  /** Summary in a few words. */
  text: string;
}

/** One of the chips; times are in decode passes. */
export interface Side {
  /** Work that it does. */
  name: string;
  /** Tokens of each sequence that a pass takes. */
  tokens: number;
  /** Tokens of a pass in words. */
  tokens_text: string;
  /** Time to read the weights, once a pass. */
  weights: number;
  /** Time to read the KV caches, once a pass. */
  kv: number;
  /** Time of a pass's arithmetic, which goes on meanwhile. */
  compute: number;
  /** Tokens that the chip takes per second, in words. */
  rate_text: string;
  /** Cost of a million of them, in words. */
  price_text: string;
}

/** Decode and prefill by the same chip, side by side. */
export interface TwoChips {
  /** Decode, and prefill. */
  sides: [Side, Side];
  /** Time at which the clock ends, in decode passes. */
  end: number;
  /** Times that are written along it. */
  ticks: Tick[];
  /** Summary in a few words. */
  text: string;
}

/** A part of what a chip holds, by the number of racks. */
export interface HeldPart {
  /** Name of the part. */
  name: string;
  /** Colour of its subject. */
  colour: Colour;
  /** Bytes of it on a chip, for each number of racks. */
  held: number[];
  /** Each of these in words. */
  held_text: string[];
}

/** Memory of a chip with one rack and with more, all of which hold the same. */
export interface RowOfRacks {
  /** Numbers of racks, ascending. */
  counts: number[];
  /** Index of the number that is drawn. */
  here: number;
  /** Parts of what a chip holds, from the top. */
  parts: HeldPart[];
  /** All of it in words, for each number of racks. */
  both_text: string[];
  /** Memory that a chip has, bytes. */
  hbm_bytes: number;
  /** Size of that memory, and its ratio to what it holds or what it is too little for, in words. */
  hbm_text: string;
  /** Number of chips of a rack in words. */
  chips_text: string;
  /** Summary in a few words. */
  text: string;
}

/** Two rectangles at one scale: each as high as its number of things, and as wide as the chart's line is there. */
export interface Abreast {
  /** Name of the line that says how wide. */
  line: string;
  /** Number of things of the upper rectangle, which is known from the start. */
  first: number;
  /** Number of things of the lower one; null for where the chart is read. */
  count?: number;
  /** The name of one thing, and that of several. */
  things: [string, string];
  /** Name of a level that both are held against; null for none. */
  limit?: string;
  /** Load of both in words, where that is the same; null where each has its own. */
  whole_text?: string;
  /** Summary in a few words. */
  text: string;
}

/** One account of how many of its experts a model reads for a token, and of the batch that follows. */
export interface Account {
  /** Name of the account, in a few words. */
  name: string;
  /** Experts that a token reads. */
  read: number;
  /** Balance batch that follows, as a calculation. */
  batch_text: string;
}

/** Pages of one size side by side, each the whole context. */
export interface Attended {
  /** Kinds of attention, from the left. */
  attended: Attention[];
  /** Summary in a few words. */
  text: string;
}

/** A kind of attention by what it reads. */
export interface Attention {
  /** Name of its line, which has the tokens' worth that it reads. */
  line: string;
  /** Shorter name, for little room. */
  name: string;
  /** Tokens that it picks, which are read in full; null where it reads all, or a root. */
  picked_tokens: number | null;
  /** Bytes of a token in its index over those of its keys and values; zero without an index. */
  index_fraction: number;
  /** Whether it reads one block of as many tokens as there are blocks, and of each block a summary. */
  is_root: boolean;
}

/** A bar with its name before it and its length in words behind it. */
export interface Bar {
  /** Name in a word or two. */
  name: string;
  /** Parts, from the left. */
  parts: Length[];
  /** Length in words, from the longest text to the shortest. */
  ends: string[];
  /** Whether it decides, so that others of its group are drawn pale. */
  is_strong: boolean;
  /** Whether it answers the step's question: it is hidden as long as that is asked, with its group where all of its bars do. */
  answers?: boolean;
}

/** Bars of one thing. */
export interface BarGroup {
  /** Name of the thing, from the longest text to the shortest; none for bars without a heading. */
  names: string[];
  /** Bars, from the upper one down. */
  bars: Bar[];
}

/** Groups of bars below one another, all at one scale. */
export interface Bars {
  /** Groups, from the upper one down. */
  groups: BarGroup[];
  /** Length that all are held against; null for none. */
  limit?: number;
  /** Heading, from the longest text to the shortest. */
  heads: string[];
  /** Summary in a few words. */
  text: string;
}

/** Time as width: what is read in a step beside what is computed. */
export interface Batched {
  /** Batch, in balance batches. */
  balance_batches: number;
  /** Context that is read for as long as its token is computed. */
  crossover_tokens: number;
  /** Name of the line of a price, whose scale is not known; empty for none. */
  price: string;
  /** Context at which the price is drawn at the cost; zero without a price. */
  price_at_tokens: number;
  /** Summary in a few words. */
  text: string;
}

/** Steps of a batch as trains along the time of two periods. */
export interface Clocked {
  /** Name of the line of tokens a second by the clock. */
  by_clock: string;
  /** Name of the line of tokens a second without waiting. */
  at_once: string;
  /** Time between two departures by the clock, s. */
  period_s: number;
  /** Summary in a few words. */
  text: string;
}

export type Companion =
  | Vessels
  | Stores
  | Bars
  | Grids
  | Experts
  | Stacks
  | Undone
  | SharedReading
  | Generations
  | Meanwhile
  | TwoNetworks
  | Abreast
  | Held
  | Draining
  | Attended
  | Batched
  | Pairs
  | TwoModes
  | Clocked
  | OverTrained;

/** Stores beside one another that all begin to be read at once, up to a last moment. */
export interface Draining {
  /** Stores, from the one that is read soonest. */
  read_out: ReadOut[];
  /** Moments that a store is held against, the last of which ends it. */
  moments: Tick[];
  /** Summary in a few words. */
  text: string;
}

/** Experts of a layer as dots, of which those are lit that a token reads, once for each account. */
export interface Experts {
  /** Experts of a layer. */
  experts: number;
  /** Accounts in their order. */
  accounts: Account[];
  /** Summary in a few words. */
  text: string;
}

/** A domain of as many packages, each with as many dies. */
export interface Generation {
  /** Names of the machines that are alike in this, in their order. */
  names: string[];
  /** Packages of the domain. */
  packages: number;
  /** Dies of a package. */
  dies: number;
  /** Dies of the domain. */
  all_dies: number;
}

/** Domains beside one another, the last of which is covered by as many of the one before as it has times its dies. */
export interface Generations {
  /** Domains, from the left. */
  generations: Generation[];
  /** Dies of the last domain, over those of the one before. */
  growth_ratio: number;
  /** Summary in a few words. */
  text: string;
}

/** Bits of a block, or signs of a stream, as cells: those are full that one change of the input has changed. */
export interface Grid {
  /** Name of the line of its mean. */
  line: string;
  /** Shorter name, for little room. */
  name: string;
  /** Number of cells, in columns of eight nibbles. */
  bits: number;
  /** Changed ones before any round and after each, as hexadecimal digits of four cells. */
  changed: string[];
  /** Changed ones within the first round, after its S-boxes; empty where there are none. */
  substituted: string;
}

/** Grids side by side, after as many rounds. */
export interface Grids {
  /** Grids, from the left. */
  grids: Grid[];
  /** Change of the input, in a few words. */
  change_text: string;
  /** Summary in a few words. */
  text: string;
}

/** A model's experts, of which a token reads one, beside what all of it is worth. */
export interface Held {
  /** Name of the line of the dense model that is as good. */
  line: string;
  /** Number of experts. */
  held_experts: number;
  /** Parameters of one expert in all layers. */
  expert_params: number;
  /** Parameters that every token reads. */
  shared_params: number;
  /** Summary in a few words. */
  text: string;
}

/** A part of a bar. */
export interface Length {
  /** Colour of the part. */
  colour: Colour;
  /** Length of the part, in the unit of all bars. */
  length: number;
}

/** Multiplications of a chip while it reads one parameter, as cells that fill. */
export interface Meanwhile {
  /** Number of parameters that it multiplies meanwhile. */
  multiplied: number;
  /** Summary in a few words. */
  text: string;
}

/** Blocks of one size, all tokens each, in as many parts as they are times what a law has as best. */
export interface OverTrained {
  /** Tokens that the model is trained on. */
  trained_tokens: number;
  /** Names of the lines of the laws, from the left. */
  laws: string[];
  /** Summary in a few words. */
  text: string;
}

/** Columns of tokens, as high as the arithmetic of each: parameters, and above them attention. */
export interface Pairs {
  /** Name of the line of the parameters' cost. */
  by_parameters: string;
  /** Name of the line of the whole cost. */
  with_attention: string;
  /** Summary in a few words. */
  text: string;
}

/** A store that is read from its beginning to its end. */
export interface ReadOut {
  /** Name of the store. */
  name: string;
  /** Capacity in words. */
  capacity_text: string;
  /** Time to read all of it, s. */
  drain_s: number;
  /** Time to read all of it, in words. */
  drain_text: string;
  /** Colour of its line. */
  colour: Colour;
}

/** A rack whose chips each read a share of the weights. */
export interface Reader {
  /** Name of the line of its time. */
  line: string;
  /** Name of its chips. */
  name: string;
  /** Number of chips that share the weights. */
  chips: number;
  /** Weights of one chip in words. */
  share_text: string;
  /** Memory bandwidth of one chip in words. */
  rate_text: string;
  /** Time until all weights are read, s. */
  read_s: number;
  /** Factors by which it is faster than the first rack, in words; empty for that one. */
  so_text: string;
}

/** Racks below one another that read the same weights. */
export interface SharedReading {
  /** Racks, from the upper one down. */
  readers: Reader[];
  /** All weights in words. */
  weights_text: string;
  /** Summary in a few words. */
  text: string;
}

/** A stack of layers and what it keeps through a training step, in which each layer's work is one step of time. */
export interface Stack {
  /** Name of the line of its memory. */
  line: string;
  /** Activity through the step, in a few words. */
  does_text: string;
  /** Numbers of layers of which something is kept, from 0. */
  layers: number[];
  /** First steps at which it is kept, from 1. */
  since: number[];
  /** Last steps at which it is kept. */
  until: number[];
  /** Number of the last ones of them of which the layer's input alone is kept. */
  inputs: number;
}

/** Stacks of layers below one another through a training step, forwards and backwards. */
export interface Stacks {
  /** Stacks, from the upper one down. */
  stacks: Stack[];
  /** Number of layers of each. */
  depth: number;
  /** Summary in a few words. */
  text: string;
}

/** A place in which something can wait. */
export interface Store {
  /** Name of the line of its cost. */
  line: string;
  /** Cost of bringing it back, or of making it again, in words. */
  retrieve_text: string;
  /** Cost of holding it for an hour, in words. */
  hold_text: string;
  /** Waiting times for which it is the cheapest, in words. */
  when_text: string;
  /** Whether anything waits there; else it is dropped, and made again. */
  is_kept: boolean;
}

/** Stores from the fastest down, in the cheapest of which a thing waits. */
export interface Stores {
  /** Stores from the upper one down. */
  stores: Store[];
  /** Name of what waits. */
  thing_text: string;
  /** Summary in a few words. */
  text: string;
}

/** Regular mode beside one of another speed: bars of what a sequence pays, of its own and for the weights. */
export interface TwoModes {
  /** Sequences of the regular mode for each of the mode that is on offer. */
  regular_rows: number;
  /** Name of the line of prices, over the regular one. */
  price: string;
  /** Name of the line of a sequence's own part of the price. */
  alone: string;
  /** Summary in a few words. */
  text: string;
}

/** Racks that exchange tokens, on one clock. */
export interface TwoNetworks {
  /** Number of racks. */
  racks: number;
  /** Speed of the links inside a rack, over that of the links between racks. */
  link_ratio: number;
  /** Time of the traffic that stays in a rack, over that of all traffic in one rack. */
  inside: number;
  /** Time of the traffic that leaves it, over the same. */
  between: number;
  /** Traffic that stays, in words. */
  inside_text: string;
  /** Traffic that leaves, in words. */
  between_text: string;
  /** Summary in a few words. */
  text: string;
}

/** A stack of which a part is reversible, a number of layers along, with its memory and its arithmetic. */
export interface Undone {
  /** Number of layers. */
  layers: number;
  /** FLOP of the forward pass, per parameter and token. */
  forward_flop: number;
  /** FLOP of training where no layer is reversible, per parameter and token. */
  none_flop: number;
  /** FLOP of training where all layers are. */
  all_flop: number;
  /** Summary in a few words. */
  text: string;
}

/** An item of the curves' bill, as a vessel that is filled to its cost. */
export interface Vessel {
  /** Name of the item. */
  part: string;
  /** Activity while it fills, in a few words; empty where all fill at once. */
  does_text: string;
}

/** Vessels side by side, which fill one after another. */
export interface Vessels {
  /** Vessels in the order in which they fill. */
  vessels: Vessel[];
  /** Name of the thing whose bill it is, after its size; empty where it is nothing in particular. */
  filler_text: string;
  /** Summary in a few words. */
  text: string;
}

/** Lines over one x. */
export interface Curves {
  /** Abscissas of all lines, ascending; empty where no line reaches the frame. */
  x: number[];
  /** Lines from back to front. */
  lines: Line[];
  /** Marks on the lines, the most important first. */
  marks: Mark[];
  /** Points that lie on no line. */
  dots: Dots[];
  /** Whether x counts what cannot be divided: each of its values is then shown as a point. */
  is_whole: boolean;
  /** Items of the bold line, which is the largest of these sums; the items of the other sums overlap with it. Empty where it is no such sum. */
  bill: Part[][];
  /** The largest x that memory has room for: beyond it lines are faint; null where nothing limits x. */
  fits_to?: number;
  /** The x from which on the first sum of the bill is the largest; null where no x that is shown is. */
  takes_over_at?: number;
  /** Drawing beside them that is read at one place along; null where there is none. */
  companion?: Companion;
}

/** Points on no line, each with its name: models, machines, prices. */
export interface Dots {
  /** Name of the group. */
  name: string;
  /** Whether a key has its name: where colours tell groups apart. */
  is_named: boolean;
  /** Abscissas of the points. */
  x: number[];
  /** Ordinates of the points. */
  y: number[];
  /** Label of each point; empty for points that stay without one. */
  labels: string[];
  /** Colour of the group. */
  colour: Colour;
  /** Name of each point, for the pointer; null where labels name all. */
  names?: string[];
  /** Labels of which text or drawings speak, so that they have places before all others; null where none do. */
  told?: string[];
}

/** One line over the drawing's x. */
export interface Line {
  /** Written where it ends. */
  name: string;
  /** Colour of its subject. */
  colour: Colour;
  /** Whether it is what the board is about. */
  is_bold: boolean;
  /** Whether it is a bound that is not crossed, or a level to compare with: dashed. */
  is_floor: boolean;
  /** Values over the drawing's x. */
  y: number[];
  /** Up to where they may lie: a band above the line; null where there is none. */
  high: number[] | null;
  /** Ordinate from which on values are unreachable, and the line leaves the picture. */
  out_of_reach_from?: number;
}

/** A point on a line, and what is written beside it. */
export interface Mark {
  /** Name of the point. */
  name: string;
  /** Abscissa of the point. */
  x: number;
  /** Ordinate of the point. */
  y: number;
  /** Name of the line that it lies on. */
  line: string;
  /** Text in a few words, with its number. */
  text: string;
  /** Colour of its subject. */
  colour: Colour;
  /** Whether no control moves it along its line: it cannot be dragged. */
  is_fixed: boolean;
  /** Whether it is only a dot, whose text is shown on hover. */
  is_quiet: boolean;
  /** Name of the line that meets its line there, without which the mark is hidden; empty for none. */
  crosses: string;
}

/** Summand of the bold line. */
export interface Part {
  /** Name of the item that is paid. */
  name: string;
  /** Colour of the item. */
  colour: Colour;
  /** Cost of the item over the picture's x. */
  y: number[];
}

export type Picture =
  | Curves
  | Table
  | Sheet
  | Gantt
  | Loop
  | Bubble
  | Trains
  | TwoChips
  | Racks
  | Multiples
  | Passage
  | Crossing
  | Halves
  | Facets
  | Beliefs
  | Routes
  | RowOfRacks;

export type Scene =
  | Gantt
  | Loop
  | Bubble
  | Trains
  | TwoChips
  | Racks
  | Multiples
  | Passage
  | Crossing
  | Halves
  | Facets
  | Beliefs
  | Routes
  | RowOfRacks;

/** A table of words and numbers, as one is written on a blackboard. */
export interface Sheet {
  /** Headings of the columns, that of the rows' names first. */
  columns: string[];
  /** Rows of cells, as many as there are columns. */
  rows: string[][];
  /** Numbers of the rows that matter most, from 0. */
  bold: number[];
  /** Summary in a few words. */
  text: string;
}

/** Table of numbers, each cell the darker the larger its number. */
export interface Table {
  /** Rows of numbers, none below zero. */
  values: number[][];
  /** Whether each number is written into its cell; else the darkness alone shows it. */
  is_written: boolean;
  /** Summary in a few words. */
  text: string;
  /** Number of the first row and of the first column. */
  first: number;
}

/** A number that can be turned, and where it starts in each mode. */
export interface Control {
  /** Name in the glossary, in links and on the command line. */
  name: string;
  /** Label beside its slider. */
  label: string;
  /** Short name beside a slider's value. */
  short: string;
  /** Letter of the quantity in plain text; empty where it has none. */
  symbol: string;
  /** Letter of the quantity, as formulas have it; empty where it has none. */
  tex: string;
  /** Words after a number of it: "stages" in "4 stages". */
  meaning: string;
  /** Dimension of the number. */
  dimension: string;
  /** Low end of its range, in base units as all numbers here. */
  low: number;
  /** High end of its range. */
  high: number;
  /** Whether it counts what cannot be divided. */
  is_whole: boolean;
  /** Start with the lecture's numbers. */
  lecture: number | null;
  /** Start with the catalog's facts; null where the model or the machine does not have it. */
  careful: number | null;
  /** Origin of the lecture's number. */
  lecture_origin?: Origin;
  /** Time stamp of the lecture's number. */
  lecture_time_stamp?: string;
  /** Reason for the lecture's number where he gives none, in a few words; absent where he gives it. */
  filled_in?: string;
  /** Thing that the lecture's number is of, where it is not the usual one: "his next chip, Rubin". */
  lecture_of?: string;
  /** How the speaker limited it. */
  hedge?: string;
  /** Source of the catalog's number, where it is not plain. */
  careful_is?: string;
}

/** A letter of a formula, explained. */
export interface Letter {
  /** Letter as it stands in the formula. */
  tex: string;
  /** Two to four words that follow it. */
  meaning: string;
  /** Name of the control that turns it; null where none does. */
  control: string | null;
  /** Control whose basis its number shares, where none turns it; absent where it shares none. */
  of?: string;
  /** Controls whose product it is, if it is one; among the lecture's numbers they stand beside it. */
  factors?: string[];
}

/** A term of an equation, or what the equation has of a term that joins it to another. */
export interface Piece {
  /** Source in LaTeX's math mode. */
  tex: string;
  /** Colour of the lines that the term makes; null for signs that join terms. */
  colour: Colour | null;
  /** Number of the term in the board's formula, from 0. */
  place: number;
}

/** Reference to a source. */
export interface Cite {
  /** Place of the source in the list of all. */
  source: number;
  /** Values that it gives, and the day of the source or of its reading. */
  said: string;
}

/** Ground of a careful number. */
export interface Ground {
  /** Derivation in a sentence or two; empty where a fact is taken as it stands. */
  how: string;
  /** Sources of the number. */
  cites: Cite[];
}

/** A source. */
export interface Source {
  /** Title of the source, with its author. */
  title: string;
  /** Address of the source; empty where it has none. */
  address: string;
}

/** `sources`: grounds of careful numbers, and all their sources. */
export interface Sources {
  /** Sources, each once. */
  sources: Source[];
  /** Grounds by "MODEL MACHINE", and by "CONTROL", or "BOARD/CONTROL" where the board has another. */
  grounds: Record<string, Record<string, Ground>>;
  /** Sources of the first view's numbers, each with words before it. */
  first: Cite[];
}

/** Both axes of a view, the same for all that is drawn in it. */
export interface Axes {
  /** Horizontal axis, common to all. */
  x: Axis;
  /** Upright axis, common to all. */
  y: Axis;
}

/** One axis. */
export interface Axis {
  /** Caption in words, with the unit where the numbers do not carry one. */
  caption: string;
  /** Dimension of its numbers. */
  dimension: string;
  /** Whether equal steps are equal ratios. */
  is_logarithmic: boolean;
  /** Whether it counts what cannot be divided; not there for other axes. */
  is_whole?: true;
  /** Whether its unit is what controls set, so that numbers of two settings are not compared; not there for other axes. */
  is_relative?: true;
  /** Ends of the part that is shown, where there are lines. */
  ends?: [number, number];
  /** Ticks between the ends. */
  ticks?: number[];
}

/** One picture of a board in the modes that are shown. */
export interface ViewOf<Kind, Drawn> {
  /** Quantity that is drawn, and what it is drawn against; empty where the board's title says it. */
  heading: string;
  /** Axes of the pictures of all modes. */
  axes: Axes;
  /** Kind of the pictures. */
  kind: Kind;
  /** Pictures of the modes that are shown. */
  pictures: Partial<Record<Mode, Drawn>>;
  /** Name of the mark where its bill is first read, which it follows; not there where the page chooses. */
  read_mark?: string;
}

export type CurvesView = ViewOf<"curves", Curves>;
export type TableView = ViewOf<"table", Table>;
export type SheetView = ViewOf<"sheet", Sheet>;
export type GanttView = ViewOf<"gantt", Gantt>;
export type LoopView = ViewOf<"loop", Loop>;
export type BubbleView = ViewOf<"bubble", Bubble>;
export type TrainsView = ViewOf<"trains", Trains>;
export type TwoChipsView = ViewOf<"twochips", TwoChips>;
export type RacksView = ViewOf<"racks", Racks>;
export type MultiplesView = ViewOf<"multiples", Multiples>;
export type PassageView = ViewOf<"passage", Passage>;
export type CrossingView = ViewOf<"crossing", Crossing>;
export type HalvesView = ViewOf<"halves", Halves>;
export type FacetsView = ViewOf<"facets", Facets>;
export type BeliefsView = ViewOf<"beliefs", Beliefs>;
export type RoutesView = ViewOf<"routes", Routes>;
export type RowOfRacksView = ViewOf<"rowofracks", RowOfRacks>;

export type View =
  | CurvesView
  | TableView
  | SheetView
  | GanttView
  | LoopView
  | BubbleView
  | TrainsView
  | TwoChipsView
  | RacksView
  | MultiplesView
  | PassageView
  | CrossingView
  | HalvesView
  | FacetsView
  | BeliefsView
  | RoutesView
  | RowOfRacksView;

/** Open question of the lecture. */
export interface Ambiguity {
  /** Number in the list of all. */
  number: number;
  /** Text in one sentence. */
  text: string;
}

/** A step from the lecture's number to the careful one. */
export interface BridgeStep {
  /** Changed assumption in words. */
  change: string;
  /** The number after it; null where it is without bound. */
  value: number | null;
  /** Number as a reader reads it; the first step's with its noun. */
  text: string;
}

/** A claim's numbers as they are read, the first of them with its noun; "-" where there is none. */
export interface ClaimTexts {
  /** Number of the lecture. */
  lecture: string;
  /** Computed with the lecture's constants. */
  ours_lecture_mode: string;
  /** Computed with the catalog's facts. */
  ours_careful: string;
}

/** A number that somebody gives. */
export interface Constant {
  /** Value in base units. */
  value: boolean | number | string | null;
  /** Whether it was said, implied, or filled in here. */
  origin: Origin;
  /** Time stamp of the passage that gives it. */
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

/** A claim's verdict in a line, and its numbers as text, without what they are of; empty where there is none. */
export interface Note {
  /** Number of the lecture. */
  his: string;
  /** Speaker of that number and how he gives it: "he implies". */
  his_by: string;
  /** Computed with the lecture's constants. */
  ours: string;
  /** Number that others measured, where no equation gives one. */
  published: string;
  /** Noun of all numbers; empty where their unit says it. */
  of: string;
  /** First word of the verdict line: Yes, Roughly, Only if, No, Not computed. */
  word: string;
  /** The rest of the line, words and numbers in turn, words first. */
  line: string[];
  /** Inputs with which the number was computed, where a picture beside it may have others. */
  given: string;
}

/** Changes of a step's sentence, and of the numbers beside it. */
export interface Live {
  /** Numbers of the sentence that are others. */
  numbers: LiveNumber[];
  /** Words of the sentence that do not hold. */
  overturned: Overturned[];
  /** Sentence of the step about the numbers that it does not open in, as they are now; empty for none. */
  other: string;
  /** Numbers of one name that the steps up to here have told, as they are now; empty for none. */
  ladder: Rung[];
}

/** A number of a step's sentence that the turned controls have changed. */
export interface LiveNumber {
  /** Index of its first character in the sentence, from 0. */
  start: number;
  /** Index of the first character after it, behind its unit. */
  end: number;
  /** Number as it is now. */
  text: string;
  /** Position along at which a handle reads it now; null where no handle does. */
  x: number | null;
}

/** Words of a step's sentence that do not hold with the controls as they are. */
export interface Overturned {
  /** Index of their first character in the sentence, from 0. */
  start: number;
  /** Index of the first character after them. */
  end: number;
  /** Words that hold instead; empty where there are none. */
  text: string;
}

/** A question that one of a few answers is chosen for, before the picture is seen. */
export interface Choice {
  /** Question in words. */
  prompt: string;
  /** Answers to choose from. */
  options: Option[];
  /** Place of the answer that the step's numbers give, from 0. */
  right: number;
  /** Reason for it, in a clause. */
  why: string;
  /** Index of the first character of the sentence that waits for the answer. */
  told: number;
  /** How many terms of the formula are shown until the answer; null for all that the step shows. */
  terms: number | null;
  /** Part of the chart that is drawn before the answer; null for its axes alone. */
  sketch: Sketch | null;
}

/** A number that follows from a guess: it, or one over it, times a factor. */
export interface Follows {
  /** Dimension of the number. */
  dimension: string;
  /** Factor, in the units of the number and of the guess. */
  times: number;
  /** Whether it falls as the guess rises. */
  is_over: boolean;
  /** Text around the number, which stands for "{}". */
  form: string;
}

/** Known numbers beside the one that is asked for, to reason from. */
export interface Grounds {
  /** Names of the columns. */
  columns: string[];
  /** Known numbers, as texts. */
  rows: string[][];
  /** Row of what is asked, with what follows from a guess. */
  asked: (string | Follows)[];
}

/** Words of a sentence that name what is drawn. */
export interface Named {
  /** Index of the first character, from 0. */
  start: number;
  /** Index of the first character after them. */
  end: number;
  /** Colour of the lines and terms that they name. */
  colour: Colour;
}

/** One of several answers. */
export interface Option {
  /** Answer in a few words. */
  name: string;
  /** Number for which it stands, drawn as a bar beside the others' bars; null for an answer without one. */
  size: number | null;
  /** Colour of what it names in the drawing; null for an answer that names nothing drawn. */
  colour: Colour | null;
}

/** A point to guess. */
export interface Prediction {
  /** Question in words. */
  prompt: string;
  /** Axis that the guess is read from: "y" upright, "x" along. */
  axis: Way;
  /** Dimension of that axis, by which a guess is written. */
  dimension: string;
  /** Name of the line on which the point lies, as the view has it; a height is guessed before it is drawn. */
  line: string;
  /** Abscissa of the point, in base units. */
  x: number;
  /** Ordinate of the point, in base units. */
  y: number;
  /** Start of the part of the line that is drawn before the guess; null for the axis' start. Both are null for a line that stays hidden. */
  known_from: number | null;
  /** End of that part. */
  known_to: number | null;
  /** Factor by which a guess may be too high or too low and still be right. */
  tolerance_ratio: number;
  /** Answer that is shown with the line. */
  reveal: string;
  /** How many terms of the formula are shown until the answer; null for all that the step shows. */
  terms: number | null;
  /** Known numbers to reason from; null for none. */
  grounds: Grounds | null;
}

/** One of several numbers that bear one name, told apart. */
export interface Rung {
  /** Name of the number. */
  name: string;
  /** Factors or premises behind it. */
  of: string;
  /** Number in base units; null where there is none. */
  value: number | null;
  /** Number as it is read. */
  text: string;
}

/** Part of a chart that is drawn before the answer. */
export interface Sketch {
  /** Name of the line that the answer is about. */
  asked: string;
  /** Names of the lines that are drawn. */
  lines: string[];
  /** Names of the marks that are drawn. */
  marks: string[];
  /** Names of the dots that are drawn besides those that belong to the lines. */
  dots: string[];
  /** Position along up to which the lines are drawn; null for their whole length. */
  until: number | null;
  /** Position along of what is asked; null where it lies at none. */
  asked_at: number | null;
}

/** One step. */
export interface Step {
  /** Board and time stamp of the step, which stay the same where steps come in between. */
  id: string;
  /** Name of the chapter that tells it, which need not be the board's own. */
  chapter: string;
  /** Time stamp of the lecture's point. */
  time_stamp: string;
  /** Name of the board. */
  board: string;
  /** Number of the view, from 0. */
  view: number;
  /** Argument in words. */
  sentence: string;
  /** Words of the sentence that name things drawn, in their order. */
  named: Named[];
  /** Numbers of the sentence that a handle, a mark or a control has, in their order. */
  ties: Tie[];
  /** Mode whose numbers are drawn, or both. */
  mode: "lecture" | "careful" | "both";
  /** Whether words and picture are the same by his numbers and by sourced ones. */
  is_alike: boolean;
  /** Controls that are not where they start, as a person writes them, in the mode or modes of the step alone. */
  turned: Record<string, string>;
  /** Sources of these numbers, by control. */
  turned_by: Record<string, Turned>;
  /** Names of those that move the lines shown by now, which may be none; null for all that move the view. */
  controls: string[] | null;
  /** Equation of what is drawn; null for the board's formula. */
  formula: Piece[][] | null;
  /** How many terms of the formula are shown by now. */
  terms: number;
  /** Letters of the terms that are shown by now, explained. */
  letters: Letter[];
  /** How many of these letters the terms have that are shown while the step asks. */
  letters_asked: number;
  /** Names of the lines shown by now, as the view has them in either mode; empty for all. What a name has after a colon moves with the controls, so that once one is turned the words before it tell which is meant. */
  lines: string[];
  /** Position along at which a bill is first read; null where the page chooses it. */
  read_at: number | null;
  /** Name of the mark where that is, if it follows the mark; null where it stays. */
  read_mark: string | null;
  /** Ids of the ledger's rows to light. */
  claims: string[];
  /** Question that is answered before its line is drawn; null where nothing is asked on the chart. */
  question: Prediction | null;
  /** Question that is answered before the picture is drawn; null where there is nothing to choose. */
  choice: Choice | null;
  /** Colours of the parts of a decode step that the opened chip shows by now; empty where it is not shown. */
  opened: Colour[];
  /** Numbers of one name that the steps up to here have told; empty for none. */
  ladder: Rung[];
  /** Answer to the question of the chapter that ends here; empty where none ends. */
  answer: string;
}

/** Number of a sentence that is tied to what is drawn. */
export interface Tie {
  /** Index of the first character, from 0. */
  start: number;
  /** Index of the first character after it, behind its unit. */
  end: number;
  /** Position along at which a handle reads it; null where no handle does. */
  x: number | null;
  /** Name of the mark that has it; empty for none. */
  mark: string;
  /** Name of the control whose value it is; empty for none. */
  control: string;
}

/** Source of a number that a step has turned. */
export interface Turned {
  /** Whether it was said, follows from what was said, or was filled in here. */
  origin: Origin;
  /** Reason for it, or how the speaker limited it. */
  why: string;
  /** Time stamp in the lecture; empty for a number that was filled in. */
  time_stamp: string;
}

/** The whole walk. */
export interface Walk {
  /** Steps in the order of the recording. */
  steps: Step[];
}

/** Position of an exercise's answer on a board's picture. */
export interface Place {
  /** Name of the board. */
  board: string;
  /** Number of the view, from 0. */
  view: number;
  /** Axis that the answer is read from: "x" along, "y" upright. */
  axis: Way;
  /** Name of the line on which the answer lies, drawn once the dot is put. */
  line: string;
  /** Abscissa of an answer that is read upright; null for one that is read along. */
  x: number | null;
  /** Name of the line along which the dot slides, of an answer that is read along; else empty. */
  on: string;
  /** Names of the lines that are seen before. */
  lines: string[];
  /** Controls that are not where the lecture has them, as a person writes them. */
  turned: Record<string, string>;
  /** Number on the axis over the answer. */
  times: number;
  /** Factor by which a dot may be too high or too low and still be right: a hand's reach. */
  tolerance_ratio: number;
  /** Whether things that lie on no line are seen before. */
  has_dots: boolean;
}

/** Part of a small picture, of one colour. */
export interface Stroke {
  /** Outline, in the commands of an SVG path. */
  path: string;
  /** Colour of its subject. */
  colour: Colour;
  /** How it is drawn: as a line of some kind, or filled. */
  look: Look;
  /** Opacity, from 0 to 1; 1 if left out. */
  strength?: number;
}

/** `thumbnails`: all boards as small pictures of one of their views. */
export interface Thumbnails {
  /** Width of a picture, in the units of its paths. */
  width: number;
  /** Height of a picture, likewise. */
  height: number;
  /** Strokes of each board's picture, from back to front, by its name. */
  boards: Record<string, Stroke[]>;
}

export type Answer = Shelf | Board | Views | Working | Ledger | Walk | Thumbnails | Sources;

/** `boards/NAME`: parts of a board that do not change while controls are turned. */
export interface Board {
  /** Name in links and on the command line. */
  name: string;
  /** Quantity that is drawn, and what it is drawn against. */
  title: string;
  /** Question that the board answers. */
  question: string;
  /** Explanation of the lines. */
  caption: string;
  /** Formula of the drawn quantity: its equations, each term by term. */
  formula: Piece[][];
  /** Letters of the formula, explained. */
  symbols: Letter[];
  /** Equations of the formula that each of its pictures draws. */
  drawn: DrawnEquations[];
  /** Mode whose numbers are drawn before anybody chooses, or both. */
  opens: "lecture" | "careful" | "both";
  /** One thing to try on its first picture. */
  first_move: FirstMove;
  /** Time stamp in the lecture; empty for a board that the lecture does not draw. */
  time_stamp: string;
  /** Id of the model that careful numbers are of. */
  model: string;
  /** Id of the machine that careful numbers are of. */
  machine: string;
  /** Whether any careful number is of a model or a machine. */
  takes_facts: boolean;
  /** Whether any of them is of the model. */
  has_model: boolean;
  /** Reason for another model than the other boards', in a few words; empty for theirs. */
  why_model: string;
  /** Controls that the board has. */
  controls: Control[];
  /** Names of the controls that move each of its pictures, first what moves its bold lines farthest. */
  view_controls: string[][];
  /** Claims that the lecture makes on it, with their verdicts. */
  claims: Claim[];
  /** Exercises on the board. */
  exercises: Question[];
  /** Sentences of the walk's steps on it about the numbers that they do not open in, by id; none where a step says nothing else. */
  others: Record<string, string>;
  /** Numbers of chips in which the machine is rented; empty where chips have no memory to fill. */
  chip_counts: number[];
  /** Chips of a scale-up domain of the machine. */
  domain_chips: number;
  /** Whether the machine is rented by such domains alone, as a rack is. */
  is_rack: boolean;
}

/** A claim on a board, with the way from the lecture's number to the careful one. */
export interface Claim {
  /** Id such as "A11". */
  id: string;
  /** Time stamp in the recording. */
  time_stamp: string;
  /** Name of the board that shows it. */
  board: string;
  /** Claim in our own words. */
  claim: string;
  /** Unit of the numbers; empty for ratios and counts. */
  unit: string;
  /** The lecture's number. */
  lecture: number | null;
  /** Computed with the lecture's constants. */
  ours_lecture_mode: number | null;
  /** Computed with the catalog's facts. */
  ours_careful: number | null;
  /** Text of these three numbers. */
  texts: ClaimTexts;
  /** Verdict in a line, and the numbers apart. */
  note: Note;
  /** Source of the lecture's number. */
  lecture_number: Constant | null;
  /** Verdict of the comparison. */
  verdict: Verdict;
  /** Facts that a claim which does not reproduce contradicts; null for others. */
  contradicts: Contradicted | null;
  /** Reason for the verdict, in one line. */
  why: string;
  /** Open questions of the lecture that the claim turns on. */
  ambiguities: Ambiguity[];
  /** Subject of the careful number. */
  careful_of: string;
  /** Subject of a careful number that is no estimate of the same quantity. */
  contrast: string;
  /** Steps of one changed assumption each. */
  bridge: BridgeStep[];
}

/** A control that was turned beyond its range. */
export interface Clamped {
  /** The end of the range that it is set to, as it is typed. */
  text: string;
  /** A sentence without its full stop: what it is set to and why. */
  said: string;
}

/** A word of the texts. */
export interface Definition {
  /** Word as the page names it. */
  name: string;
  /** Meaning in one or two sentences. */
  meaning: string;
}

/** Equations of a board's formula that one of its pictures draws. */
export interface DrawnEquations {
  /** Numbers of the equations, from 0. */
  equations: number[];
  /** Letters in them, as the formula has them. */
  letters: string[];
}

/** Answer to a configuration that is dropped on the page. */
export interface Dropped {
  /** The name under which it is found. */
  model: string;
}

/** One thing to try on a board. */
export interface FirstMove {
  /** Name of the control. */
  control: string;
  /** Value that it is turned to, as it is typed. */
  text: string;
  /** Effect on the drawing, a clause without its full stop. */
  then: string;
}

/** A claim with its words and its numbers. */
export interface LedgerClaim {
  /** Id such as "A11". */
  id: string;
  /** Time in the recording, s. */
  seconds: number;
  /** Verdict of the comparison with the lecture. */
  verdict: Verdict;
  /** Facts that a claim which does not reproduce contradicts; absent for others. */
  contradicts?: Contradicted;
  /** Name of the board that shows it. */
  board: string;
  /** Time stamp such as "0:19:22". */
  time_stamp: string;
  /** Short name of a claim whose number is in the picture of the whole machine; empty for others. */
  short_name: string;
  /** Claim in our own words. */
  claim: string;
  /** Correction of a claim that does not reproduce, in one sentence; empty for others. */
  correction: string;
  /** Reason for the verdict, in one line. */
  why: string;
  /** Verdict of the claim in a line, and its numbers apart. */
  note: Note;
  /** The number with the lecture's constants over the lecture's; of a claim that needs an assumption the one by the catalog's facts, too, the farther off behind. null where one of them is missing or zero. */
  ratios: number[];
}

/** `ledger`: all claims, with their numbers and verdicts, and where in the machine some of them stand. */
export interface Ledger {
  /** Claims in the order in which they are made. */
  claims: LedgerClaim[];
  /** Parts of the machine, from one chip's memory outwards. */
  parts: MachinePart[];
  /** Shares of one chip of a GB200 rack in a decode step of DeepSeek-V3, at its balance batch. */
  chip: ChipShares;
  /** Conclusion of the lecture in a line. */
  heading: string;
  /** Conclusions, three sentences. */
  follows: string[];
  /** Ids of the claims whose correction changes a decision. */
  decisive: string[];
}

/** A part of the machine in the picture of all results. */
export interface MachinePart {
  /** Name by which the page draws it. */
  name: string;
  /** Title over its results. */
  title: string;
  /** Ids of the claims whose numbers stand there. */
  claims: string[];
}

/** An exercise. */
export interface Question {
  /** Topic and word, such as "roofline-floor". */
  id: string;
  /** Question in full. */
  question: string;
  /** Kind of number that answers it. */
  asked: string;
  /** Dimension in which the answer is written. */
  dimension: string;
  /** Position of the answer on a board's picture; null where no picture has it. */
  place: Place | null;
}

/** Reasons for which there is no answer. */
export interface RefusalDocument {
  /** Name of the first field that is refused. */
  field: string;
  /** Fault of that field, and what to write instead. */
  message: string;
  /** Fault of every field that is refused, by name. */
  wrong: Record<string, string>;
}

/** A board among all. */
export interface ShelfBoard {
  /** Name in links and on the command line. */
  name: string;
  /** Quantity that is drawn, and what it is drawn against. */
  title: string;
  /** Question that the board answers. */
  question: string;
  /** Name of its chapter. */
  chapter: string;
  /** Title of the chapter. */
  chapter_title: string;
  /** Time stamp in the lecture, such as "0:09:10"; empty for a board that the lecture does not draw. */
  time_stamp: string;
}

/** A chapter of the lecture. */
export interface ShelfChapter {
  /** Name of the chapter. */
  name: string;
  /** Title in a few words. */
  title: string;
  /** Label in one or two words. */
  label: string;
  /** Question that the chapter answers, in a sentence. */
  question: string;
  /** Time stamp of its beginning in the lecture. */
  time_stamp: string;
  /** Address of the recording at that second. */
  link: string;
  /** Names of boards, in the lecture's order. */
  boards: string[];
  /** Exercises in the order of the boards, each once. */
  exercises: ShelfExercise[];
  /** Number of steps of the walk in it. */
  steps: number;
}

/** A claim as a point on the lecture's time line: its numbers are not computed. */
export interface ShelfClaim {
  /** Id such as "A11". */
  id: string;
  /** Time in the recording, s. */
  seconds: number;
  /** Verdict of the comparison with the lecture. */
  verdict: Verdict;
  /** Facts that a claim which does not reproduce contradicts; absent for others. */
  contradicts?: Contradicted;
  /** Name of the board that shows it. */
  board: string;
}

/** `shelf`: all boards, models and machines that careful numbers can be of, and how numbers are written. */
export interface Shelf {
  /** Version of the program. */
  version: string;
  /** Boards in the lecture's order. */
  boards: ShelfBoard[];
  /** Name of the board of the first view. */
  first: string;
  /** Names of the boards to begin with. */
  featured: string[];
  /** Chapters in the lecture's order. */
  chapters: ShelfChapter[];
  /** Claims in the order in which they are made. */
  claims: ShelfClaim[];
  /** Length of the recording, in seconds. */
  end_s: number;
  /** Ids in the catalog. */
  models: string[];
  /** Ids of machines in the catalog. */
  machines: string[];
  /** Id of the model that careful numbers are of unless a board is about another. */
  model: string;
  /** Id of the machine that careful numbers are of unless a board is about another. */
  machine: string;
  /** Ids of the machines that have a rental price in the catalog. */
  priced_machines: string[];
  /** Names of these models and machines as sentences use them, by id. */
  names: Record<string, string>;
  /** How numbers of each dimension are written. */
  units: Record<string, Unit>;
  /** Pattern of a control's text that is a multiple of its mode's start; its first group is the factor. */
  times: string;
  /** Words of the texts with their meanings. */
  definitions: Definition[];
  /** Pattern of these words in a text, a group for each. */
  defined: string;
}

/** An exercise among all. */
export interface ShelfExercise {
  /** Id of the exercise. */
  exercise: string;
  /** Name of the board that it is answered on. */
  board: string;
}

/** `boards/NAME/views`: the pictures at some values of the controls. */
export interface Views {
  /** Modes that are shown; only one where both are alike. */
  modes: Mode[];
  /** Values of all controls, in base units, by mode. */
  controls: Partial<Record<Mode, Record<string, number>>>;
  /** Texts of the numbers of the formulas' letters that no control turns, by mode and letter. */
  letters: Partial<Record<Mode, Record<string, string>>>;
  /** Modes that were asked for and cannot be drawn, and why. */
  refused: Partial<Record<Mode, RefusalDocument>>;
  /** Fields that the board does not have. */
  ignored: Record<string, string>;
  /** Controls that were turned beyond their range, by name. */
  clamped: Record<string, Clamped>;
  /** Views in the modes that are shown; one where it was asked for alone. */
  views: View[];
  /** Opened chip of the board's machine, by mode; empty for a board without one. */
  opened: Partial<Record<Mode, OpenedChip>>;
  /** Fewest chips that hold what is asked, by mode; none where no number does, or no memory is filled. */
  fewest_chips: Partial<Record<Mode, number>>;
  /** Changes of a step's sentence since the step began; null where no step is asked for. */
  live: Live | null;
}

/** `exercises/ID`: the working, and the judgement of a reader's answer. */
export interface Working {
  /** Formula in words and numbers. */
  working: string;
  /** Answer as a reader reads it, with its unit. */
  answer: string;
  /** Answer in base units. */
  value: number;
  /** Whether the answer that was given is right. */
  is_right?: boolean;
  /** Answer that was given, in base units. */
  given?: number;
}
