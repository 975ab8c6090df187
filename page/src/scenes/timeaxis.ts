// The axis of time below schedules, and the playhead that a hand takes along it.

import type { Measure } from "../chart/measure";
import { clamp } from "../chart/numbers";
import { element, put, say, tenth } from "../chart/svg";
import type { Tick } from "../documents";

const SMALL = 13;
/** Of what moves the playhead, and how near to it a hand takes it, in pixels. */
const KNOB = 7;
const NEAR = 12;
/** Below the schedules, that the axis takes. */
export const AXIS = 40;
/** Between what the axis is of and what a hand can do. */
const APART = 14;
/** Between the words of two ticks. */
const BETWEEN = 6;

interface Words {
  /** Their middle. */
  x: number;
  text: string;
  wide: number;
}

/** Words of ticks, from left to right, within two ends; of two without room between them the later are said. */
export function within(all: readonly Words[], left: number, right: number): Words[] {
  const said: Words[] = [];
  for (const words of [...all].reverse()) {
    const half = words.wide / 2;
    const x = clamp(words.x, left + half, right - half);
    const next = said[0];
    if (!next || x + half + BETWEEN <= next.x - next.wide / 2) said.unshift({ ...words, x });
  }
  return said;
}

/** Where it lies. */
export interface Lies {
  left: number;
  right: number;
  /** Where the playhead begins, and the schedules end. */
  top: number;
  bottom: number;
  x: (time: number) => number;
}

export class TimeAxis {
  readonly group = element("g");
  private readonly ticks = element("g");
  private readonly head = element("line", { stroke: "var(--ink)", "stroke-width": 1.5 });
  private readonly knob = element("circle", { r: KNOB, fill: "var(--ink)", stroke: "var(--background)", "stroke-width": 2 });
  private readonly hint = element("text", { class: "hint", "font-size": SMALL, "text-anchor": "end", fill: "var(--muted)" });
  private lies: Lies = { left: 0, right: 0, top: 0, bottom: 0, x: () => 0 };
  private place = 0;

  constructor() {
    this.group.append(this.ticks, this.hint, this.head, this.knob);
  }

  fit(lies: Lies, ticks: readonly Tick[], caption: string, hints: readonly string[], measure: Measure): void {
    this.lies = lies;
    const { left, right, top, bottom, x } = lies;
    const muted = { "font-size": SMALL, fill: "var(--muted)" };
    const words = within(
      ticks.map(({ at, text }) => ({ x: x(at), text, wide: measure(text, SMALL) })),
      left,
      right,
    );
    this.ticks.replaceChildren(
      ...ticks.map(({ at }) =>
        element("line", { x1: x(at), x2: x(at), y1: bottom + 3, y2: bottom + 8, stroke: "var(--muted)" }),
      ),
      ...words.map(({ x, text }) => element("text", { ...muted, x, y: bottom + 21, "text-anchor": "middle" }, text)),
      element("text", { ...muted, x: left, y: bottom + 36 }, `${caption} →`),
    );
    const room = right - left - measure(`${caption} →`, SMALL) - APART;
    put(this.hint, { x: right, y: bottom + 36 });
    say(this.hint, hints.find((words) => measure(words, SMALL) < room) ?? "");
    put(this.head, { y1: top, y2: bottom + 3 });
    put(this.knob, { cy: bottom + 3 });
  }

  /** At the end all is done, and no line is between what is and what will be. */
  draw(x: number, isOver: boolean, isUsed: boolean): void {
    this.place = x;
    put(this.head, { x1: x, x2: x, opacity: isOver ? 0 : 1 });
    put(this.knob, { cx: tenth(x) });
    put(this.hint, { opacity: isUsed ? 0 : 1 });
  }

  /** Whether a place is on the axis or above it, among the schedules. */
  has(x: number, y: number): boolean {
    const { left, right, top, bottom } = this.lies;
    return x > left - NEAR && x < right + NEAR && y > top && y < bottom + AXIS;
  }

  /** Whether a hand there takes the playhead, and not what lies under it. */
  isHandle(x: number, y: number): boolean {
    const { bottom } = this.lies;
    return Math.abs(x - this.place) < NEAR && Math.abs(y - bottom - 3) < NEAR;
  }
}
