// Experts of a layer as dots, of which a token reads those that are lit: by each account of them, with its balance batch.

import { FONT } from "../chart/measure";
import { at } from "../chart/numbers";
import { element, matched, part, put, say, tenth } from "../chart/svg";
import type { Experts } from "../documents";
import type { Drawn, Given } from "./played";
import type { Accompanied } from "./read";

/** Height of the words above dots and below them; between two accounts. */
const HEAD = 24;
const FOOT = 22;
const GAP = 28;
/** Dots in a row, of which as many are taken as leave them largest; the part of its place that one fills, and its most. */
const COLUMNS = [16, 32, 64];
const FILLED = 0.72;
const MOST = 15;
/** Parts a whole so that neighbours are lit apart: 2³² over the golden ratio. */
const APART = 2654435769;

export function saidOfExperts({ companion }: Accompanied): string {
  const { accounts, text } = companion as Experts;
  return [text, ...accounts.map(({ name, batch_text }) => `${name}: balance batch ${batch_text}`)].join(". ");
}

export class ExpertsDrawing implements Drawn {
  readonly svg = element("svg", { "aria-hidden": "true" });
  private readonly groups = part(this.svg, "g");

  seconds(): number {
    return 0;
  }

  draw({ shown, width, height, measure }: Given): void {
    const { experts, accounts } = shown.companion as Experts;
    // One alone has the place of one of two.
    const wide = (width - GAP) / 2;
    const high = height - HEAD - FOOT;
    const sides = COLUMNS.map((columns) => Math.min(wide / columns, high / Math.ceil(experts / columns)));
    const pitch = Math.min(Math.max(...sides), MOST / FILLED);
    const columns = at(COLUMNS, sides.indexOf(Math.max(...sides)));
    const order = Array.from({ length: experts }, (_, one) => one).sort((one, other) => rank(one) - rank(other));
    matched(this.groups, accounts.length, group).forEach((one, place) => {
      const { name, read, batch_text: batch } = at(accounts, place);
      const left = place * (wide + GAP);
      const [rest, lit, what, then] = [...one.children] as [SVGElement, SVGElement, SVGElement, SVGElement];
      const spot = (which: number) =>
        `M${tenth(left + ((which % columns) + 0.5) * pitch)} ${tenth(HEAD + (Math.floor(which / columns) + 0.5) * pitch)}h0`;
      put(rest, { d: order.slice(read).map(spot).join("") });
      put(lit, { d: order.slice(0, read).map(spot).join("") });
      for (const dots of [rest, lit]) put(dots, { "stroke-width": tenth(FILLED * pitch) });
      const write = (text: SVGElement, y: number, all: string[]) => {
        put(text, { x: tenth(left), y: tenth(y) });
        say(text, all.find((words) => measure(words, FONT, 600) < wide) ?? at(all, all.length - 1));
      };
      const count = `${read} of ${experts}`;
      const short = `${name.split(", ").at(-1)}: ${count}`;
      write(what, 14, [`${name}: a token reads ${count} experts`, `${name}: ${count} experts`, short, count]);
      const whose = shown.whose && `, ${shown.whose}`;
      write(then, HEAD + Math.ceil(experts / columns) * pitch + 16, [
        `balance batch ${batch} sequences${whose}`,
        `balance batch ${batch}`,
        batch,
      ]);
    });
  }
}

function rank(expert: number): number {
  return Math.imul(expert, APART) >>> 0;
}

/** Dots at rest, those that are read, what is read, and the batch. */
function group(): SVGGElement {
  const dots = { fill: "none", "stroke-linecap": "round", stroke: "var(--weights)" };
  return element(
    "g",
    {},
    element("path", { ...dots, opacity: 0.22 }),
    element("path", dots),
    element("text", { class: "strong", "data-colour": "weights" }),
    element("text", { class: "strong", "data-colour": "compute" }),
  );
}
