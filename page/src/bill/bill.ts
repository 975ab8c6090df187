// What the bold line of a picture is paid for at a place, in shares of it.

import { even } from "../chart/frame";
import { along, at } from "../chart/numbers";
import type { Axis, Colour, Curves } from "../documents";

export interface Share {
  name: string;
  colour: Colour;
  /** Of what is paid. */
  part: number;
}

export interface Bill {
  /** What is paid, as the bold line has it. */
  total: number;
  parts: Share[];
  /** What is had meanwhile and costs nothing more: each a smaller sum. */
  beside: Share[][];
}

/** At a place along; null where the picture has no bill, or does not reach. */
export function billAt({ x: xs, bill }: Curves, x: number): Bill | null {
  if (!bill.length || !xs.length || x < at(xs, 0) || x > at(xs, xs.length - 1)) return null;
  return largest(bill.map((side) => side.map(({ name, colour, y }) => ({ name, colour, part: along(xs, y)(x) }))));
}

/** Of sums the largest is paid. */
function largest(sides: Share[][]): Bill {
  const totals = sides.map((side) => side.reduce((sum, { part }) => sum + part, 0));
  const total = Math.max(...totals);
  const paid = totals.indexOf(total);
  const shares = sides.map((side) => side.map((one) => ({ ...one, part: one.part / total })));
  return { total, parts: at(shares, paid), beside: shares.filter((_, which) => which !== paid) };
}

/** A part of the bill over all of the axis, as a band: corners as CSS has them, in percents of the track. */
export interface Band {
  name: string;
  colour: Colour;
  corners: string;
}

/** Bands from the top down, of what is paid at each place between the axis's ends. */
export function bands({ x: xs, bill }: Curves, axis: Axis): Band[] {
  const [low, high] = (axis.ends ?? [at(xs, 0), at(xs, xs.length - 1)]).map((end) => even(axis, end)) as [number, number];
  const places = xs.map((x) => (100 * (even(axis, x) - low)) / (high - low));
  const names = bill.flat();
  const edges: [above: number[], below: number[]][] = names.map(() => [[], []]);
  xs.forEach((_, place) => {
    const { parts } = largest(bill.map((side) => side.map(({ name, colour, y }) => ({ name, colour, part: at(y, place) }))));
    let height = 0;
    names.forEach(({ name }, which) => {
      const [above, below] = at(edges, which);
      above.push(height);
      height += parts.find((one) => one.name === name)?.part ?? 0;
      below.push(height);
    });
  });
  return names.map(({ name, colour }, which) => {
    const [above, below] = at(edges, which);
    const point = (edge: number[], place: number) => `${at(places, place).toFixed(2)}% ${(100 * at(edge, place)).toFixed(2)}%`;
    const there = xs.map((_, place) => point(above, place));
    const back = xs.map((_, place) => point(below, place)).reverse();
    return { name, colour, corners: [...there, ...back].join() };
  });
}

/** Each with the sum of those before it. */
export function placed(shares: readonly Share[]): { share: Share; from: number }[] {
  let sum = 0;
  return shares.map((share) => {
    const from = sum;
    sum += share.part;
    return { share, from };
  });
}

/** A share as people read it. */
export function percent(part: number): string {
  const whole = Math.round(100 * part);
  if (whole === 0 && part > 0) return "<1 %";
  // What is nearly all is not all.
  return whole === 100 && part < 1 - 1e-9 ? ">99 %" : `${whole} %`;
}

/** For whoever does not see it: "weight fetch 71 %, KV fetch 29 %; meanwhile compute 12 %". */
export function spoken({ parts, beside }: Bill): string {
  const list = (shares: Share[]) => shares.map(({ name, part }) => `${name} ${percent(part)}`).join(", ");
  return [list(parts), ...beside.map((side) => `meanwhile ${list(side)}`)].join("; ");
}
