// What the opened chip has to do in one decode step, as numbers.

import { along, clamp } from "../chart/numbers";
import type { Colour, OpenedChip } from "../documents";

/** Everything that is drawn, in base units. */
export interface Load {
  chips: number;
  hbm: number;
  bandwidth: number;
  flops: number;
  batch: number;
  /** In its memory: all weights, the part of them that is read, and the KV cache of all sequences and of one. */
  weights: number;
  read: number;
  kv: number;
  one: number;
  weightsS: number;
  kvS: number;
  computeS: number;
  /** As much as the drawing has room for. */
  mostBatch: number;
  mostBytes: number;
  mostS: number;
  /** Of a batch as it is said. */
  digits: number;
}

/** Digits of a batch, as sentences and marks have it. */
const DIGITS = 3;

/** At a batch, with the parts that were told; drawn in the room that a largest batch takes, or filling it. */
export function loadAt(chip: OpenedChip, batch: number, told: readonly Colour[], most: number | null, digits = DIGITS): Load {
  const [hasWeights, hasKv, computes] = (["weights", "kv", "compute"] as const).map((part) =>
    told.includes(part) ? 1 : 0,
  ) as [number, number, number];
  const read = along(chip.batches, chip.read)(batch);
  const load: Load = {
    chips: chip.chips,
    hbm: chip.hbm_bytes,
    bandwidth: chip.hbm_bytes_per_s,
    flops: chip.flop_per_s,
    batch,
    weights: hasWeights * chip.weight_bytes,
    read,
    kv: hasKv * chip.kv_bytes * batch,
    one: chip.kv_bytes,
    weightsS: hasWeights * chip.weights_s * read,
    kvS: hasKv * chip.kv_s * batch,
    computeS: computes * chip.compute_s * batch,
    mostBatch: most ?? batch,
    mostBytes: 0,
    mostS: 0,
    digits,
  };
  const end = most === null || most <= batch ? load : loadAt(chip, most, told, null);
  return { ...load, mostBytes: end.weights + end.kv, mostS: stepS(end) };
}

/** A whole number of sequences, or of their tokens, as everything beside the drawing says it. */
export function counted({ batch, digits }: Pick<Load, "batch" | "digits">): string {
  return Math.round(Number(batch.toPrecision(digits))).toLocaleString("en-US");
}

/** As long as the longer of reading and computing. */
export function stepS({ weightsS, kvS, computeS }: Load): number {
  return Math.max(weightsS + kvS, computeS);
}

/** How much of everything is done once a part of the step has passed. */
export interface Done {
  weights: number;
  kv: number;
  compute: number;
  /** What comes through the pipe just then; null where nothing does. */
  flows: "weights" | "kv" | null;
}

export function doneAt(load: Load, part: number): Done {
  const time = part * stepS(load);
  const { weightsS, kvS, computeS } = load;
  const of = (start: number, length: number) => (length > 0 ? clamp((time - start) / length) : 0);
  const flows = part >= 1 || time >= weightsS + kvS ? null : time < weightsS ? "weights" : "kv";
  return { weights: of(0, weightsS), kv: of(weightsS, kvS), compute: of(0, computeS), flows };
}
