// Dots that lie on no line: models, machines, prices. Named where a name covers nothing.

import type { Axes, Colour, Curves, Mode } from "../documents";
import { called } from "../state/called";
import { boxAt, dotBoxes, leadBoxes, leaderPath, spotFor } from "./beside";
import { around, type Box, isInside, touch } from "./boxes";
import { isCrossed } from "./crossing";
import { even, type Projection } from "./frame";
import type { Lines } from "./lines";
import { LINE, measure, SMALL } from "./measure";
import { at } from "./numbers";
import { colourOf, move, part, put, say } from "./svg";

interface Dot {
  label: string;
  /** What it is called where there is room: under the pointer. */
  fullName: string;
  group: string;
  colour: Colour;
  x: number;
  y: number;
  asked: [number, number];
  away: [number, number];
  circle: SVGCircleElement;
  name: SVGTextElement;
  /** Where the name lies from the dot; null where it would cover something. */
  spot: Box | null;
  /** Whether words beside the chart speak of it: it has its name before all others, if need be at the end of a leader. */
  isSpokenOf: boolean;
  leader: SVGPathElement;
  lead: readonly [number, number] | null;
  pixel: [number, number];
  /** Whether the other mode's dot has the name: a thing is named once. */
  isNamedElsewhere: boolean;
}

const RADIUS = 3.4;
/** So few have their names, too, if need be at the end of a leader. */
const FEW = 3;
/** In pixels: names that lie as near as that to something are beside it. */
const BARELY = 0.5;
const SIDES = [
  [0, -1],
  [0, 1],
  [1, 0],
  [-1, 0],
  [1, -1],
  [-1, -1],
  [1, 1],
  [-1, 1],
] as const;

export class Dots {
  private readonly dots = new Map<string, Dot>();
  private readonly circles: SVGGElement;
  private readonly names: SVGGElement;

  constructor(parent: SVGGElement) {
    this.circles = part(parent, "g", { "aria-hidden": "true" });
    this.names = part(parent, "g", { "aria-hidden": "true", "font-size": SMALL, "text-anchor": "middle" });
  }

  ask(pictures: Partial<Record<Mode, Curves>>, modes: readonly Mode[], axes: Axes, left: number): void {
    const wanted = new Set<string>();
    for (const mode of modes)
      for (const group of pictures[mode]?.dots ?? [])
        group.x.forEach((x, place) => {
          const y = at(group.y, place);
          const named = group.labels[place] ?? "";
          const label = called(named);
          const fullName = called(group.names?.[place] || named);
          // A fact is the same in both modes, and drawn once.
          const isPair = modes.length > 1;
          const others = pictures[mode === "careful" ? "lecture" : "careful"]?.dots ?? [];
          const isFact =
            isPair &&
            others.some(
              (one) =>
                one.name === group.name &&
                one.x.some((other, which) => other === x && one.y[which] === y && one.labels[which] === named),
            );
          if (isFact && mode === "lecture") return;
          // By its name: what is turned may bring them into another order, and what lies together is named together.
          let key = `${isFact || !isPair ? "" : mode}\n${group.name}\n${group.names?.[place] || named || place}`;
          while (wanted.has(key)) key += "\n";
          wanted.add(key);
          const asked: [number, number] = [even(axes.x, x), even(axes.y, y)];
          let dot = this.dots.get(key);
          if (!dot) {
            dot = {
              label,
              fullName,
              group: group.name,
              colour: group.colour,
              x,
              y,
              asked,
              away: [0, 0],
              circle: part(this.circles, "circle", { r: RADIUS, "stroke-width": 1.4 }),
              name: part(this.names, "text", { "paint-order": "stroke", stroke: "var(--background)", "stroke-width": 3 }),
              spot: null,
              isSpokenOf: false,
              leader: part(this.names, "path", { fill: "none", "stroke-opacity": 0.6 }),
              lead: null,
              pixel: [0, 0],
              isNamedElsewhere: false,
            };
            this.dots.set(key, dot);
          }
          dot.away = [dot.asked[0] + left * dot.away[0] - asked[0], dot.asked[1] + left * dot.away[1] - asked[1]];
          const isNamedElsewhere =
            isPair &&
            mode === "lecture" &&
            (pictures.careful?.dots.some((one) => one.name === group.name && one.labels.includes(named)) ?? false);
          const isSpokenOf = group.told?.includes(named) ?? false;
          Object.assign(dot, { isNamedElsewhere, isSpokenOf, asked, x, y, label, fullName, colour: group.colour });
          const isHollow = isPair && mode === "lecture";
          put(dot.circle, {
            "data-colour": group.colour,
            fill: isHollow ? "var(--background)" : colourOf(group.colour),
            stroke: isHollow ? colourOf(group.colour) : "none",
          });
          put(dot.name, { "data-colour": group.colour, fill: colourOf(group.colour) });
          put(dot.leader, { "data-colour": group.colour, stroke: colourOf(group.colour) });
          say(dot.name, label);
        });
    for (const [key, dot] of this.dots)
      if (!wanted.has(key)) {
        dot.circle.remove();
        dot.name.remove();
        dot.leader.remove();
        this.dots.delete(key);
      }
  }

  /** Those first whose names come before all others. */
  private get inOrder(): Dot[] {
    return [...this.dots.values()].sort((one, other) => Number(other.isSpokenOf) - Number(one.isSpokenOf));
  }

  /** Give names the places that are free, as all will lie at rest, nearer to their dots than to any other or to a mark's. */
  name(projection: Projection, lines: Lines, words: readonly Box[], marks: readonly (readonly [number, number])[]): void {
    const { room, evenX, evenY } = projection;
    const all = this.inOrder;
    const pixels = all.map((dot) => [evenX(dot.asked[0]), evenY(dot.asked[1])] as const);
    const taken: Box[] = [...pixels.map(([x, y]) => around(x, y, RADIUS + 1)), ...words];
    const areFew = all.filter(({ label }) => label).length <= FEW;
    all.forEach((dot, place) => {
      dot.spot = null;
      dot.lead = null;
      const [x, y] = at(pixels, place);
      if (!dot.label || dot.isNamedElsewhere || !isInside(around(x, y, 1), room)) return;
      const wide = measure(dot.label, SMALL) + 2;
      const boxes = SIDES.map(([dx, dy]) => boxBeside(x, y, dx, dy, wide));
      const others = [...pixels.filter((_, which) => which !== place), ...marks];
      const isItsOwn = (box: Box) => others.every((other) => apart(box, other) >= apart(box, [x, y]));
      const isBare = (box: Box) => !isCrossed(box, projection, lines.clear, 0);
      let free = boxes.find(
        (box) => isInside(box, room) && !taken.some((other) => touch(box, other)) && isItsOwn(box) && isBare(box),
      );
      if (!free && (dot.isSpokenOf || areFew)) {
        const one = { x, y, width: wide, height: LINE };
        const full = [...taken.filter((_, which) => which !== place), ...dotBoxes(marks)];
        const found = spotFor(one, null, room, full, isBare);
        free = found ? boxAt(one, found) : undefined;
        dot.lead = found?.lead ?? null;
        if (found) taken.push(...leadBoxes(one, found));
      }
      if (!free) return;
      taken.push(free);
      dot.spot = { left: free.left - x, right: free.right - x, top: free.top - y, bottom: free.bottom - y };
    });
  }

  /** While a hand drags names stay, but those that come to lie over a line, another dot or other words: these are not seen meanwhile. */
  uncover(projection: Projection, lines: Lines, words: readonly Box[]): void {
    const all = this.inOrder;
    const pixels = all.map((dot) => [projection.evenX(dot.asked[0]), projection.evenY(dot.asked[1])] as const);
    const taken = [...words];
    all.forEach((dot, place) => {
      if (!dot.spot) return;
      const [x, y] = at(pixels, place);
      const { left, right, top, bottom } = dot.spot;
      const box = { left: left + x + BARELY, right: right + x - BARELY, top: top + y + BARELY, bottom: bottom + y - BARELY };
      const isOnDot = pixels.some(([toX, toY], which) => which !== place && touch(box, around(toX, toY, RADIUS)));
      const isCovered = isOnDot || taken.some((each) => touch(box, each)) || isCrossed(box, projection, lines.clear, 0);
      for (const each of [dot.name, dot.leader]) each.classList.toggle("covered", isCovered);
      if (!isCovered) taken.push(box);
    });
  }

  /** Where they will lie. */
  pixelsAt({ evenX, evenY }: Projection): [number, number][] {
    return [...this.dots.values()].map(({ asked }) => [evenX(asked[0]), evenY(asked[1])]);
  }

  /** What they will cover, without their names. */
  circlesAt(projection: Projection): Box[] {
    return this.pixelsAt(projection).map(([x, y]) => around(x, y, RADIUS));
  }

  /** What they and their names cover, as drawn. */
  get covered(): Box[] {
    return [...this.dots.values()].flatMap(({ pixel: [x, y], spot }) => [
      around(x, y, RADIUS),
      ...(spot ? [{ left: x + spot.left, right: x + spot.right, top: y + spot.top, bottom: y + spot.bottom }] : []),
    ]);
  }

  draw({ evenX, evenY, room }: Projection, left: number): void {
    for (const dot of this.dots.values()) {
      const [x, y] = [evenX(dot.asked[0] + left * dot.away[0]), evenY(dot.asked[1] + left * dot.away[1])];
      dot.pixel = [x, y];
      const isSeen = isInside(around(x, y, 0), room);
      put(dot.circle, { visibility: isSeen ? "inherit" : "hidden" });
      put(dot.name, { visibility: isSeen && dot.spot ? "inherit" : "hidden" });
      put(dot.leader, {
        visibility: isSeen && dot.lead ? "inherit" : "hidden",
        d: leaderPath({ x, y }, dot.lead, RADIUS + 1),
      });
      if (!isSeen) continue;
      move(dot.circle, x, y);
      if (dot.spot) move(dot.name, x + (dot.spot.left + dot.spot.right) / 2, y + dot.spot.top + SMALL - 1);
    }
  }

  near(x: number, y: number, distance: number): Dot | null {
    let best: Dot | null = null;
    let least = distance;
    for (const dot of this.dots.values()) {
      const far = Math.hypot(dot.pixel[0] - x, dot.pixel[1] - y);
      if (far <= least) [best, least] = [dot, far];
    }
    return best;
  }
}

/** From a box to a dot, in pixels. */
function apart({ left, right, top, bottom }: Box, [x, y]: readonly [number, number]): number {
  return Math.hypot(Math.max(left - x, x - right, 0), Math.max(top - y, y - bottom, 0));
}

function boxBeside(x: number, y: number, dx: number, dy: number, wide: number): Box {
  const left = x + dx * 7 + (dx === 0 ? -wide / 2 : dx < 0 ? -wide : 0);
  const top = y + dy * 6 + (dy === 0 ? -LINE / 2 : dy < 0 ? -LINE : 0);
  return { left, top, right: left + wide, bottom: top + LINE };
}
