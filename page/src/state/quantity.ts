// Numbers as text, by the table that the server sends: the same text as on the command line.

import { signal } from "@preact/signals";

import type { Unit } from "../documents";

/** How numbers of each dimension are written; empty until the shelf has come. */
export const units = signal<Record<string, Unit>>({});

/** A number with its unit, in so many digits or as many as its dimension asks for. */
export function format(value: number, dimension: string, asked = 3): string {
  const unit = units.value[dimension];
  if (!unit) return precise(value, asked);
  const digits = Math.max(asked, unit.least_digits);
  const scaled = value * unit.factor;
  const last = unit.prefixes.at(-1) ?? ["", 1];
  // Rounded under each prefix anew: what is rounded in seconds would be rounded again in days.
  const fits = ([, least]: [string, number]) => Math.abs(rounded(scaled / least, digits)) >= 1;
  const [prefix, scale] = unit.prefixes.find(fits) ?? (scaled ? last : ["", 1]);
  return unit.written.replace("{number}", precise(scaled / scale, digits)).replace("{prefix}", prefix);
}

/** A number to so many digits, without an exponent while it stays short. */
function precise(value: number, digits: number): string {
  const size = Math.abs(value);
  const near = rounded(value, digits);
  if (!near) return "0";
  const exponent = Number(near.toExponential().split("e")[1]);
  if (exponent >= -4 && exponent < digits) return String(near);
  if (size >= 1 && size < 1e9) return near.toLocaleString("en-US", { maximumFractionDigits: 0 });
  if (size > 1e-5 && size < 1) return value.toFixed(digits + 4).replace(/0+$/, "");
  const [mantissa, power] = near.toExponential().split("e") as [string, string];
  const sign = power.startsWith("-") ? "-" : "+";
  return `${mantissa}e${sign}${power.replace(/[+-]/, "").padStart(2, "0")}`;
}

const EXACT_DIGITS = 100;

/** To so many digits; what lies in the middle goes to the even one, as in Python. */
function rounded(value: number, digits: number): number {
  const [mantissa, power] = value.toExponential(EXACT_DIGITS).split("e") as [string, string];
  const [kept, cut] = [mantissa.slice(0, mantissa.indexOf(".") + digits), mantissa.slice(mantissa.indexOf(".") + digits)];
  const isEven = "02468".includes(kept.replace(".", "").slice(-1));
  return /^50*$/.test(cut) && isEven ? Number(`${kept}e${power}`) : Number(value.toPrecision(digits));
}
