// Numbers as text, by the table that the server sends: the same text as on the command line.

import type { Unit } from "./api";

let units: Record<string, Unit> = {};

export function learn(table: Record<string, Unit>): void {
  units = table;
}

export function format(value: number, dimension: string, digits = 3): string {
  const unit = units[dimension];
  if (!unit) return precise(value, digits);
  const scaled = Number((value * unit.factor).toPrecision(digits));
  const last = unit.prefixes[unit.prefixes.length - 1]!;
  const [prefix, scale] = unit.prefixes.find(([, least]) => Math.abs(scaled) >= least) ?? (scaled ? last : ["", 1]);
  return unit.written.replace("{number}", precise(scaled / scale, digits)).replace("{prefix}", prefix);
}

/** A number to so many digits, without an exponent while it stays short. */
function precise(value: number, digits: number): string {
  const size = Math.abs(value);
  const rounded = Number(value.toPrecision(digits));
  if (!rounded) return "0";
  const exponent = Math.floor(Math.log10(Math.abs(rounded)));
  if (exponent >= -4 && exponent < digits) return String(rounded);
  if (size >= 1 && size < 1e9) return rounded.toLocaleString("en-US", { maximumFractionDigits: 0 });
  if (size > 1e-5 && size < 1) return value.toFixed(digits + 4).replace(/0+$/, "");
  const [mantissa, power] = rounded.toExponential().split("e") as [string, string];
  const sign = power.startsWith("-") ? "-" : "+";
  return `${mantissa}e${sign}${power.replace(/[+-]/, "").padStart(2, "0")}`;
}
