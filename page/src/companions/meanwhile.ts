// A parameter on its way from memory to a chip, and beside it as many cells as the chip multiplies meanwhile: those of the
// number that is set, or of the chip whose dot a hand points at.

import { FONT, SMALL } from "../chart/measure";
import { element, part, put, say, tenth } from "../chart/svg";
import type { Meanwhile } from "../documents";
import { box } from "../machine/places";
import { format } from "../state/quantity";
import type { Clock, Drawn, Given } from "./played";
import type { Accompanied } from "./read";

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
  return dot ? { count: dot.y, who: `${dot.told}, ${dot.group}: ` } : { count: (companion as Meanwhile).multiplied, who: "" };
}

export function saidOfMeanwhile(shown: Accompanied): string {
  const { count, who } = seenOf(shown);
  const text = format(count, "count");
  return `${(shown.companion as Meanwhile).text}. ${who}reads 1, multiplies ${text}, so a parameter has to serve ${text} sequences`;
}

/** As few columns of cells as leave these largest. */
function gridOf(count: number, width: number, height: number): { rows: number; pitch: number } {
  let best = { rows: 1, pitch: 0 };
  for (let rows = 1; rows <= count; rows += 1) {
    const pitch = Math.min(MOST, height / rows, width / Math.ceil(count / rows));
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

  draw({ shown, width, height, measure }: Given, moment: number): void {
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
    const write = (text: SVGElement, x: number, y: number, room: number, all: string[], size = FONT) => {
      put(text, { x: tenth(x), y });
      say(text, all.find((one) => measure(one, size, 600) < room) ?? "");
    };
    const [all, now] = [format(count, "count"), moment < 1 ? `${lit}` : format(count, "count")];
    const whose = shown.whose && !who && `, ${shown.whose}`;
    write(this.words.reads, 0, 14, chip - 8, ["reads 1 parameter", "reads 1"]);
    write(this.words.multiplies, chip, 14, width - chip - 28, [
      `${who}multiplies ${now} meanwhile${whose}`,
      `${who}multiplies ${now}`,
      `${who}${now}`,
      `multiplies ${now}`,
      now,
    ]);
    write(this.words.memory, 0, height - 5, wire, ["memory"], SMALL);
    const so = `so to keep the chip busy a parameter has to serve ${all} sequences`;
    write(this.words.so, chip, height - 5, width - chip, [so, `serves ${all} sequences`], SMALL);
    this.clock = { ...this.clock, left: wire, top: HEAD, width: chip - wire, height: high, text: `${lit} multiplied` };
  }
}
