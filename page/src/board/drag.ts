// A mark that a hand drags: the control that moves it farthest follows, so that the mark stays under the hand.

import type { Handles } from "../chart/chart";
import { even } from "../chart/frame";
import { clamp } from "../chart/numbers";
import type { Control, Mark, Mode, View, Views } from "../documents";
import { answer, board, turn, viewsAt } from "../state/store";
import { partOf, textAt } from "./knob";

type Drag = NonNullable<Handles["drag"]>;

/** Of a slider's length: a nudge that shows which way a mark goes. */
const NUDGE = 0.02;
/** Of a slider's length: what is not straight is walked, not jumped. */
const MOST_STEP = 0.06;
/** Of the axis; a mark that a nudge moves by less is not moved by that control. */
const LEAST_WAY = 0.002;

/** Of the axis; so near the hand a mark is under it. */
const NEAR = 0.005;
/** Answers after which a mark is still brought nearer to a hand that rests. */
const MOST_ANSWERS = 8;

interface Mover {
  control: Control;
  /** Of a slider's length, for the whole axis. */
  slope: number;
  /** Of a slider's length, at most so much in one answer. */
  reach: number;
}

/** For the marks of the view at a place. */
export function dragging(place: number): Drag {
  let mover: Mover | null = null;
  let rest = () => {};
  /** From where the newest answer has the mark; the answers that are on their way do not count. */
  const follow = (mark: Mark, mode: Mode, x: number, isFinal: boolean) => {
    const now = answer.value;
    const value = mover && now?.controls[mode]?.[mover.control.name];
    if (!mover || value === null || value === undefined) return;
    const { control, slope, reach } = mover;
    const at = markOf(now, place, mode, mark.name);
    const far = at ? way(at.x, x, now?.views[place]) : 0;
    const from = partOf(control, value);
    const step = Math.abs(far) < NEAR ? 0 : clamp(far * slope, -reach, reach);
    const text = textAt(control, clamp(from + step));
    if (isFinal || text !== textAt(control, from)) turn(control.name, text, isFinal);
  };
  return (mark, mode, x, _y, phase) => {
    rest();
    if (phase === "start") {
      mover = null;
      void moverOf(place, mode, mark).then((found) => {
        mover = found;
      });
    }
    follow(mark, mode, x, phase === "end");
    if (phase === "end") return;
    let left = MOST_ANSWERS + 1; // what is there already comes first
    rest = answer.subscribe(() => {
      left -= 1;
      if (left < MOST_ANSWERS && left >= 0) follow(mark, mode, x, false);
    });
  };
}

/** Far enough for the next whole number, where a control counts. */
function nudgeOf(control: Control, value: number, part: number): number {
  const way = part > 0.5 ? -1 : 1;
  const whole = control.is_whole ? Math.abs(partOf(control, value + way) - part) : 0;
  return way * Math.max(NUDGE, whole);
}

/** Of all controls the one whose nudge moves the mark farthest along the axis. */
async function moverOf(place: number, mode: Mode, mark: Mark): Promise<Mover | null> {
  const now = answer.value;
  const ways = (board.value?.controls ?? []).map(async (control): Promise<[number, Mover | null]> => {
    const value = now?.controls[mode]?.[control.name];
    if (value === undefined) return [0, null];
    const part = partOf(control, value);
    const nudge = nudgeOf(control, value, part);
    // What the source refuses moves nothing.
    const found = await viewsAt(control.name, textAt(control, part + nudge), mode).catch(() => null);
    const at = markOf(found, place, mode, mark.name);
    const moved = at ? way(mark.x, at.x, now?.views[place]) : 0;
    return [Math.abs(moved), { control, slope: nudge / moved, reach: Math.max(MOST_STEP, Math.abs(nudge)) }];
  });
  const [farthest] = (await Promise.all(ways)).sort(([one], [other]) => other - one);
  return farthest && farthest[0] >= LEAST_WAY ? farthest[1] : null;
}

function markOf(found: Views | null, place: number, mode: Mode, name: string): Mark | undefined {
  const view = found?.views[place];
  return view?.kind === "curves" ? view.pictures[mode]?.marks.find((mark) => mark.name === name) : undefined;
}

/** From one x to another, as a part of the axis. */
function way(from: number, to: number, view: View | undefined): number {
  const axis = view?.axes.x;
  if (!axis?.ends) return 0;
  const [low, high] = axis.ends;
  return (even(axis, to) - even(axis, from)) / (even(axis, high) - even(axis, low));
}
