// Where each batch of a loop is at a moment: in a stage, or before one, behind those who wait there longer.

import { at, lastUpTo } from "../chart/numbers";
import type { Batch } from "../documents";
import { eased } from "./drawing";

export interface Spot {
  /** Which of its visits it is at, or waits for. */
  visit: number;
  /** The stage of that visit. */
  stage: number;
  /** How far through the stage it is; 0 before it. */
  part: number;
  /** How far it is from its place in the queue to its place in the ring. */
  inRing: number;
  /** How many are before it in the queue; moves on evenly as they leave. */
  ahead: number;
}

/** Of a visit, that it takes to step into a queue or out of it. */
const STEP = 0.3;

interface Waiting {
  batch: number;
  since: number;
  /** Of a place in the queue that it still takes. */
  takes: number;
}

/** All batches, by their numbers. */
export function spots(batches: readonly Batch[], stages: number, time: number): Spot[] {
  const queues = new Map<number, Waiting[]>();
  const found = batches.map(({ starts, ends }, batch): Spot => {
    const last = lastUpTo(starts, time);
    const isThere = last >= 0 && time <= at(ends, last);
    const visit = isThere ? last : last + 1;
    const stage = visit % stages;
    const before = visit ? at(ends, visit - 1) : Number.NEGATIVE_INFINITY;
    const wait = (takes: number) => {
      queues.set(stage, [...(queues.get(stage) ?? []), { batch, since: before, takes }]);
    };
    if (!isThere) {
      wait(1);
      const long = visit ? before - at(starts, visit - 1) : 1;
      return { visit, stage, part: 0, ahead: 0, inRing: visit ? 1 - eased(time, before, before + STEP * long) : 0 };
    }
    const [start, end] = [at(starts, visit), at(ends, visit)];
    const inRing = start > Math.max(0, before) ? eased(time, start, start + STEP * (end - start)) : 1;
    if (inRing < 1) wait(1 - inRing);
    return { visit, stage, part: (time - start) / (end - start), ahead: 0, inRing };
  });
  for (const queue of queues.values()) {
    let ahead = 0;
    // Those who are on their way out came first.
    for (const { batch, takes } of queue.sort((one, other) => one.since - other.since || one.batch - other.batch)) {
      at(found, batch).ahead = ahead;
      ahead += takes;
    }
  }
  return found;
}
