// Whether a hand takes a mark that is read out of the frame along: another frame is asked for then, see `askPictures`.

import type { Mark, Views } from "../documents";
import { placeIn } from "./frames";

/** Of the axis along: a mark that is nearer to an end of it is about to leave. */
const EDGE = 0.05;
/** Of how far it stood from that end in this frame: one that has stood as near has not come any nearer. */
const NEARER = 0.5;

/** Where marks stand along, by their names. */
export type Places = ReadonlyMap<string, number>;

/** Whether a mark of those that are read stood inside the frame of an answer, and in another comes nearer to an end of it than where it stood at first, or is gone. */
export function isLeaving(stood: Places, before: Views, found: Views, isRead: (mark: Mark) => boolean): boolean {
  const [was, part, now] = [partsIn(before), partsIn(found), placesOf(found, isRead)];
  return [...placesOf(before, isRead)].some(([name, x]) => {
    if (!isInside(was(x))) return false;
    const [first, last] = [part(stood.get(name)), part(now.get(name))];
    return !isInside(last) || (isInside(first) && isNear(last, first));
  });
}

/** Of an answer the marks along, in the mode that counts. */
export function placesOf(one: Views | null, isRead: (mark: Mark) => boolean = () => true): Places {
  const [seen, mode] = [one?.views[placeIn(one)], one?.modes.at(-1)];
  const marks = seen?.kind === "curves" && mode ? (seen.pictures[mode]?.marks ?? []) : [];
  return new Map(marks.filter(isRead).map(({ name, x }) => [name, x]));
}

function isNear(part: number, first: number): boolean {
  return part < Math.min(EDGE, NEARER * first) || 1 - part < Math.min(EDGE, NEARER * (1 - first));
}

function isInside(part: number): boolean {
  return part >= 0 && part <= 1;
}

/** As a part of the axis along, from 0 at its left end to 1; NaN of what is not there. */
function partsIn(one: Views): (x?: number) => number {
  const { ends: [low, high] = [Number.NaN, Number.NaN], is_logarithmic } = one.views[placeIn(one)]?.axes.x ?? {};
  const step = (value: number) => (is_logarithmic ? Math.log(value) : value);
  return (x = Number.NaN) => (step(x) - step(low)) / (step(high) - step(low));
}
