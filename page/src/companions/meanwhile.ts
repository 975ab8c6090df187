// A parameter on its way from memory to a chip, and beside it as many cells as the chip multiplies meanwhile: those of the
// number that is set, or of the chip whose dot a hand points at.

import { SMALL } from "../chart/measure";
import { element, part, put, tenth } from "../chart/svg";
import type { Meanwhile } from "../documents";
import { box } from "../machine/places";
import { format } from "../state/quantity";
import type { Clock, Drawn, Given } from "./played";
import type { Accompanied } from "./read";
import { write } from "./words";

const SECONDS = 5;
/** Height of the words above, and of those below. */
const HEAD = 22;
const FOOT = 20;
/** Of the width: where the wire begins, and where the chip does. */
const WIRE = 0.16;
const CHIP = 0.42;
/** The parameter; between the chip's edge and its cells; a cell's place at most, and its part that is filled. */
const PARAMETER = 16;
const PAD = 7;
const MOST = 26;
const FILLED = 0.8;

/** What is multiplied meanwhile, and by which chip. */
function seenOf({ companion, dot }: Accompanied): { count: number; who: string } {
  return dot
    ? { count: dot.y, who: `${dot.fullName}, ${dot.group}: ` }
    : { count: (companion as Meanwhile).multiplied, who: "" };
}

export function saidOfMeanwhile(shown: Accompanied): string {
  const { count, who } = seenOf(shown);
  const text = format(count, "count");
  return `${(shown.companion as Meanwhile).text}. ${who}reads 1, multiplies ${text}, so a parameter has to serve ${text} sequences`;
}

/** As few columns of cells as leave these largest. */
export function gridOf(count: number, width: number, height: number, most = MOST): { rows: number; pitch: number } {
  let best = { rows: 1, pitch: 0 };
  for (let rows = 1; rows <= count; rows += 1) {
    const pitch = Math.min(most, height / rows, width / Math.ceil(count / rows));
    if (pitch > best.pitch) best = { rows, pitch };
    if (height / rows < best.pitch) break;
  }
  return best;
}

export class MeanwhileDrawing implements Drawn {
  readonly svg = element("svg", { "aria-hidden": "true" });
  private readonly memory = part(this.svg, "rect", { class: "dim", rx: 3, "data-colour": "weights" });
  private readonly wire = part(this.svg, "path", { class: "pipe", "stroke-width": 5 });
  private readonly chip = part(this.svg, "rect", { class: "die", rx: 3 });
  private readonly cells = part(this.svg, "path", { class: "dim", "data-colour": "compute" });
  private readonly done = part(this.svg, "path", { "data-colour": "compute" });
  private readonly parameter = part(this.svg, "rect", { rx: 2, "data-colour": "weights" });
  private readonly words = {
    reads: part(this.svg, "text", { class: "strong", "data-colour": "weights" }),
    multiplies: part(this.svg, "text", { class: "strong", "data-colour": "compute" }),
    memory: part(this.svg, "text", { class: "muted" }),
    so: part(this.svg, "text", { class: "muted" }),
  };
  clock: Clock = { name: "parameter on its way", left: 0, top: 0, width: 0, height: 0, text: "" };

  seconds(): number {
    return SECONDS;
  }

  draw(given: Given, moment: number): void {
    const { shown, width, height } = given;
    const { count, who } = seenOf(shown);
    const [wire, chip, high] = [width * WIRE, width * CHIP, height - HEAD - FOOT];
    const middle = HEAD + high / 2;
    put(this.memory, { x: 0, y: HEAD, width: tenth(wire), height: high });
    put(this.wire, { d: `M${tenth(wire)} ${middle}H${tenth(chip)}` });
    put(this.chip, { x: tenth(chip), y: HEAD, width: tenth(width - chip - 1), height: high });
    const from = wire - PARAMETER - 4;
    const place = from + (chip - from - PARAMETER / 2) * moment;
    put(this.parameter, { x: tenth(place), y: middle - PARAMETER / 2, width: PARAMETER, height: PARAMETER });
    const whole = Math.round(count);
    const { rows, pitch } = gridOf(whole, width - chip - 2 * PAD, high - 2 * PAD);
    const top = middle - (rows * pitch) / 2;
    const side = FILLED * pitch;
    const cells = Array.from({ length: whole }, (_, cell) =>
      box(chip + PAD + Math.floor(cell / rows) * pitch, top + (cell % rows) * pitch, side, side),
    );
    const lit = Math.floor(moment * whole + 1e-9);
    put(this.cells, { d: cells.slice(lit).join("") });
    put(this.done, { d: cells.slice(0, lit).join("") });
    const [all, now] = [format(count, "count"), moment < 1 ? `${lit}` : format(count, "count")];
    const whose = shown.whose && !who && `, ${shown.whose}`;
    const does = [`multiplies ${now} meanwhile${whose}`, `multiplies ${now}`, now].map((one) => who + one);
    write(this.words.reads, ["reads 1 parameter", "reads 1"], { x: 0, y: 14, room: chip - 8 }, given);
    const above = { x: chip, y: 14, room: width - chip - 28 };
    write(this.words.multiplies, [...does, `multiplies ${now}`, now], above, given);
    const below = { y: height - 5, size: SMALL };
    write(this.words.memory, ["memory"], { ...below, x: 0, room: wire }, given);
    const so = `so to keep the chip busy a parameter has to serve ${all} sequences`;
    write(this.words.so, [so, `serves ${all} sequences`], { ...below, x: chip, room: width - chip }, given);
    this.clock = { ...this.clock, left: wire, top: HEAD, width: chip - wire, height: high, text: `${lit} multiplied` };
  }
}
