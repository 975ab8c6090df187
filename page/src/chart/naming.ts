// What is named beside the plot: lines where the careful one ends, or the only one, and groups of dots; with how far the
// modes are apart there, or a line from what it was.

import type { Axis, CurvesView, Mode } from "../documents";
import { MODE_WORDS } from "../state/modes";
import { type Ends, evenEnds, uneven } from "./frame";
import { identities, keyOf } from "./identity";
import type { Lines } from "./lines";
import type { Named } from "./name";
import { at } from "./numbers";
import { ALIKE, compared } from "./ratio";
import type { Stroke } from "./stroke";

/** Of the height of a linear frame: what is lower is next to nothing, and nothing is compared with it. */
const LEAST_HEIGHT = 0.02;
/** Of the frame's height: nearer ends of both modes' lines have one name. */
const LEAST_APART = 0.03;

export interface Naming {
  view: CurvesView;
  modes: readonly Mode[];
  lines: Lines;
  /** Keys of lines whose names stand above the plot. */
  leaving: ReadonlySet<string>;
  isHidden: (line: string) => boolean;
  /** Whether an answer will bring a hidden line: its name has its place, so that no other moves when it comes. */
  isComing: (line: string) => boolean;
  /** Whether a mark says how far the modes are apart. */
  isToldByMark: boolean;
  /** Ends of the frame at rest. */
  frame: Ends;
  /** Whether names stand beside the plot, and not in a key. */
  isWide: boolean;
  /** Says a height beyond the frame, while a hand holds that; null where none does. */
  beyond: ((value: number) => string) | null;
  /** Right end of the frame in even steps, at rest and as drawn. */
  lastEdge: number;
  edge: () => number;
  /** What is left of the way to what is asked for. */
  left: () => number;
}

export function named(naming: Naming): Named[] {
  const { view, modes, lines, leaving, isHidden } = naming;
  const isPair = modes.length > 1;
  const found = new Map<string, Named>();
  const plain = { isBold: false, isFloor: false, isThin: false, isGroup: false, isComing: false, gap: "", other: null };
  for (const mode of modes) {
    const { lines: all = [], dots = [] } = view.pictures[mode] ?? {};
    const keys = identities(all.map((line) => line.name));
    all.forEach(({ name, colour, is_bold: isBold, is_floor: isFloor }, place) => {
      const key = at(keys, place);
      const isLeaving = leaving.has(keyOf(mode, key));
      if (isLeaving) found.delete(key);
      const isComing = isHidden(name) && naming.isComing(name);
      if (isLeaving || (isHidden(name) && !isComing)) return;
      const isThin = isPair && mode === "lecture";
      const gap = outside(naming, mode, name) || (!isBold ? "" : isPair ? gapOf(naming, name) : change(naming, mode, name));
      const hasOther = gap && isPair && mode === "careful" && lines.of("lecture", name);
      const other = hasOther ? endOf(naming, "lecture", name) : null;
      const stroke = lines.of(mode, name);
      // Whether the line is there to be named: not before it is drawn in.
      const presence = () => (stroke?.reveal === 1 && !isComing ? 1 : 0);
      const end = endOf(naming, mode, name);
      found.set(key, { ...plain, key, name, colour, isBold, isFloor, isThin, isComing, gap, other, end, presence });
      const his = isBold && mode === "careful" && isPair ? whoseEnd(naming, name) : null;
      if (his) found.set(`his ${key}`, { ...plain, ...his, key: `his ${key}`, colour, isThin: true });
    });
    for (const { name, colour, is_named } of dots) {
      if (!is_named) continue;
      const key = `of ${name}`;
      found.set(key, { ...plain, key, name, colour, isGroup: true, end: () => Number.NaN, presence: () => 1 });
    }
  }
  // Groups of dots come after all lines.
  return [...found.values()].sort((one, other) => Number(one.isGroup) - Number(other.isGroup));
}

/** That a line is his, where the one that the board is about ends elsewhere than the careful one, and inside. */
function whoseEnd(naming: Naming, name: string): Pick<Named, "name" | "end" | "presence"> | null {
  const { lines, view, frame, isWide } = naming;
  const [his, ours] = [lines.of("lecture", name), lines.of("careful", name)];
  if (!isWide || !his || !ours || his.isGone) return null;
  const end = endOf(naming, "lecture", name);
  const [, [bottom, top]] = evenEnds(view.axes, frame);
  const isInside = end(true) >= bottom && end(true) <= top;
  const isApart = Math.abs(end(true) - endOf(naming, "careful", name)(true)) > LEAST_APART * (top - bottom);
  return isInside && isApart ? { name: MODE_WORDS.lecture, end, presence: () => (his.reveal === 1 ? 1 : 0) } : null;
}

/** How high a line ends, as drawn now or as asked for. */
function endOf({ lines, lastEdge, edge, left }: Naming, mode: Mode, name: string): Named["end"] {
  const stroke = lines.of(mode, name);
  return (isAsked) => {
    if (!stroke) return Number.NaN;
    return stroke.drawnAt(Math.min(lastOf(stroke), isAsked ? lastEdge : edge()), isAsked ? 0 : left());
  };
}

function lastOf({ course }: Stroke): number {
  return at(course.x, course.x.length - 1);
}

/** How high a line ends beyond a frame that is held: "↑ 253 ms". */
function outside({ view, lines, lastEdge, frame, beyond }: Naming, mode: Mode, name: string): string {
  const stroke = beyond && name && lines.of(mode, name);
  if (!stroke) return "";
  const end = stroke.drawnAt(Math.min(lastOf(stroke), lastEdge), 0);
  const [, [bottom, top]] = evenEnds(view.axes, frame);
  return end > top || end < bottom ? `${end > top ? "↑" : "↓"} ${beyond(uneven(view.axes.y, end))}` : "";
}

/** How far apart the modes' lines end. */
function gapOf({ view, lines, lastEdge, frame, isToldByMark }: Naming, name: string): string {
  const [lecture, careful] = (["lecture", "careful"] as const).map((mode) => lines.of(mode, name));
  if (!lecture || !careful || lecture.isGone || careful.isGone) return "";
  if (isAlike(lecture, careful, lastEdge)) return "both alike";
  const beyond = beyondOf(lecture, view, frame);
  if (beyond) return `${MODE_WORDS.lecture}: ${beyond}`;
  const { y } = view.axes;
  const edge = Math.min(lastEdge, lastOf(lecture), lastOf(careful));
  const [ours, theirs] = [uneven(y, careful.drawnAt(edge, 0)), uneven(y, lecture.drawnAt(edge, 0))];
  if (Math.abs(ours / theirs - 1) <= ALIKE) return "alike at the end";
  const ratio = isToldByMark || y.is_relative || !isSeen(y, frame.y[1], ours, theirs) ? "" : compared(ours / theirs, y);
  return ratio && `${MODE_WORDS.careful} ${ratio}`;
}

/** On which side of the frame a line lies that has no point in it; empty of all others. */
function beyondOf(stroke: Stroke, { axes }: CurvesView, frame: Ends): string {
  const [across, up] = evenEnds(axes, frame);
  if (stroke.standing(across, up, false).inside > 0) return "";
  const { x, y } = stroke.course;
  if (!x.length || at(x, x.length - 1) < across[0]) return "further left";
  if (at(x, 0) > across[1]) return "further right";
  return y.every((each) => each > up[1]) ? "above" : y.every((each) => each < up[0]) ? "below" : "outside";
}

/** How much higher a line ends than before a hand took hold. */
function change({ view, lines, lastEdge, frame }: Naming, mode: Mode, name: string): string {
  const stroke = lines.of(mode, name);
  const { y } = view.axes;
  if (!stroke || !lines.ghost.isThere || y.is_relative) return "";
  const edge = Math.min(lastOf(stroke), lastEdge);
  const [now, before] = [uneven(y, stroke.drawnAt(edge, 0)), uneven(y, lines.ghost.heightAt(stroke.key, edge))];
  if (Math.abs(now / before - 1) <= ALIKE) return "as before";
  const ratio = isSeen(y, frame.y[1], now, before) ? compared(now / before, y) : "";
  return ratio && `${ratio} than before`;
}

/** Whether two heights can both be told from nothing. */
function isSeen(axis: Axis, top: number, ...heights: [number, number]): boolean {
  return axis.is_logarithmic || Math.min(...heights) >= LEAST_HEIGHT * top;
}

/** Whether two lines run together from end to end. */
function isAlike(one: Stroke, other: Stroke, lastEdge: number): boolean {
  return one.course.x.every((x) => {
    if (x > lastEdge) return true;
    const [first, second] = [one.drawnAt(x, 0), other.drawnAt(x, 0)];
    return !Number.isFinite(second) || Math.abs(first - second) <= ALIKE * Math.max(Math.abs(first), 1e-9);
  });
}
