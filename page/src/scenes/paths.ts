// Parts of a drawing that are connected: what one reaches directly, and the shortest ways between two of them.

import { at } from "../chart/numbers";
import type { Said } from "../chart/readout";
import { element, matched, put, tenth } from "../chart/svg";
import type { Node, Routes } from "../documents";
import type { Box, Things } from "./things";

type Edge = readonly [from: number, to: number];

/** Of what leads from one node to another with as few hops as there are. */
export interface Shortest {
  hops: number;
  /** All of the cables, in the order of hops. */
  edges: Edge[];
  /** Nodes next to the first that lie on such a way. */
  side: number[];
}

/** All shortest ways, where they pass something that only hands on; else the first of them. Null where there is none. */
export function shortest(nodes: readonly Node[], from: number, to: number): Shortest | null {
  const far = new Map([[to, 0]]);
  for (const node of far.keys())
    for (const next of at(nodes, node).neighbours) if (!far.has(next)) far.set(next, (far.get(node) ?? 0) + 1);
  const hops = far.get(from);
  if (hops === undefined) return null;
  const edges: Edge[] = [];
  let side: number[] = [];
  let reached = [from];
  for (let left = hops - 1; left >= 0; left--) {
    const next = new Set<number>();
    for (const node of reached) {
      const closer = at(nodes, node).neighbours.filter((one) => far.get(one) === left);
      const taken = closer.some((one) => at(nodes, one).is_end && one !== to) ? closer.slice(0, 1) : closer;
      for (const one of taken) {
        edges.push([node, one]);
        next.add(one);
      }
    }
    reached = [...next];
    if (left === hops - 1) side = reached;
  }
  return { hops, edges, side };
}

/** Width at which a box is met at least. */
const MET = 8;
/** Places of a way at which it is looked for what it passes over; and ways that are few enough to be wide. */
const PLACES = 16;
const FEW = 12;
/** How far a way bows aside that passes over others, of its length. */
const BOW = 0.12;

export class Paths implements Things {
  readonly group = element("g", { fill: "none", stroke: "var(--links)", "pointer-events": "none" });
  private readonly ways = element("g");
  private readonly marks = element("g", { "stroke-width": 3 });
  private nodes: readonly Node[] = [];
  private boxes: readonly Box[] = [];
  private lowered = 0;
  /** Under the hand, from where, and to where. */
  private pointed = -1;
  private from = -1;
  private to = -1;

  constructor(private readonly taken: () => void) {
    this.group.append(this.ways, this.marks);
  }

  get name(): string {
    return "Chips and what connects them: arrows move between them, Enter takes one chip and then another";
  }

  get count(): number {
    return this.nodes.length;
  }

  fit({ nodes }: Routes, boxAt: (box: number) => Box, lowered: number): void {
    this.nodes = nodes;
    this.boxes = nodes.map(({ box }) => boxAt(box));
    this.lowered = lowered;
    this.pointed = -1;
    if (Math.max(this.from, this.to) >= nodes.length) this.from = this.to = -1;
    this.show();
  }

  under(x: number, y: number): number {
    const down = y - this.lowered;
    return this.boxes.findIndex((box) => {
      // Narrow boxes are met between them, too.
      const air = Math.max(1, (MET - box.width) / 2);
      return x >= box.x - air && x <= box.x + box.width + air && down >= box.y - air && down <= box.y + box.height + air;
    });
  }

  box(thing: number): Box {
    const box = this.boxes[thing] ?? { x: 0, y: 0, width: 0, height: 0 };
    return { ...box, y: box.y + this.lowered };
  }

  said(thing: number): Said {
    const node = this.nodes[thing];
    if (!node) return { title: "", columns: [], rows: [] };
    const rows = [{ colour: null, name: `cables to ${node.neighbours_text}`, values: [] as string[] }];
    if (this.from >= 0 && thing !== this.from) {
      const title = `from ${at(this.nodes, this.from).name} to ${node.name}`;
      return { title, columns: [], rows: [{ colour: null, name: this.wayTo(thing), values: [] }] };
    }
    return { title: node.name, columns: [], rows };
  }

  point(thing: number): void {
    this.pointed = thing;
    this.show();
  }

  /** The first, then the one that a way leads to, then another first one. */
  take(thing: number): void {
    const isEnd = this.nodes[thing]?.is_end ?? false;
    if (!isEnd || thing === this.from) this.from = this.to = -1;
    else if (this.from < 0 || this.to >= 0) [this.from, this.to] = [thing, -1];
    else this.to = thing;
    if (this.from >= 0) this.taken();
    this.show();
  }

  /** What was taken, and what leads there; null where nothing was. */
  get shown(): { name: string; what: string } | null {
    const { from, to } = this;
    if (from < 0) return null;
    const { name, neighbours_text } = at(this.nodes, from);
    if (to < 0) return { name, what: `cables to ${neighbours_text}` };
    return { name: `${name} to ${at(this.nodes, to).name}`, what: this.wayTo(to) };
  }

  private wayTo(to: number): string {
    const found = shortest(this.nodes, this.from, to);
    if (!found) return "no way";
    const { hops, side } = found;
    const words = hops === 1 ? "1 hop" : `${hops} hops`;
    const { neighbours, neighbours_text } = at(this.nodes, this.from);
    if (hops === 1 || side.some((one) => at(this.nodes, one).is_end)) return words;
    const all = side.length === neighbours.length;
    return all ? `${words}, over ${neighbours_text} side by side` : `${words}, over ${side.length} of its ${neighbours_text}`;
  }

  private show(): void {
    const { from } = this;
    const pointed = this.pointed;
    const to = this.to >= 0 ? this.to : pointed;
    const start = from >= 0 ? from : pointed;
    const found = from >= 0 && to >= 0 && to !== from ? shortest(this.nodes, from, to) : null;
    const around = this.nodes[start]?.neighbours.map((one): Edge => [start, one]) ?? [];
    const edges = found?.edges ?? around;
    matched(this.ways, edges.length, () => element("path")).forEach((way, place) => {
      const wide = edges.length < FEW ? 3 : 1.6;
      put(way, { d: this.line(at(edges, place)), "stroke-width": wide, class: found ? "flowing" : "" });
    });
    const ends = [...new Set([from, found ? to : -1, pointed])].filter((one) => one >= 0);
    matched(this.marks, ends.length, () => element("rect", { rx: 2 })).forEach((mark, place) => {
      const { x, y, width, height } = at(this.boxes, at(ends, place));
      put(mark, { x: tenth(x - 2), y: tenth(y - 2), width: tenth(width + 4), height: tenth(height + 4) });
    });
  }

  /** Between a chip and a switch from edge to edge, else between their middles, around what lies on the way. */
  private line([from, to]: Edge): string {
    const [one, other] = [at(this.boxes, from), at(this.boxes, to)];
    const [x, toX] = [one.x + one.width / 2, other.x + other.width / 2];
    if (at(this.nodes, from).is_end !== at(this.nodes, to).is_end) {
      const isDown = one.y < other.y;
      const [y, toY] = isDown ? [one.y + one.height, other.y] : [one.y, other.y + other.height];
      return `M${tenth(x)} ${tenth(y)}L${tenth(toX)} ${tenth(toY)}`;
    }
    const [y, toY] = [one.y + one.height / 2, other.y + other.height / 2];
    const isOver = Array.from({ length: PLACES }, (_, place) => {
      const part = (place + 0.5) / PLACES;
      const thing = this.under(x + (toX - x) * part, y + (toY - y) * part + this.lowered);
      return thing >= 0 && thing !== from && thing !== to;
    }).some(Boolean);
    const bow = isOver ? BOW : 0;
    const [bowX, bowY] = [(x + toX) / 2 + bow * (toY - y), (y + toY) / 2 - bow * (toX - x)];
    return `M${tenth(x)} ${tenth(y)}Q${tenth(bowX)} ${tenth(bowY)} ${tenth(toX)} ${tenth(toY)}`;
  }
}
