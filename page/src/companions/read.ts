// What a drawing beside a chart is of, and where along the chart it is read.

import { signal } from "@preact/signals";

import { clamp, heightAt } from "../chart/numbers";
import type { Axes, Companion, Curves } from "../documents";

export interface Accompanied {
  curves: Curves;
  companion: Companion;
  axes: Axes;
  /** Whose numbers they are, where that has to be said. */
  whose: string;
  /** Name of the line that is asked for, of which nothing may be seen; empty where nothing is asked. */
  asked: string;
  /** Names of the lines that are seen all the same; null for all but that one. */
  known?: readonly string[] | null;
  /** What was guessed of it, while that is asked and where it is read there; null where nothing was. */
  guess?: number | null;
  /** The dot of the chart that is pointed at. */
  dot?: Pointed | null;
}

export interface Pointed {
  fullName: string;
  group: string;
  y: number;
}

/** The dot that a hand points at. */
export const dotPointed = signal<Pointed | null>(null);

/** Where along the picture it has come to while it is played; null once it is where it is read. */
export const passing = signal<number | null>(null);

/** By a field that no other has: those of which all stands there, wherever the chart is read. */
const WHOLE = ["groups", "accounts", "readers", "generations", "multiplied", "between", "count", "held_experts", "moments"];
/** Those that wait for the answer: of all others what is known is seen beside a question. */
const WAITING = ["accounts", "layers", "multiplied", "moments", "balance_batches"];

function isOf(fields: readonly string[], companion: Companion): boolean {
  return fields.some((field) => field in companion);
}

/** Whether it is read at one place along. */
export function isRead(companion: Companion): boolean {
  return !isOf(WHOLE, companion);
}

/** Whether what is known of it is seen beside a question. */
export function isSeenAsked(companion: Companion): boolean {
  return !isOf(WAITING, companion);
}

/** The nearest place along that curves have: where a chart is read may for a moment still be that of the curves before. */
export function within({ x: xs }: Curves, x: number): number {
  return clamp(x, xs[0] ?? x, xs.at(-1) ?? x);
}

/** How high a line lies at a place, null where it has no such line, or does not reach. */
export function costOf({ x: xs, lines }: Curves, name: string, x: number): number | null {
  const line = lines.find((one) => one.name === name);
  return line ? heightAt(xs, line.y, x) : null;
}
