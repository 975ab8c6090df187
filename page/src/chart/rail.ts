// The rail above a plot: rows of labels, each joined by a leader to its mark. Rows, order and sides are chosen at rest and
// held while marks move; where in its row a label stands then follows from where the marks are, without jumps.

import { apart } from "./apart";
import { LINE } from "./measure";
import { at, clamp, mixed } from "./numbers";

/** What a label needs: where its mark is along the plot, and how large its words are. */
export interface Wanted {
  x: number;
  width: number;
  height: number;
  /** Whether others give way to it where there is not room for all. */
  weight: number;
  /** From 0 to 1, how much of it is there: room is made for what comes, and closes behind what goes, bit by bit. */
  presence?: number;
}

/** Where a label belongs: in which row from the plot up, and which part of it lies left of its leader. */
export interface Seat {
  row: number;
  side: number;
}

/** In pixels along the plot, how far labels may reach, and how far leaders: not over the numbers beside the plot. */
export interface Reach {
  low: number;
  high: number;
  from: number;
  to: number;
}

export interface Arrangement {
  /** By place in what was wanted; null of one that found no room. */
  seats: (Seat | null)[];
  /** Places in what was wanted, from left to right. */
  order: number[];
}

export interface Placed {
  /** Of the leader's upper end, by place in what was wanted; NaN of one without a seat. */
  x: number[];
  /** Heights of the rows, from the plot up. */
  rows: number[];
}

/** Of the whole height, at most for labels of marks. */
const RAIL_PART = 0.3;
const MOST_ROWS = 3;
const NARROW_RAIL_PART = 0.12;
/** Of the whole height; where less is left the rail has one row. */
const LEAST_PLOT_PART = 0.36;
/** In pixels: a rail of one row, and a plot that is worth one. */
const ONE_ROW = 34;
const LEAST_PLOT = 60;
/** Between labels of a row. */
const GAP = 14;
/** Between a label and a leader that passes it. */
const PASS = 6;
const SIDES = [0.5, 0, 1];
/** What a row costs, in pixels that a label may stand aside for less. */
const ROW_COST = 26;
const SIDE_COST = 4;
const ROUNDS = 2;

/** Where leaders begin, for labels as seated; null where they do not fit between the edges. */
export function settle(wanted: readonly Wanted[], { seats, order }: Arrangement, reach: Reach): number[] | null {
  const { low, high, from, to } = reach;
  const seated = order.filter((place) => seats[place]);
  const all = seated.map((place) => ({ ...at(wanted, place), ...(at(seats, place) as Seat) }));
  const before = (one: { width: number; side: number }) => one.width * one.side;
  const after = (one: { width: number; side: number }) => one.width * (1 - one.side);
  const there = (one: Wanted) => one.presence ?? 1;
  const found = apart(
    all.map((one) => one.x),
    all.map((one) => Math.max(from, low + there(one) * before(one))),
    all.map((one) => Math.min(to, high - there(one) * after(one))),
    (i, j) => {
      const [one, other] = [at(all, i), at(all, j)];
      const beside = one.row > other.row ? PASS + before(other) : after(one) + PASS;
      const least = one.row === other.row ? after(one) + GAP + before(other) : beside;
      // What is not there holds nothing back: not even their order.
      return mixed(low - high, least, Math.min(there(one), there(other)));
    },
  );
  if (!found) return null;
  const x = wanted.map(() => Number.NaN);
  seated.forEach((place, which) => {
    x[place] = at(found, which);
  });
  return x;
}

export function rowHeights(wanted: readonly Wanted[], { seats }: Arrangement): number[] {
  const rows: number[] = [];
  seats.forEach((seat, place) => {
    if (seat) rows[seat.row] = Math.max(rows[seat.row] ?? 0, at(wanted, place).height);
  });
  return Array.from(rows, (height) => height ?? 0);
}

/** Seats for all that have room within a height, near their marks and in few rows. */
export function arrange(wanted: readonly Wanted[], reach: Reach, tallest: number): Arrangement {
  const order = wanted.map((_, place) => place).sort((a, b) => at(wanted, a).x - at(wanted, b).x);
  const held: Arrangement = { seats: wanted.map(() => null), order };
  const first = [...order].sort((a, b) => at(wanted, b).weight - at(wanted, a).weight);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const place of first) {
      held.seats[place] = null;
      held.seats[place] = bestSeat(wanted, held, place, reach, tallest);
    }
  return held;
}

/** A seat for one label, the others staying in theirs; null where it finds none. */
export function bestSeat(
  wanted: readonly Wanted[],
  held: Arrangement,
  place: number,
  reach: Reach,
  tallest: number,
): Seat | null {
  let best: Seat | null = null;
  let least = Infinity;
  const rows = held.seats.reduce((most, seat) => Math.max(most, seat ? seat.row + 1 : 0), 0);
  for (let row = 0; row <= rows; row += 1)
    for (const side of SIDES) {
      const seats = [...held.seats];
      seats[place] = { row, side };
      const cost = costOf(wanted, { seats, order: held.order }, reach, tallest);
      if (cost < least) [best, least] = [{ row, side }, cost];
    }
  return best;
}

function costOf(wanted: readonly Wanted[], held: Arrangement, reach: Reach, tallest: number): number {
  const heights = rowHeights(wanted, held);
  if (heights.reduce((sum, height) => sum + height, 0) > tallest) return Infinity;
  const x = settle(wanted, held, reach);
  if (!x) return Infinity;
  let cost = heights.length * ROW_COST;
  held.seats.forEach((seat, place) => {
    if (!seat) return;
    cost += Math.abs(at(x, place) - clamp(at(wanted, place).x, reach.from, reach.to));
    if (seat.side !== 0.5) cost += SIDE_COST;
  });
  return cost;
}

/** How far the farthest leader would lean, if all stayed in their seats. */
export function lean(wanted: readonly Wanted[], held: Arrangement, reach: Reach): number {
  const x = settle(wanted, held, reach);
  if (!x || held.seats.some((seat) => !seat)) return Infinity;
  return Math.max(0, ...x.map((place, which) => Math.abs(place - at(wanted, which).x)));
}

/** How high a rail may be over a plot of a height in a whole of another. */
export function railHeight(plot: number, whole: number, isNarrow: boolean): number {
  const tallest = Math.max(2 * LINE, Math.min(MOST_ROWS * LINE, (isNarrow ? NARROW_RAIL_PART : RAIL_PART) * whole));
  // Where there is hardly room for the plot labels have one row, or none: the pointer says what they would.
  if (plot - ONE_ROW < LEAST_PLOT) return 0;
  return plot - tallest < LEAST_PLOT_PART * whole ? LINE : tallest;
}
