// One chip, opened: its memory, what of it a step reads, the pipe, and the arithmetic.

import { FONT, type Measure, SMALL } from "../chart/measure";
import { clamp } from "../chart/numbers";
import { part, put, say, tenth } from "../chart/svg";
import { format } from "../state/quantity";
import { counted, type Done, type Load, stepS } from "./load";
import { type Box, box, type Cells, cellsOf, heap, type Places, strips } from "./places";

/** Width of a pipe for a byte a second, and side of a square for a FLOP a second, in pixels. */
const [PIPE, SIDE] = [3e-12, 46 / Math.sqrt(1e15)];
const NARROWEST = 5;
/** Of what it leads to. */
const WIDEST = 0.6;
const SMALLEST = 34;
/** A label inside needs so much height, and cells are told apart by lines from so large on. */
const LINE = 17;
const TOLD_APART = 2.5;
/** Where the button is. */
const CORNER = 32;
const MARGIN = 6;
/** Of what flows: a drop, the way to the next, and how many pass in a second. */
const DROP = 7;
const WAY = 12;
const SPEED = 7;

/** What lies in the tank: weights from its foot up to `top`, and a heap of cells above them, a cell for so many sequences. */
interface Enlarged {
  top: number;
  weights: number;
  heap: number;
  count: number;
  cells: Cells;
}

/** Before memory is told the tokens that are computed are heaped there. */
function enlarged(load: Load, tank: Box): Enlarged {
  const [high, wide] = [tank.bottom - tank.top, tank.right - tank.left];
  const isTold = load.mostBytes > 0;
  const scale = isTold ? high / load.mostBytes : 0;
  const one = isTold ? load.one * scale : high / load.mostBatch;
  const cells = cellsOf(one * wide, wide, load.mostBatch);
  const [weights, sequences] = [load.weights * scale, isTold ? load.kv / load.one : load.batch];
  return { top: tank.bottom - weights, weights, heap: sequences * one, count: sequences / cells.bundle, cells };
}

/** What arithmetic does that is done before its memory. */
const WAITS = "waits for memory";

/** Side of the square of its arithmetic. */
function sideOf({ flops }: Load, { block }: Places): number {
  return clamp(Math.sqrt(flops) * SIDE, SMALLEST, block.most);
}

/** How wide its pipe is: less than the arithmetic that it leads to, so that both are seen. */
function acrossOf(load: Load, places: Places): number {
  return clamp(load.bandwidth * PIPE, NARROWEST, WIDEST * sideOf(load, places));
}

export class Chip {
  private readonly group;
  private readonly parts;
  private readonly words;
  private readonly chips;
  private readonly cells;
  private places: Places | null = null;
  private load: Load | null = null;

  constructor(
    parent: SVGElement,
    id: string,
    private readonly measure: Measure,
  ) {
    const group = part(parent, "g");
    this.group = group;
    const path = (name: string, colour = "") => part(group, "path", { class: name, ...(colour && { "data-colour": colour }) });
    const rect = (attributes: Record<string, string>) => part(group, "rect", attributes);
    this.cells = part(part(group, "defs"), "pattern", { id: `${id}-cells`, patternUnits: "userSpaceOnUse" });
    part(this.cells, "path", { class: "between" });
    this.parts = {
      frame: path("die"),
      lens: path("lens"),
      memory: path("free"),
      weightsIn: path("", "weights"),
      kvIn: path("", "kv"),
      over: path("over"),
      capacity: path("edge"),
      weights: path("dim", "weights"),
      heap: path("dim", "kv"),
      weightsRead: path("", "weights"),
      heapRead: path("", "kv"),
      grid: part(group, "path", { fill: `url(#${id}-cells)` }),
      front: path("front"),
      pipe: path("pipe"),
      flow: part(group, "path", { class: "flow", "stroke-dasharray": `${DROP} ${WAY - DROP}` }),
      block: rect({ class: "block" }),
      idle: rect({ fill: `url(#${id}-idle)` }),
      work: rect({ "data-colour": "compute" }),
    };
    // What is read passes under words.
    this.chips = [0, 1].map(() => rect({ class: "chip", rx: "2", height: String(LINE) }));
    const word = (name: string, colour = "", anchor = "middle") =>
      part(group, "text", { class: name, ...(colour && { "data-colour": colour }), "text-anchor": anchor });
    this.words = {
      room: word("muted", "", "start"),
      weights: word("strong", "weights"),
      experts: word("", "weights", "start"),
      heap: word("strong", "kv"),
      bundle: word("muted", "", "start"),
      bandwidth: word("muted"),
      flops: word("muted"),
      state: word("strong", "compute"),
    };
  }

  /** Set apart what was filled in, by the names of its controls. */
  mark(filledIn: readonly string[]): void {
    const { room, bandwidth, flops } = this.words;
    for (const [one, name] of [
      [room, "hbm_bytes"],
      [bandwidth, "hbm_bytes_per_s"],
      [flops, "flop_per_s"],
    ] as const)
      put(one, { class: filledIn.includes(name) ? "muted filled halo" : "muted halo" });
  }

  /** What does not change while a step is played. */
  show(load: Load, places: Places): void {
    put(this.group, { visibility: places.isFolded ? "hidden" : "visible" });
    this.places = places;
    this.load = places.isFolded ? null : load;
    if (places.isFolded) return;
    const { parts, words } = this;
    const { chip, memory, tank, pipe } = places;
    put(parts.frame, { d: box(chip.left, chip.top, chip.right - chip.left, chip.bottom - chip.top) });
    const isTold = load.mostBytes > 0;
    this.hold(load, memory, tank, isTold);
    this.enlarge(load, places, isTold);
    const across = isTold ? acrossOf(load, places) : 1.5;
    const { side, left, top } = this.square(load, places);
    const way = `M${tenth(pipe.left + 1)} ${tenth(pipe.middle)}H${tenth(left)}`;
    for (const one of [parts.pipe, parts.flow]) put(one, { d: way, "stroke-width": tenth(across) });
    for (const one of [parts.block, parts.idle])
      put(one, { x: tenth(left), y: tenth(top), width: tenth(side), height: tenth(side) });
    const [bandwidth, flops] = [format(load.bandwidth, "bytes_per_s", 2), format(load.flops, "flop_per_s", 2)];
    const [at, above] = [(pipe.left + left) / 2, pipe.middle - across / 2 - 6];
    put(words.bandwidth, { x: tenth(at), y: tenth(above) });
    put(words.flops, { x: tenth(left + side / 2), y: tenth(top - 6) });
    say(words.flops, flops);
    const half = this.measure(bandwidth, SMALL) / 2;
    const isClear = Math.abs(above - (top - 6)) > LINE || at + half + MARGIN < left + side / 2 - this.measure(flops, SMALL) / 2;
    say(words.bandwidth, isTold && isClear && 2 * (half + MARGIN) < left - pipe.left ? bandwidth : "");
    put(words.state, { y: tenth(top + side + 16) });
  }

  /** All of its memory, to scale, with what lies in it. */
  private hold(load: Load, { left, right, top, bottom }: Box, tank: Box, isTold: boolean): void {
    const { parts, words } = this;
    const scale = (bottom - top) / Math.max(load.hbm, load.weights + load.kv);
    const [full, weights, kv] = [load.hbm * scale, load.weights * scale, load.kv * scale];
    const wide = isTold ? right - left : 0;
    put(parts.memory, { d: box(left, bottom - full, wide, full) });
    put(parts.capacity, { d: isTold ? `M${tenth(left - 4)} ${tenth(bottom - full)}H${tenth(right + 4)}` : "" });
    put(parts.weightsIn, { d: box(left, bottom - weights, wide, weights) });
    put(parts.kvIn, { d: box(left, bottom - weights - kv, wide, kv) });
    const isOver = load.weights + load.kv > load.hbm;
    put(parts.over, { d: isOver ? box(left, top, wide, bottom - top - full) : "" });
    const held = enlarged(load, tank);
    const [low, high] = [tenth(bottom - weights - kv), tenth(held.top - held.heap)];
    put(parts.lens, { d: isTold ? `M${tenth(right)} ${bottom}V${low}L${tenth(tank.left)} ${high}V${bottom}z` : "" });
    // On what has no room no words could be read.
    put(words.room, { x: tenth(left - 4), y: tenth(isOver ? bottom + 16 : bottom - full - 7) });
    say(words.room, isTold ? format(load.hbm, "bytes") : "");
  }

  /** What lies in the tank, and its names. */
  private enlarge(load: Load, places: Places, isTold: boolean): void {
    const { tank } = places;
    const { parts, words, cells: pattern } = this;
    const { top, weights, heap: high, count, cells } = enlarged(load, tank);
    const [wide, middle, colour] = [tank.right - tank.left, (tank.left + tank.right) / 2, isTold ? "kv" : "compute"];
    put(parts.weights, { d: box(tank.left, top, wide, weights) });
    for (const one of [parts.heap, parts.heapRead, words.heap]) put(one, { "data-colour": colour });
    put(parts.heap, { d: heap(count, cells, tank.left, top) });
    const areCells = Math.min(cells.width, cells.height) >= TOLD_APART && high > TOLD_APART;
    put(pattern, { x: tank.left, y: top, width: cells.width, height: cells.height });
    put(pattern.firstElementChild as Element, { d: `M0 0H${cells.width}M0 0V${cells.height}` });
    const rows = Math.ceil(count / cells.columns) * cells.height;
    put(parts.grid, { d: areCells ? box(tank.left, top - rows, wide, rows) : "" });
    const inside = (one: SVGTextElement, which: number, texts: string[], room: number, y: number) => {
      const text = texts.find((each) => this.measure(each, FONT, 600) < wide - 12);
      const isIn = room >= LINE + 2 && text !== undefined;
      const across = isIn ? this.measure(text, FONT, 600) + 8 : 0;
      put(this.chips[which] as Element, { x: tenth(middle - across / 2), y: tenth(y - LINE / 2), width: tenth(across) });
      put(one, { x: tenth(middle), y: tenth(y + 4.5) });
      say(one, isIn ? text : "");
      return isIn;
    };
    const all = format(load.weights, "bytes", 3);
    // Where only some experts are read the tank has stripes, on which no words could be read: they lie below it.
    const isSome = load.read < 1 - 1e-3;
    inside(words.weights, 0, isSome ? [] : [`weights ${all}`, all], weights, top + weights / 2);
    const share = `${format(load.read, "fraction", 2)} of ${all}`;
    const { left } = places.memory;
    // In a low chip it stands on a line with what the arithmetic does.
    const { top: upper, side } = this.square(load, places);
    const isLow = upper + side + LINE > tank.bottom;
    const end = isLow ? places.chip.right - this.measure(WAITS, FONT, 600) - 2 * MARGIN : places.block.x;
    const told = [`reads ${share}: the experts in use`, `${share}: experts in use`, share].find(
      (text) => left + this.measure(text, FONT) < end,
    );
    const wideTold = this.measure(told ?? "", FONT);
    put(words.experts, {
      x: tenth(Math.max(left, Math.min(middle - wideTold / 2, end - wideTold))),
      y: tenth(tank.bottom + 16),
    });
    say(words.experts, isSome ? (told ?? "") : "");
    const what = isTold ? `KV ${format(load.kv, "bytes")}` : `${counted(load)} tokens`;
    // On cells no words could be read, either.
    const isSaid = inside(words.heap, 1, areCells ? [] : [what], high, top - high / 2);
    const square =
      cells.bundle === 1 ? "a square is 1 sequence" : `a square is ${cells.bundle.toLocaleString("en-US")} sequences`;
    // None is whole where there are fewer sequences, and none is seen where they are too small.
    const each = count < 1 || !areCells ? "" : square;
    const y = Math.max(places.chip.top + LINE - MARGIN / 2, top - Math.max(high, rows) - 7);
    // Beside the name of all memory, or its bar; left of the corner, of the arithmetic, or of the pipe and its name.
    const from =
      y < tank.top + LINE / 2 && isTold
        ? places.memory.left + this.measure(format(load.hbm, "bytes"), SMALL) + LINE / 2
        : places.memory.right + MARGIN;
    const [block, reach] = [this.square(load, places), (acrossOf(load, places) + LINE) / 2];
    const isByPipe = isTold && y > places.pipe.middle - reach - LINE && y < places.pipe.middle + reach + LINE / 2;
    const to = isByPipe ? tank.right : y < block.top - LINE ? places.chip.right - CORNER : block.left - MARGIN;
    const lies = (text: string) => {
      const wide = this.measure(text, SMALL);
      return Math.max(from, Math.min(middle - wide / 2, to - wide));
    };
    const above = [isSaid ? each : each ? `${what}, ${each}` : what, each].find(
      (one) => lies(one) + this.measure(one, SMALL) <= to,
    );
    put(words.bundle, { x: tenth(lies(above ?? "")), y: tenth(y) });
    say(words.bundle, high > 0 ? (above ?? "") : "");
  }

  /** That the arithmetic waits, and for what where that fits beside the tank. */
  private waits({ chip, tank }: Places): string {
    return tank.right + LINE / 2 + this.measure(WAITS, FONT, 600) + MARGIN < chip.right ? WAITS : "waits";
  }

  private square(load: Load, places: Places): { side: number; left: number; top: number } {
    const { pipe, block } = places;
    const side = sideOf(load, places);
    return { side, left: block.x - side / 2, top: pipe.middle - side / 2 };
  }

  /** At a moment of the step; what flows, by the seconds of the drawing. */
  draw(done: Done, seconds: number): void {
    const [load, places, parts] = [this.load, this.places, this.parts];
    if (!load || !places) return;
    const { tank } = places;
    const isTold = load.mostBytes > 0;
    const { top, weights, heap: high, count, cells } = enlarged(load, tank);
    const read = tank.bottom - weights * done.weights;
    put(parts.weightsRead, { d: weights ? strips(tank, load.read, read, tank.bottom) : "" });
    const gone = isTold ? done.kv : done.compute;
    put(parts.heapRead, { d: heap(count * gone, cells, tank.left, top) });
    const y = done.flows === "weights" ? read : top - high * done.kv;
    put(parts.front, { d: done.flows ? `M${tenth(tank.left - 3)} ${tenth(y)}H${tenth(tank.right)}` : "" });
    put(parts.flow, {
      "data-colour": done.flows ?? "weights",
      visibility: done.flows ? "visible" : "hidden",
      "stroke-dashoffset": tenth(-((seconds * SPEED * WAY) % WAY)),
    });
    const busy = stepS(load) > 0 ? load.computeS / stepS(load) : 0;
    const isIdle = done.compute >= 1 && busy < 1 - 1e-9;
    const { side, left, top: upper } = this.square(load, places);
    const filled = side * done.compute;
    put(parts.work, {
      x: tenth(left),
      y: tenth(upper + side - filled),
      width: tenth(side),
      height: tenth(filled),
      opacity: isIdle ? 0.35 : 1,
    });
    put(parts.idle, { visibility: isIdle ? "visible" : "hidden" });
    const isOver = !done.flows && done.compute >= 1;
    const state = isOver
      ? `busy ${format(busy, "fraction", 2)}`
      : isIdle
        ? this.waits(places)
        : done.compute > 0
          ? "computes"
          : "";
    const half = this.measure(state, FONT, 600) / 2;
    put(this.words.state, { x: tenth(Math.min(left + side / 2, places.chip.right - half - MARGIN)) });
    say(this.words.state, load.computeS ? state : "");
  }
}
