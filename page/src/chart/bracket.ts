// How far the modes are apart, between their two marks: a thin bracket with the ratio in words.

import { padded } from "./beside";
import { type Box, isInside, touch } from "./boxes";
import type { Projection } from "./frame";
import type { MarkDrawn } from "./mark";
import { LINE, measure, SMALL } from "./measure";
import { clamp } from "./numbers";
import { move, part, put, say, tenth } from "./svg";

/** Nearer marks have no room for a bracket between them. */
const LEAST_PX = 26;
/** From a dot to the bracket beside it, and from there to the words. */
const ASIDE = [20, -20, 34, -34] as const;
const NEAR = 4;
/** From a dot's middle to where the bracket begins. */
const OFF = 7;

/** Which way a bracket lies from its marks, and its words from it. */
interface Way {
  aside: number;
  side: 1 | -1;
}

/** Two marks that are compared. */
export interface Twins {
  careful: MarkDrawn;
  lecture: MarkDrawn;
  axis: "x" | "y";
  words: string;
}

type Point = readonly [number, number];

interface Lain {
  path: string;
  /** What the path covers. */
  legs: Box[];
  words: Box;
}

export class Bracket {
  private readonly group: SVGGElement;
  private readonly path: SVGPathElement;
  private readonly text: SVGTextElement;
  private twins: Twins | null = null;
  private way: Way | null = null;
  /** What it covers at rest. */
  taken: readonly Box[] = [];

  constructor(parent: SVGGElement) {
    this.group = part(parent, "g", { class: "bracket", fill: "var(--muted)", visibility: "hidden" });
    this.path = part(this.group, "path", { fill: "none", stroke: "var(--muted)", "stroke-opacity": 0.7 });
    this.text = part(this.group, "text", { "font-size": SMALL, "text-anchor": "middle" });
  }

  /** Whether it found room at rest; where there is none, the ratio is to be said elsewhere. */
  find(twins: Twins | null, projection: Projection, isFree: (box: Box) => boolean, taken: readonly Box[]): boolean {
    this.twins = twins;
    this.way = null;
    this.taken = [];
    if (!twins) return false;
    const [one, other] = [asked(twins.careful, projection), asked(twins.lecture, projection)];
    const along = twins.axis === "x" ? 0 : 1;
    if (Math.abs(one[along] - other[along]) < LEAST_PX) return false;
    const isClear = (box: Box) => isInside(box, projection.room) && !taken.some((each) => touch(box, each));
    for (const aside of ASIDE)
      for (const side of [1, -1] as const) {
        const { legs, words } = this.lay(twins, { aside, side }, one, other);
        if (!legs.every(isClear) || !isClear(words) || legs.some((leg) => touch(leg, words)) || !isFree(padded(words)))
          continue;
        this.way = { aside, side };
        this.taken = [...legs, words];
        return true;
      }
    return false;
  }

  /** New words while a hand drags. */
  renew(twins: Twins | null): void {
    this.twins = twins;
  }

  /** Between the marks as they are drawn; not where it would cover something. */
  draw(room: Box, isFree: (box: Box) => boolean, taken: readonly Box[]): void {
    const lain = this.twins && this.way && this.lay(this.twins, this.way, this.twins.careful.pixel, this.twins.lecture.pixel);
    const isClear = (box: Box) => isInside(box, room) && !taken.some((each) => touch(box, each));
    const isCovered = !lain || lain.legs.some((leg) => !isClear(leg) || touch(leg, lain.words)) || !isClear(lain.words);
    const isSeen = lain && !isCovered && isFree(lain.words);
    put(this.group, { visibility: isSeen ? "inherit" : "hidden" });
    if (!isSeen || !this.twins) return;
    put(this.group, { opacity: Math.min(this.twins.careful.opacity, this.twins.lecture.opacity) });
    put(this.path, { d: lain.path });
    say(this.text, this.twins.words);
    move(this.text, (lain.words.left + lain.words.right) / 2, lain.words.top + SMALL);
  }

  private lay({ axis, words }: Twins, { aside, side }: Way, one: Point, other: Point): Lain {
    const wide = measure(words, SMALL);
    // Along the axis on which they are compared, and aside from it.
    const turned = ([x, y]: Point): Point => (axis === "x" ? [x, y] : [y, x]);
    const [from, to] = [turned(one), turned(other)];
    const level = from[1] + aside;
    const leg = ([along, up]: Point): [Point, Point] => [
      turned([along, up + OFF * Math.sign(level - up)]),
      turned([along, level]),
    ];
    const [near, far] = [leg(from), leg(to)];
    const middle = (from[0] + to[0]) / 2;
    const box =
      axis === "x"
        ? spread(middle - wide / 2, level + (side > 0 ? NEAR : -NEAR - LINE), wide)
        : spread(level + (side > 0 ? NEAR : -NEAR - wide), middle - LINE / 2, wide);
    return {
      path: [...near, far[1], far[0]].map(([x, y], which) => `${which ? "L" : "M"}${tenth(x)},${tenth(y)}`).join(" "),
      legs: [boxOf(near[1], far[1]), boxOf(...near), boxOf(...far)],
      words: box,
    };
  }
}

function asked({ asked: [x, y] }: MarkDrawn, { evenX, evenY, room }: Projection): Point {
  return [clamp(evenX(x), room.left, room.right), clamp(evenY(y), room.top, room.bottom)];
}

function spread(left: number, top: number, wide: number): Box {
  return { left, right: left + wide, top, bottom: top + LINE };
}

function boxOf([x, y]: Point, [toX, toY]: Point): Box {
  return { left: Math.min(x, toX) - 1, right: Math.max(x, toX) + 1, top: Math.min(y, toY) - 1, bottom: Math.max(y, toY) + 1 };
}
