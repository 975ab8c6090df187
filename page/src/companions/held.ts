// What a model with experts holds, what a token reads of it, and the dense model that is as good: areas at one scale.

import { FONT } from "../chart/measure";
import { at } from "../chart/numbers";
import { element, part, put, say, tenth } from "../chart/svg";
import type { Held } from "../documents";
import { box } from "../machine/places";
import { format } from "../state/quantity";
import type { Drawn, Given } from "./played";
import { type Accompanied, costOf } from "./read";

/** Height of the words above; where what it is worth begins, as a part of the width; and between two experts, as a part of one. */
const HEAD = 22;
const WORTH = 0.62;
const GAP = 0.12;
/** The largest area of an expert, in pixels a side. */
const MOST = 34;

interface Sizes {
  held: number;
  read: number;
  worth: number | null;
}

function sizesOf({ curves, companion, asked }: Accompanied): Sizes {
  const { line, held_experts: experts, expert_params: each, shared_params: shared } = companion as Held;
  const worth = asked === line ? null : costOf(curves, line, experts);
  return { held: shared + experts * each, read: shared + each, worth };
}

const count = (params: number) => format(params, "count");

function words(shown: Accompanied): [string[], string[]] {
  const { held, read, worth } = sizesOf(shown);
  const { held_experts: experts } = shown.companion as Held;
  const of = `${experts} experts hold ${count(held)}`;
  const whose = shown.whose && `, ${shown.whose}`;
  const [reads, as] = [`a token reads ${count(read)}`, worth === null ? "?" : count(worth)];
  const isGuessed = worth === null && shown.guess != null;
  const [says, good] = isGuessed ? [", you say", count(shown.guess ?? 0)] : ["", as];
  return [
    [`${of}, of which ${reads}${whose}`, `${of}, ${reads}`, `hold ${count(held)}, read ${count(read)}`],
    [`as good${says}: a dense model of ${good}`, `as good${says}: dense ${good}`, `dense ${good}`],
  ];
}

export function saidOfHeld(shown: Accompanied): string {
  return [(shown.companion as Held).text, ...words(shown).map(([full]) => full)].join(". ");
}

export class HeldDrawing implements Drawn {
  readonly svg = element("svg", { "aria-hidden": "true" });
  private readonly rest = part(this.svg, "path", { class: "dim", "data-colour": "weights" });
  private readonly read = part(this.svg, "path", { "data-colour": "weights" });
  private readonly dense = part(this.svg, "path", { "data-colour": "also" });
  private readonly guess = part(this.svg, "path", { class: "guess" });
  private readonly names = [part(this.svg, "text"), part(this.svg, "text")];

  seconds(): number {
    return 0;
  }

  draw({ shown, width, height, measure }: Given): void {
    const { held_experts: experts, expert_params: each, shared_params: shared } = shown.companion as Held;
    const high = height - HEAD - 2;
    const [from, wide] = [width * WORTH, width * WORTH - 24];
    // The shared part stands at the left, as high as all of them.
    const fits = (rows: number) => {
      const side = Math.min(MOST, high / rows / (1 + GAP));
      const columns = Math.ceil(experts / rows);
      const block = ((shared / each) * side * side) / high;
      const room = (wide - block - 6) / columns / (1 + GAP);
      return room < side ? Math.min(room, side) : side;
    };
    const rows = Array.from({ length: Math.min(experts, 40) }, (_, place) => place + 1);
    const best = rows.reduce((one, other) => (fits(other) > fits(one) ? other : one), 1);
    const side = fits(best);
    const pitch = side * (1 + GAP);
    const pixels = (side * side) / each;
    const tall = best * pitch - GAP * side;
    const block = (shared * pixels) / tall;
    const cell = (which: number) =>
      box(block + 6 + Math.floor(which / best) * pitch, HEAD + (which % best) * pitch, side, side);
    const read = Math.floor(experts / 3);
    put(this.rest, { d: Array.from({ length: experts }, (_, which) => (which === read ? "" : cell(which))).join("") });
    put(this.read, { d: box(0, HEAD, block, tall) + cell(read) });
    // A square where it is low enough, else as high as there is room.
    const area = (params: number) => {
      const tallest = Math.min(high, Math.sqrt(params * pixels));
      return box(from, HEAD, Math.min(width - from - 2, (params * pixels) / tallest), tallest);
    };
    const { worth } = sizesOf(shown);
    put(this.dense, { d: worth === null ? "" : area(worth) });
    put(this.guess, { d: shown.guess == null ? "" : area(shown.guess) });
    words(shown).forEach((all, place) => {
      const text = at(this.names, place);
      const [left, room] = place ? [from, width - from] : [0, from - 10];
      put(text, { x: tenth(left), y: 14, class: "strong" });
      say(text, all.find((one) => measure(one, FONT, 600) < room) ?? at(all, all.length - 1));
    });
  }
}
