// Parts of the machine, small: one chip to scale, its rack, other racks, and what surrounds them.

import type { ComponentChildren } from "preact";

import { measure } from "../chart/measure";
import type { ChipShares } from "../documents";
import { type Box, box, columnsOf } from "../machine/places";
import { format } from "../state/quantity";
import { GAP } from "./poster";

/** Side by side, or one below the other: what flows goes to the right, or down. */
type Drawn = (at: Box, chip: ChipShares, isUpright: boolean) => ComponentChildren;

const rect = ({ left, top, right, bottom }: Box, fill: string, rest: object = {}) => (
  <path d={box(left, top, right - left, bottom - top)} fill={fill} {...rest} />
);
/** Small words in the picture, as far as there is room for them. */
const word = (text: string, x: number, y: number, fill = "var(--muted)", anchor = "start") => (
  <text x={x} y={y} font-size={SMALL} fill={fill} text-anchor={anchor}>
    {text}
  </text>
);
const EMPTY = "var(--muted)";
const FAINT = { "fill-opacity": 0.16 };
const [INSIDE, SMALL] = [12, 12];
/** Of the pipe, and of a bar. */
const [PIPE, BAR] = [0.26, 15];
/** Lower there is no room for words. */
const WORDY = 70;
const ON = "var(--background)";
const TIERS = { HBM: "kv", DDR: "muted", flash: "also", disk: "ink" };
const LAYERS = 6;

/** As full of weights and caches as the memory is, each column or tank. */
function filled(columns: readonly Box[], chip: ChipShares): ComponentChildren {
  const [weights, all] = [chip.weights_memory_fraction, chip.weights_memory_fraction + chip.kv_memory_fraction];
  const levels = (from: number, to: number) =>
    columns
      .map(({ left, right, top, bottom }) => {
        const high = bottom - top;
        return box(left, bottom - to * high, right - left, (to - from) * high);
      })
      .join("");
  return (
    <>
      <path d={levels(0, 1)} fill={EMPTY} {...FAINT} />
      <path d={levels(0, weights)} fill="var(--weights)" />
      <path d={levels(weights, all)} fill="var(--kv)" />
    </>
  );
}

/** What is read, as it flows: weights first. */
function flow(
  start: number,
  end: number,
  middle: number,
  across: number,
  chip: ChipShares,
  isUpright: boolean,
): ComponentChildren {
  const { weights_time_fraction: weights, kv_time_fraction: kv } = chip;
  const turn = end - ((end - start) * weights) / (weights + kv);
  const way = (from: number, to: number, stroke: string, rest: object) => (
    <path
      d={isUpright ? `M${middle} ${from}V${to}` : `M${from} ${middle}H${to}`}
      stroke={stroke}
      stroke-width={across}
      {...rest}
    />
  );
  const drops = { "stroke-dasharray": "7 5" };
  return (
    <>
      {way(start, end, EMPTY, { "stroke-opacity": 0.16 })}
      {way(end, turn, "var(--weights)", drops)}
      {way(turn, start, "var(--kv)", drops)}
    </>
  );
}

const cable = (d: string) => <path d={d} fill="none" stroke="var(--links)" stroke-width={2} />;
const middleOf = ({ top, bottom }: Box) => (top + bottom) / 2;
const centreOf = ({ left, right }: Box) => (left + right) / 2;
/** Of the arithmetic of a chip that stands upright: as high as it is wide. */
const sideOf = ({ left, right }: Box) => right - left - 2 * INSIDE;

/** Of one on the chip, whose parts join each other. */
export function ground(at: Box, place: number, isUpright: boolean): string {
  const { left, top, right, bottom } = at;
  if (!isUpright) return box(left, top, right - left + GAP, bottom - top);
  return box(left, top, right - left, place < ON_CHIP - 1 ? bottom - top : sideOf(at) + INSIDE);
}

/** By their names. */
export const PARTS: Record<string, Drawn> = {
  memory: (at, chip, isUpright) => {
    const inside = { left: at.left + INSIDE, top: at.top + INSIDE };
    const tank = isUpright
      ? { ...inside, right: at.right - INSIDE, bottom: at.bottom }
      : { ...inside, right: at.right + GAP, bottom: at.bottom - INSIDE };
    const [weights, kv] = [chip.weights_memory_fraction, chip.kv_memory_fraction].map((part) => format(part, "fraction", 2));
    return (
      <>
        {filled([tank], chip)}
        {(isUpright ? [`${weights} weights,`, `${kv} KV`] : [`${weights} weights, ${kv} KV`]).map((line, row) =>
          word(line, centreOf(tank), middleOf(at) + 4 + row * BAR, "var(--ink)", "middle"),
        )}
      </>
    );
  },
  pipe: (at, chip, isUpright) =>
    isUpright
      ? flow(at.top, at.bottom, centreOf(at), PIPE * (at.right - at.left), chip, true)
      : flow(at.left, at.right + GAP, middleOf(at), PIPE * (at.bottom - at.top), chip, false),
  arithmetic: (at, chip, isUpright) => {
    const side = isUpright ? sideOf(at) : at.bottom - at.top - 2 * INSIDE;
    const [left, top] = isUpright ? [at.left + INSIDE, at.top] : [at.left, at.top + INSIDE];
    const block = { left, top, right: left + side, bottom: top + side };
    const work = { ...block, top: block.bottom - chip.compute_time_fraction * side };
    const busy = format(chip.compute_time_fraction, "fraction", 2);
    // Above what is filled, where that is too low for two rows.
    const isInside = block.bottom - work.top > INSIDE + 2 * BAR;
    const foot = isInside ? block.bottom - INSIDE : work.top - INSIDE / 2;
    return (
      <>
        {cable(
          isUpright ? `M${centreOf(at)} ${block.bottom}V${at.bottom}` : `M${block.right} ${middleOf(at)}H${at.right + GAP}`,
        )}
        {rect(block, "var(--compute)", { "fill-opacity": 0.16, stroke: "var(--compute)" })}
        {rect(work, "var(--compute)")}
        {["of a step", `busy ${busy}`].map((line, row) =>
          word(line, centreOf(block), foot - row * BAR, isInside ? ON : "var(--ink)", "middle"),
        )}
      </>
    );
  },
  rack: (at, chip, isUpright) => {
    const room = isUpright
      ? { ...at, bottom: at.bottom - INSIDE }
      : { ...at, left: at.left + INSIDE, right: at.right + INSIDE };
    const columns = columnsOf(chip.chips, room);
    const [first] = columns;
    return (
      <>
        {filled(columns, chip)}
        {first && (
          <path
            d={box(first.left - 2, first.top - 2, first.right - first.left + 4, first.bottom - first.top + 4)}
            fill="none"
            stroke="var(--ink)"
          />
        )}
        {cable(isUpright ? `M${centreOf(at)} ${room.bottom}V${at.bottom}` : `M${at.left} ${middleOf(at)}h${INSIDE - 4}`)}
      </>
    );
  },
  racks: (at, chip, isUpright) => {
    const wide = (at.right - at.left) / 4;
    const racks = [0, 1, 2, 3].map((place) => ({
      left: at.left + (place + 0.2) * wide,
      right: at.left + (place + 0.9) * wide,
      top: at.top + INSIDE,
      bottom: at.bottom - INSIDE,
    }));
    return (
      <>
        {isUpright && cable(`M${centreOf(at)} ${at.top}V${middleOf(at)}`)}
        {cable(`M${isUpright ? at.left + wide / 2 : at.left - GAP} ${middleOf(at)}H${at.right - wide / 2}`)}
        {racks.map((one) => rect(one, "var(--background)"))}
        {filled(racks, chip)}
      </>
    );
  },
  tiers: (at) => {
    const high = (at.bottom - at.top) / 4;
    return Object.entries(TIERS).map(([name, colour], place) => {
      const slab = { ...at, top: at.top + place * high, bottom: at.top + (place + 1) * high - 3 };
      const right = at.left + ((at.right - at.left) * (place + 2)) / 5;
      return [
        rect({ ...slab, right }, `var(--${colour})`),
        high > SMALL + 1 && word(name, at.left + 5, middleOf(slab) + 4, ON),
      ];
    });
  },
  price: (at, chip) => {
    const { weights_time_fraction: weights, kv_time_fraction: kv, compute_time_fraction: compute } = chip;
    const length = (part: number) => at.left + part * (at.right - at.left);
    const foot = at.bottom - at.top > WORDY ? middleOf(at) + 2 * BAR : at.bottom;
    const [reading, computing] = [foot - 2 * BAR - 4, foot - BAR];
    // A name that its bar has no room for stands behind it, if nothing else does.
    const bar = (from: number, to: number, top: number, colour: string, name: string, isLast = true) => {
      const fits = measure(name, SMALL) + 8 < length(to) - length(from);
      return [
        rect({ left: length(from), right: length(to), top, bottom: top + BAR }, `var(--${colour})`),
        (fits || isLast) && word(name, length(fits ? from : to) + 4, top + SMALL, fits ? ON : `var(--${colour})`),
      ];
    };
    return (
      <>
        {bar(0, weights, reading, "weights", "weights", false)}
        {bar(weights, weights + kv, reading, "kv", "KV")}
        {bar(0, compute, computing, "compute", "compute")}
        <path d={`M${at.left} ${reading - 3}v-6H${at.right}v6`} fill="none" stroke="var(--money)" stroke-width={2} />
        {word("$ for the longer", length(0.5), reading - 14, "var(--money)", "middle")}
      </>
    );
  },
  training: (at) => {
    const high = (at.bottom - at.top) / LAYERS;
    const arrow = (part: number, from: number, to: number) => {
      const way = Math.sign(to - from);
      const d = `M${at.left + part * (at.right - at.left)} ${from}V${to}m-5 ${-7 * way}l5 ${7 * way}l5 ${-7 * way}`;
      return <path d={d} fill="none" stroke="var(--compute)" stroke-width={2.5} />;
    };
    return (
      <>
        {Array.from({ length: LAYERS }, (_, place) => {
          const top = at.top + place * high;
          return rect({ ...at, top, bottom: top + 0.75 * high }, "var(--weights)", { key: place, "fill-opacity": 0.3 });
        })}
        {arrow(0.3, at.bottom, at.top + 1)}
        {arrow(0.7, at.top, at.bottom - 1)}
      </>
    );
  },
};
/** Those that lie on the chip. */
export const ON_CHIP = 3;
