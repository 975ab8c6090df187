// Words beside a dot, on a ground of their own, where they cover least.

import { leadBoxes, leaderPath } from "./beside";
import { around, type Box, touch } from "./boxes";
import type { Projection } from "./frame";
import type { Lines } from "./lines";
import { FONT, measure } from "./measure";
import { at, clamp, mixed } from "./numbers";
import { move, part, put, say } from "./svg";

/** From the dot to the words beside it, and around those. */
const NEAR = 12;
const PAD = 4;
/** How far above or below, and beside, the dot they may stand, in pixels; the nearest first. */
const ASIDE = [0, -22, 22, -44, 44, -66, 66, -88, 88, -110, 110, -132, 132];
const FAR = [NEAR, 48, 96, 160];
/** Parts of the way from the dot to what is true, beside which they may stand. */
const ALONG = [0, 0.25, 0.5, 0.75, 1];
/** The dot itself. */
const DOT = 8;
/** Words that stand farther from their dot have a line to it. */
const ALONE = 30;
/** As bad as to stand so many times ten pixels further off: to cover a line at a place. */
export const CUTS = 2;
/** The same: to cover any at all. */
const STRUCK = 20;
/** As bad as to cover a line at so many places: to cover other words. */
export const COVERS = 50;

/** In pixels. */
export interface Point {
  x: number;
  y: number;
}

export class Saying {
  private readonly leader: SVGPathElement;
  private readonly paper: SVGRectElement;
  private readonly words: SVGTextElement;
  /** Which of the places around the dot they have. */
  private place = -1;
  /** Where they lie; null where there are none. */
  at: Box | null = null;

  constructor(parent: SVGGElement) {
    this.leader = part(parent, "path", { "stroke-opacity": 0.55, fill: "none" });
    this.paper = part(parent, "rect", { fill: "var(--background)", "fill-opacity": 0.85, rx: 3 });
    this.words = part(parent, "text", { "font-size": FONT, "font-weight": 600 });
  }

  /** Where they cover the fewest lines and nothing that is taken; under a hand (`isHeld`) where they are. */
  beside(
    projection: Projection,
    lines: Lines,
    dot: Point,
    text: string,
    colour: string,
    taken: readonly Box[],
    isHeld: boolean,
    truth = dot,
  ): Box {
    const { room } = projection;
    say(this.words, text);
    const wide = measure(text, FONT, 600) + 2 * PAD;
    const far = Math.max(room.left, room.right - wide);
    const full = [...taken, around(dot.x, dot.y, DOT)];
    const ways = ALONG.slice(0, truth === dot ? 1 : ALONG.length).map((part) => ({
      x: mixed(dot.x, truth.x, part),
      y: mixed(dot.y, truth.y, part),
    }));
    const spots = ways.flatMap((from) =>
      ASIDE.flatMap((dy) =>
        FAR.flatMap((dx) => [dx, -dx - wide]).map((dx) => ({
          from,
          // In a narrow plot neither side has room for all of them.
          left: clamp(from.x + dx, room.left, far),
          middle: clamp(from.y + dy, room.top + FONT, room.bottom - FONT),
        })),
      ),
    );
    const hits = ({ from, left, middle }: (typeof spots)[number]) => {
      const box = boxOf(left, middle, wide);
      const off = Math.max(0, box.left - from.x, from.x - box.right, NEAR) - NEAR;
      const cuts = crossings(box, projection, lines);
      const covers = CUTS * COVERS * full.filter((each) => touch(each, box)).length;
      return (Math.abs(middle - from.y) + off) / 10 + covers + (cuts && STRUCK + CUTS * cuts);
    };
    if (!isHeld || !this.at || this.place >= spots.length) {
      const all = spots.map(hits);
      this.place = all.indexOf(Math.min(...all));
    }
    const { from, left, middle } = at(spots, this.place);
    put(this.words, { fill: colour, visibility: "inherit" });
    move(this.words, left + PAD, middle + FONT / 3);
    const box = boxOf(left, middle, wide);
    this.at = box;
    put(this.paper, { x: left, y: box.top, width: wide, height: box.bottom - box.top, visibility: "inherit" });
    put(this.leader, { stroke: colour, visibility: "inherit", d: ledFrom(from, box, taken) });
    return box;
  }

  hush(): void {
    this.at = null;
    for (const each of [this.words, this.paper, this.leader]) put(each, { visibility: "hidden" });
  }
}

/** At how many places lines cross a box, what is drawn of the asked one among them. */
export function crossings({ left, right, top, bottom }: Box, { evenX, evenY }: Projection, lines: Lines): number {
  let found = 0;
  for (const stroke of lines.covering) {
    const [from, to] = stroke.reach;
    const height = stroke.heights(0);
    for (let pixel = left; pixel < right; pixel += 6) {
      const step = evenX.invert(pixel);
      if (step < from || step > to) continue;
      const y = evenY(height(step));
      if (y > top - PAD && y < bottom + PAD) found += 1;
    }
  }
  return found;
}

/** From a dot's edge to words that lie apart from it, where that strikes none; else nothing. */
function ledFrom(dot: Point, box: Box, taken: readonly Box[]): string {
  const [x, y] = [clamp(dot.x, box.left, box.right), clamp(dot.y, box.top, box.bottom)];
  const lead: [number, number] = [x - dot.x, y - dot.y];
  const apart = Math.hypot(...lead);
  if (apart <= ALONE) return "";
  // What begins at the dot itself leads on from it, too.
  const others = taken.filter((one) => !touch(one, around(dot.x, dot.y, 2 * DOT)));
  const isStruck = leadBoxes(dot, { lead }).some((each) => others.some((one) => touch(one, each)));
  return isStruck ? "" : leaderPath(dot, lead, DOT);
}

function boxOf(left: number, middle: number, wide: number): Box {
  return { left, right: left + wide, top: middle - FONT * 0.8, bottom: middle + FONT * 0.8 };
}
