// Of two answers what lies between them, for the moment until the answer itself is there.

import { identities } from "../chart/identity";
import { mixed } from "../chart/numbers";
import type { Views } from "../documents";

/** What is a place on a picture: it moves, be it whole or not. */
const PLACES = new Set(["x", "y", "high"]);
const NUMBER = /\d[\d,]*(?:\.\d+)?/g;

const LEAST_DIGITS = 3;

/** Which part of the way is behind, and whether it goes in ratios. */
interface Way {
  part: number;
  isInRatios: boolean;
}

/** At a part of the way from one answer to another, where a control has a value; null where the large picture is no curves. */
export function between(from: Views, to: Views, way: Way, large: number, known: Record<string, number>): Views | null {
  const [one, other] = [from.views[large], to.views[large]];
  if (one?.kind !== "curves" || other?.kind !== "curves" || from.modes.join() !== to.modes.join()) return null;
  const near = way.part < 0.5 ? from : to;
  const seen = mixedOf({ ...one, axes: null }, { ...other, axes: null }, way, "") as object;
  const controls: Views["controls"] = {};
  for (const mode of near.modes) controls[mode] = { ...near.controls[mode], ...known };
  const of = <Name extends keyof Views>(name: Name) => mixedOf(from[name], to[name], way, "") as Views[Name];
  return {
    ...near,
    controls,
    views: near.views.map((view, place) => (place === large ? ({ ...view, ...seen, axes: view.axes } as typeof view) : view)),
    letters: of("letters"),
    opened: of("opened"),
    live: of("live"),
  };
}

function mixedOf(from: unknown, to: unknown, way: Way, name: string): unknown {
  const near = way.part < 0.5 ? from : to;
  if (typeof from === "number" && typeof to === "number")
    return PLACES.has(name) || !(Number.isInteger(from) && Number.isInteger(to)) ? numberAt(from, to, way) : near;
  if (typeof from === "string" && typeof to === "string") return textAt(from, to, way);
  if (Array.isArray(from) && Array.isArray(to)) return listOf(from, to, way, name);
  if (isRecord(from) && isRecord(to)) {
    const [base, other] = near === from ? [from, to] : [to, from];
    return Object.fromEntries(
      Object.entries(base).map(([key, value]) => {
        if (!(key in other)) return [key, value];
        return [key, mixedOf(from[key], to[key], way, key)];
      }),
    );
  }
  return near;
}

/** Things are known by their names, else by their places; rows of numbers that are as long go on together. */
function listOf(from: unknown[], to: unknown[], way: Way, name: string): unknown[] {
  const [near, far] = way.part < 0.5 ? [from, to] : [to, from];
  if (near.every(isNamed) && far.every(isNamed)) {
    const [keys, others] = [near, far].map((all) => identities(all.map((one) => one.name))) as [string[], string[]];
    return near.map((one, place) => {
      const partner = far[others.indexOf(keys[place] ?? "")] ?? (near.length === far.length ? far[place] : undefined);
      if (!partner) return one;
      return near === from ? mixedOf(one, partner, way, "") : mixedOf(partner, one, way, "");
    });
  }
  if (near.length !== far.length) return near;
  const isWhole = !PLACES.has(name) && [...near, ...far].every(Number.isInteger);
  return isWhole ? near : near.map((_, place) => mixedOf(from[place], to[place], way, name));
}

/** In ratios where the slider is: of a power of what is turned that is exact. */
function numberAt(from: number, to: number, { part, isInRatios }: Way): number {
  return isInRatios && from > 0 && to > 0 ? from * (to / from) ** part : mixed(from, to, part);
}

/** Words with the numbers that lie between, where nothing else differs; else those that are nearer. */
function textAt(from: string, to: string, way: Way): string {
  const near = way.part < 0.5 ? from : to;
  if (from === to || from.replace(NUMBER, "0") !== to.replace(NUMBER, "0")) return near;
  const [before, after] = [from, to].map((text) => [...text.matchAll(NUMBER)].map(([one]) => one));
  let place = -1;
  return near.replace(NUMBER, (written) => {
    place += 1;
    const both = [before?.[place] ?? written, after?.[place] ?? written];
    const [low = 0, high = 0] = both.map((one) => Number(one.replaceAll(",", "")));
    const decimals = both.map((one) => one.split(".")[1]?.length ?? 0);
    // No more digits than answers have, which say 66,700.
    const digits = Math.max(LEAST_DIGITS, ...both.map(digitsOf));
    return Number(numberAt(low, high, way).toPrecision(digits)).toLocaleString("en-US", {
      minimumFractionDigits: Math.min(...decimals),
      maximumFractionDigits: Math.max(...decimals),
      useGrouping: written.includes(","),
    });
  });
}

/** Without noughts at its ends, which may have come by rounding. */
function digitsOf(written: string): number {
  return written.replace(/[,.]|0+$|^[0.]+/g, "").length;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isNamed(value: unknown): value is { name: string } {
  return isRecord(value) && typeof value["name"] === "string";
}
