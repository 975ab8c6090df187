// Where a control stands on its slider, and which text stands for a place on it.

import { clamp } from "../chart/numbers";
import type { Control, Mode } from "../documents";
import { format } from "../state/quantity";

/** Places of a slider. */
export const STEPS = 1000;
/** Of its length, for a key, and for one with shift. */
export const KEY = { plain: 0.01, shift: 0.1 };
const DECADES = 100;
/** Things that are counted: multiples of fewer are far from whole. */
const MANY = 100;
const DIGITS = 3;
/** To either side of numbers, as a ratio; and digits of an end that lies there. */
const BESIDE = 10;
const NEAR = 2;
const ROUND = 2;

/** From 0 at the low end to 1 at the high one. */
export function partOf(control: Control, value: number): number {
  const { low, high } = control;
  const part = isLogarithmic(control) ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);
  return clamp(part);
}

/** Text with units, in so many digits; the ends exactly, since a rounded one could lie outside. */
export function textAt(control: Control, part: number, digits = DIGITS): string {
  const { low, high, dimension } = control;
  if (part <= 0) return format(low, dimension, 6);
  if (part >= 1) return format(high, dimension, 6);
  const value = valueAt(control, part);
  const near = control.is_whole ? Math.round(value) : Number(value.toPrecision(digits));
  return format(clamp(near, low, high), dimension, 6);
}

/** Where a key leads: a part of the slider farther, or to the next number that is written otherwise, whichever is more. */
export function keyed(control: Control, value: number, way: number): string {
  const part = partOf(control, value);
  const next = control.is_whole ? 1 : 10 ** (Math.floor(Math.log10(value)) - DIGITS + 1);
  const least = Math.abs(partOf(control, value + Math.sign(way) * next) - part);
  return textAt(control, clamp(part + Math.sign(way) * Math.max(Math.abs(way), least)));
}

export function valueAt(control: Control, part: number): number {
  const { low, high } = control;
  return isLogarithmic(control) ? low * (high / low) ** part : low + (high - low) * part;
}

/**
 * So many times the number that each mode starts with: both move the same way, and what lies between them stays.
 *
 * Null where that is no other than a value: both start with the same, or one has nothing, or too few things, that could be multiplied.
 */
export function timesAt(control: Control, part: number, mode: Mode, digits: number): string | null {
  const { lecture, careful, low, high } = control;
  if (!lecture || !careful || lecture === careful) return null;
  if (control.is_whole && Math.min(lecture, careful) < MANY) return null;
  const [least, most] = [low / Math.min(lecture, careful), high / Math.max(lecture, careful)];
  // Of both the first that comes to an end of the slider ends it.
  const times = clamp(valueAt(control, part) / (control[mode] ?? 1), least, most);
  const near = Number(times.toPrecision(digits));
  return `${near < least || near > most ? times : near}x`;
}

/** A control whose slider ends before its range does: it goes in the same steps. */
interface Part extends Control {
  isLogarithmic: boolean;
}

export function isLogarithmic(control: Control | Part): boolean {
  const { low, high } = control;
  return "isLogarithmic" in control ? control.isLogarithmic : low > 0 && high / low >= DECADES;
}

/**
 * Part of a control's range, of many decades: so far to either side of numbers.
 *
 * Of what is counted all: to a single chip, or a batch of one, a hand can come.
 */
export function beside(control: Control, numbers: readonly number[]): Control | Part {
  if (!isLogarithmic(control) || control.is_whole || !numbers.length) return control;
  // An end of the range that lies near is the slider's, too: it says what can be.
  const near = (end: number, own: number) => (Math.max(end / own, own / end) < NEAR ? own : Number(end.toPrecision(ROUND)));
  const low = Math.max(control.low, near(Math.min(...numbers) / BESIDE, control.low));
  const high = Math.min(control.high, near(Math.max(...numbers) * BESIDE, control.high));
  return { ...control, low, high, isLogarithmic: true };
}
