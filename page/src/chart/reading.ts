// The values of all lines at a place along, and what lies near a hand.

import type { Mark } from "../documents";
import { MODE_WORDS } from "../state/modes";
import { uneven } from "./frame";
import { stem } from "./identity";
import { joined } from "./labels";
import { lastThatFits } from "./overfull";
import type { Seen } from "./pointer";
import type { Row, Said, Thing } from "./readout";
import type { Stroke } from "./stroke";

/** Of the height that stands for all that nothing reaches: rounding. */
const OUT_OF_REACH = 1 - 1e-9;
/** A dot is named within so many times the distance at which a hand points at a mark. */
const NEAREST = 3;
/** Pixels between two points at which lines are looked at. */
const LOOK = 12;

/** The values at a place, in even steps along: of each line a row, the highest first. */
export function reading({ shown, lines }: Seen, place: number): Said {
  const { modes, units } = shown;
  const { axes } = shown.view;
  const rows = new Map<string, Row & { y: number }>();
  const value = (stroke: Stroke): string => {
    const y = stroke.drawnAt(place, 0);
    if (!Number.isFinite(y)) return "";
    const high = stroke.highAt(place);
    const { out_of_reach_from: end = Infinity } = stroke.line;
    if (uneven(axes.y, y) >= OUT_OF_REACH * end) return "out of reach";
    const text = units(uneven(axes.y, y), axes.y.dimension);
    return high > y ? `${text} to ${units(uneven(axes.y, high), axes.y.dimension)}` : text;
  };
  for (const stroke of lines.seen) {
    const key = stem(stroke.line.name);
    const name = key === stroke.line.name ? stroke.line.name : (stroke.line.name.split(":")[0] ?? "");
    const row = rows.get(key) ?? { colour: stroke.line.colour, name, values: modes.map(() => ""), y: -Infinity };
    row.name = name;
    row.values[modes.indexOf(stroke.mode)] = value(stroke);
    row.y = Math.max(row.y, stroke.drawnAt(place, 0) || -Infinity);
    rows.set(key, row);
  }
  return {
    title: units(uneven(axes.x, place), axes.x.dimension),
    columns: modes.length > 1 ? modes.map((mode) => MODE_WORDS[mode]) : [],
    rows: [...[...rows.values()].sort((a, b) => b.y - a.y), ...beyondMemory(shown, uneven(axes.x, place))],
  };
}

/** That a place lies beyond the memory, of the modes in which it does. */
function beyondMemory({ view: { pictures }, modes }: Seen["shown"], x: number): Row[] {
  const values = modes.map((mode) => (x > lastThatFits(pictures[mode] ?? {}) ? "does not fit" : ""));
  return values.some(Boolean) ? [{ colour: "kv", name: "memory", values }] : [];
}

/** The mark over which keys have come, in words. */
export function along({ marks }: Seen, x: number, distance: number): Row[] {
  return told(marks.over(x, distance)?.of.mark);
}

/** What a mark says; of one without a label also what it is. */
function told(mark: Mark | undefined): Row[] {
  if (!mark?.text) return [];
  const name = mark.is_quiet ? `${joined(mark.name)}: ${joined(mark.text)}` : joined(mark.text);
  return [{ colour: mark.colour, name, values: [] }];
}

/** The mark under a hand and the dot nearest to it, in words: their labels may have found no room. */
export function under({ shown, marks, dots }: Seen, [x, y]: readonly [number, number], distance: number): Row[] {
  const { axes } = shown.view;
  const mark = marks.near(x, y, distance)?.of.mark;
  const dot = dots.near(x, y, distance * NEAREST);
  const name = dot?.fullName || dot?.group;
  return [
    ...told(mark),
    ...(dot && name
      ? [{ colour: dot.colour, name, values: [shown.units(dot.x, axes.x.dimension), shown.units(dot.y, axes.y.dimension)] }]
      : []),
  ];
}

/** Points of lines between two places in pixels, those that the board is about with more weight; and marks. */
export function things({ lines, marks, projection, left }: Seen, from: number, to: number): Thing[] {
  const { evenX, evenY } = projection;
  const found: Thing[] = marks.pixels.map(([x, y]) => ({ x, y, weight: 10 }));
  const { seen } = lines;
  for (let x = from; x <= to; x += LOOK) {
    const step = evenX.invert(x);
    for (const stroke of seen) found.push({ x, y: evenY(stroke.drawnAt(step, left)), weight: stroke.line.is_bold ? 3 : 1 });
  }
  return found;
}
