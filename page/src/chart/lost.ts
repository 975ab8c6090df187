// When a frame that is held under a hand shows no more what the board is about.

import type { Axes } from "../documents";
import { type Ends, evenEnds } from "./frame";
import type { Lines } from "./lines";
import type { Standing } from "./stroke";

/** Of a bold line, what must lie inside the frame, and up to what part of its height it must reach. */
const LEAST: Standing = { inside: 0.5, reach: 0.15 };
/** Of how it stood in the frame that was made for it, where that is less. */
const OF_FIRST: Standing = { inside: 0.75, reach: 0.75 };
/** How much better another frame must be up, to be taken while the one along is held. */
const BETTER = 1.5;

export class Watch {
  /** Whether the held frame shows no more what the board is about, so that another is asked for. */
  isStrayed = false;
  /** How bold lines must stand in it. */
  private kept: Standing = { inside: 0, reach: 0 };

  /** Whether fresh ends are taken though a hand holds others: they were asked for, or show what has left those. */
  takes(lines: Lines, axes: Axes, held: Ends, fresh: Ends): boolean {
    // Lines come over the ends along that are held, unless others were asked for.
    if (held.x.some((end, which) => end !== fresh.x[which])) return true;
    const now = worst(lines, axes, held);
    return isLost(now, this.kept) && isBetter(worst(lines, axes, fresh), now);
  }

  /** Note how lines stand in new ends; of held ones, whether others are now to be asked for. */
  strays(lines: Lines, axes: Axes, ends: Ends, isFrozen: boolean, isDragging: boolean): boolean {
    const now = worst(lines, axes, ends);
    if (!isFrozen) this.kept = least(now);
    const wasStrayed = this.isStrayed;
    this.isStrayed = isFrozen && !isDragging && isLost(now, this.kept);
    return this.isStrayed && !wasStrayed;
  }
}

/** How the bold line stands that stands worst. */
function worst(lines: Lines, axes: Axes, ends: Ends): Standing {
  const [across, up] = evenEnds(axes, ends);
  const found = lines.seen
    .filter((stroke) => stroke.line.is_bold)
    .map((stroke) => stroke.standing(across, up, !axes.y.is_logarithmic));
  return {
    inside: Math.min(1, ...found.map(({ inside }) => inside)),
    reach: Math.min(1, ...found.map(({ reach }) => reach)),
  };
}

/** What lines must keep of how they stood at first. */
function least(first: Standing): Standing {
  return {
    inside: Math.min(LEAST.inside, OF_FIRST.inside * first.inside),
    reach: Math.min(LEAST.reach, OF_FIRST.reach * first.reach),
  };
}

/** Whether most of a line has left the frame, or it lies flat on the axis. */
function isLost(now: Standing, kept: Standing): boolean {
  return now.inside < kept.inside || now.reach < kept.reach;
}

/** Whether a fresh frame, the same along, shows lost lines better. */
function isBetter(fresh: Standing, now: Standing): boolean {
  return Math.min(fresh.inside, fresh.reach) > BETTER * Math.min(now.inside, now.reach);
}
