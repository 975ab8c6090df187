// Whether a hand takes a mark that is read out of the frame along: another frame is asked for then, see `askPictures`.

import type { Mark, Views } from "../documents";
import { placeIn } from "./frames";

/** Of the axis along: a mark that is nearer to an end of it is about to leave. */
const EDGE = 0.05;
/** Of how far it stood from that end in this frame: one that has stood as near has not come any nearer. */
const NEARER = 0.5;

type Parts = ReadonlyMap<string, number>;

/** The ends of a frame, as text. */
let frame = "";
/** Where marks stood when the frame was first drawn, from 0 at its left end to 1. */
let stood: Parts = new Map();

/** Another hand takes hold: marks stand where they are now. */
export function standAnew(): void {
  frame = "";
}

/** Whether a mark of those that are read stood inside the frame of an answer, and in another comes to an end of it or is gone. Of a frame that it has not seen since `standAnew` it keeps where marks stand; a frame is known by its ends. */
export function isLeaving(before: Views, found: Views, isRead: (mark: Mark) => boolean): boolean {
  const [ends, last, now] = [endsOf(before), partsOf(before, isRead), partsOf(found, isRead)];
  if (ends !== frame) [frame, stood] = [ends, last];
  return [...last.keys()].some((name) => {
    const [first, part] = [stood.get(name), now.get(name)];
    if (part === undefined) return true;
    return first !== undefined && isNear(part, first);
  });
}

function isNear(part: number, first: number): boolean {
  return part < Math.min(EDGE, NEARER * first) || 1 - part < Math.min(EDGE, NEARER * (1 - first));
}

function endsOf(one: Views): string {
  return one.views[placeIn(one)]?.axes.x.ends?.join() ?? "";
}

/** Where along the axis marks lie that are read and in the frame, of the mode that counts. */
function partsOf(one: Views, isRead: (mark: Mark) => boolean): Parts {
  const [seen, mode] = [one.views[placeIn(one)], one.modes.at(-1)];
  const picture = seen?.kind === "curves" && mode ? seen.pictures[mode] : undefined;
  const { ends, is_logarithmic } = seen?.axes.x ?? {};
  if (!picture || !ends) return new Map();
  const step = (value: number) => (is_logarithmic ? Math.log(value) : value);
  const [low, high] = [step(ends[0]), step(ends[1])];
  const all = picture.marks.filter(isRead).map(({ name, x }) => [name, (step(x) - low) / (high - low)] as const);
  return new Map(all.filter(([, part]) => part >= 0 && part <= 1));
}
