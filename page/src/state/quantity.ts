// Numbers as text, by the table that the server sends: the same text as on the command line.

import { signal } from "@preact/signals";

import type { Unit } from "../documents";

/** How numbers of each dimension are written; empty until the shelf has come. */
export const units = signal<Record<string, Unit>>({});

/** So many times what a mode starts with, as an address has it; the same pattern as where it is read. */
export const times = signal(/^$/);

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
  return unit.written.replace("{number}", precise(scaled / scale, digits, unit.is_grouped)).replace("{prefix}", prefix);
}

/** The number that such text stands for; null where it is written otherwise, as only whoever answers can read it. */
export function parsed(text: string, dimension: string): number | null {
  const unit = units.value[dimension];
  if (!unit) return null;
  const quoted = (part: string) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll(" ", " ?");
  const [before = "", behind = ""] = unit.written.replace("{prefix}", "\n").split("{number}").map(quoted);
  const prefixes = unit.prefixes.map(([prefix]) => prefix).join("|");
  const whole = new RegExp(`^${before}(-?[\\d,]*\\.?\\d+)${behind.replace("\n", `(${prefixes})`)}$`);
  const [, digits, prefix = ""] = whole.exec(text.trim()) ?? [];
  const scale = unit.prefixes.find(([one]) => one === prefix)?.[1];
  return digits === undefined || scale === undefined ? null : (Number(digits.replaceAll(",", "")) * scale) / unit.factor;
}

/** Numbers below and from there on are written with a power of ten. */
const [LEAST_PLAIN, LEAST_WITH_POWER] = [1e-5, 1e9];
const SUPERSCRIPTS: Record<string, string> = Object.fromEntries(
  [..."-0123456789"].map((plain, at) => [plain, "⁻⁰¹²³⁴⁵⁶⁷⁸⁹".charAt(at)]),
);

/** Where a comma goes into a whole number. */
const THOUSANDS = /\B(?=(?:\d{3})+$)/g;

/** A number to so many digits, as people read it. */
function precise(value: number, digits: number, isGrouped = true): string {
  const near = rounded(value, digits);
  if (!near) return "0";
  const size = Math.abs(near);
  if (size === Number.POSITIVE_INFINITY) return near > 0 ? "∞" : "-∞";
  if (size < LEAST_PLAIN || size >= LEAST_WITH_POWER) {
    const [mantissa, power] = near.toExponential().split("e") as [string, string];
    const raised = `10${[...String(Number(power))].map((digit) => SUPERSCRIPTS[digit]).join("")}`;
    return mantissa === "1" ? raised : `${mantissa} × ${raised}`;
  }
  // Between those two its own text has no power; a browser's formatter takes ten times as long.
  const [whole = "", ...part] = String(near).split(".");
  return [isGrouped ? whole.replace(THOUSANDS, ",") : whole, ...part].join(".");
}

const EXACT_DIGITS = 100;

/** To so many digits; what lies in the middle goes to the even one, as in Python. */
function rounded(value: number, digits: number): number {
  // What lies in the middle is written with one digit more, a five; of others nobody asks for all digits, which takes longer.
  const short = value.toExponential().split("e")[0] ?? "";
  if (!short.endsWith("5") || short.replace(/\D/g, "").length !== digits + 1) return Number(value.toPrecision(digits));
  const [mantissa, power] = value.toExponential(EXACT_DIGITS).split("e") as [string, string];
  const [kept, cut] = [mantissa.slice(0, mantissa.indexOf(".") + digits), mantissa.slice(mantissa.indexOf(".") + digits)];
  const isEven = "02468".includes(kept.replace(".", "").slice(-1));
  return /^50*$/.test(cut) && isEven ? Number(`${kept}e${power}`) : Number(value.toPrecision(digits));
}
