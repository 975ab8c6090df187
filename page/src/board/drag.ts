// A mark that a hand drags: the control that moves it farthest follows, so that the mark stays under the hand.

import { effect } from "@preact/signals";

import type { Handles } from "../chart/chart";
import { even } from "../chart/frame";
import type { Axis, Control, Mark, Mode, Views } from "../documents";
import { busily } from "../state/asking";
import { answer, board, held, isBusy, shown, turn, viewsAt } from "../state/store";
import { partOf, textAt, timesAt } from "./knob";
import { Search } from "./search";

type Drag = NonNullable<Handles["drag"]>;

/** Of a slider's length: a nudge that shows which way a mark goes. */
const NUDGE = 0.02;
/** Of a slider's length: what is not straight is walked, not jumped. */
const MOST_STEP = 0.06;
/** Of the axis; a mark that a nudge moves by less is not moved by that control. */
const LEAST_WAY = 0.002;

/** Of the axis; so near the hand a mark is under it. */
const NEAR = 0.001;
/** Answers after which a mark is still brought nearer to a hand that rests, or has let go. */
const MOST_ANSWERS = 12;
/** Finer than a slider's numbers: a mark lies where the hand has it. */
const DIGITS = 4;

/** For the marks of the view at a place. */
export function dragging(place: number): Drag {
  let grip: Grip | null = null;
  return (mark, mode, x, _y, phase) => {
    if (phase === "start") {
      grip?.leave();
      grip = new Grip(place, mode, mark);
    }
    grip?.to(x, phase === "end");
  };
}

interface Mover {
  control: Control;
  search: Search;
}

/**
 * On one mark, from when a hand takes hold of it until it lies where the hand let go.
 *
 * Each answer says where the mark lies for where its control stands. Asked for is what lies under the hand by all that they
 * said, until one does, or nothing new is learnt; then the nearest of them.
 */
class Grip {
  private readonly board = board.value;
  private mover: Mover | null = null;
  /** Where the hand is: where it was before counts no more. */
  private target: number;
  private isLetGo = false;
  /** What was asked for last. */
  private asked = "";
  private left = MOST_ANSWERS;
  private readonly rests: (() => void)[];

  constructor(
    private readonly place: number,
    private readonly mode: Mode,
    private readonly mark: Mark,
  ) {
    this.target = mark.x;
    this.rests = [
      answer.subscribe(() => {
        this.left -= 1;
        this.follow();
      }),
      // What is refused has no answer.
      effect(() => {
        if (!isBusy.value && this.isLetGo && this.mover) queueMicrotask(() => this.end(this.mover));
      }),
    ];
    // What this comes to is asked for before the search counts as done.
    void busily(async () => {
      this.mover = await moverOf(place, mode, mark);
      if (this.mover) this.follow();
      else this.leave();
    });
  }

  to(x: number, isLast: boolean): void {
    if (x !== this.target || isLast) this.left = MOST_ANSWERS;
    this.target = x;
    this.isLetGo ||= isLast;
    this.follow();
  }

  /** From what the newest answer has; answers that are on their way do not count. */
  private follow(): void {
    const { mover } = this;
    if (board.value !== this.board || (mover && held.value && held.value !== mover.control.name)) this.leave();
    const now = answer.value;
    const mode = this.modeIn(now);
    const here = mover && this.rests.length ? standsAt(mover.control, now, mode) : null;
    const axis = now?.views[this.place]?.axes.x;
    if (!mover || here === null || !axis) return;
    const { control, search } = mover;
    const at = markOf(now, this.place, mode, this.mark.name);
    search.learn(here, at ? even(axis, at.x) : null);
    const next = this.textAt(control, search.part(even(axis, this.target), this.left > 0 ? NEAR * lengthOf(axis) : Infinity));
    const text = this.textAt(control, here);
    if (next !== (this.asked || text)) {
      this.asked = next;
      turn(control.name, next, false, true);
    } else if (this.isLetGo && next === text) this.end(mover);
  }

  /** What the newest answer has is what the address says from now on. */
  private end(mover: Mover | null): void {
    const here = mover && this.rests.length ? standsAt(mover.control, answer.value, this.modeIn(answer.value)) : null;
    this.leave();
    if (mover && here !== null && held.value === mover.control.name)
      turn(mover.control.name, this.textAt(mover.control, here), true, true);
  }

  /** Its mode; where both have come to the same numbers, and are one picture, the one that is left. */
  private modeIn(found: Views | null): Mode {
    return found?.modes.includes(this.mode) ? this.mode : (found?.modes[0] ?? this.mode);
  }

  /** Who drags a mark of one mode moves its numbers: the other's by the same part of its own. */
  private textAt(control: Control, part: number): string {
    const times = shown.value === "both" ? timesAt(control, part, this.mode, DIGITS) : null;
    return times ?? textAt(control, part, DIGITS);
  }

  leave(): void {
    for (const rest of this.rests.splice(0)) rest();
  }
}

/** Where an answer has a control, of its slider's length. */
function standsAt(control: Control, found: Views | null, mode: Mode): number | null {
  const value = found?.controls[mode]?.[control.name];
  return value === undefined ? null : partOf(control, value);
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
  const axis = now?.views[place]?.axes.x;
  const ways = (board.value?.controls ?? []).map(async (control): Promise<[number, Mover | null]> => {
    const value = now?.controls[mode]?.[control.name];
    if (value === undefined || !axis) return [0, null];
    const part = partOf(control, value);
    const nudge = nudgeOf(control, value, part);
    // What the source refuses moves nothing.
    const found = await viewsAt(control.name, textAt(control, part + nudge), mode).catch(() => null);
    const at = markOf(found, place, mode, mark.name);
    const nudged = standsAt(control, found, mode);
    if (!at || nudged === null || !axis.ends) return [0, null];
    const [from, to] = [even(axis, mark.x), even(axis, at.x)];
    if (from === to) return [0, null];
    const search = new Search((nudged - part) / (to - from), Math.max(MOST_STEP, Math.abs(nudge)));
    search.learn(part, from);
    search.learn(nudged, to);
    return [Math.abs(to - from) / lengthOf(axis), { control, search }];
  });
  const [farthest] = (await Promise.all(ways)).sort(([one], [other]) => other - one);
  return farthest && farthest[0] >= LEAST_WAY ? farthest[1] : null;
}

function markOf(found: Views | null, place: number, mode: Mode, name: string): Mark | undefined {
  const view = found?.views[place];
  return view?.kind === "curves" ? view.pictures[mode]?.marks.find((mark) => mark.name === name) : undefined;
}

/** Of an axis, in even steps. */
function lengthOf(axis: Axis): number {
  const [low, high] = axis.ends ?? [0, 0];
  return even(axis, high) - even(axis, low);
}
