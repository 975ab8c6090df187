// Names over dots on a line: each on a leader of its own that crosses no other name.

export interface Named {
  /** Of its dot, in pixels along. */
  x: number;
  /** Of its words. */
  width: number;
}

export interface Stair {
  /** From the dots up, from 0. */
  row: number;
  /** Whether its words begin at the leader; else they end at it. */
  isRight: boolean;
}

/** Words go to the right where they end before a limit, else to the left; names over which another's leader would run lie higher. */
export function stairs(named: readonly Named[], end: number, gap: number): Stair[] {
  const placed = named.map(({ x, width }) => {
    const isRight = x + width <= end;
    return { x, from: isRight ? x : x - width - gap, to: isRight ? x + width + gap : x, isRight, row: 0 };
  });
  // A name is raised once at most for each other: then all lie as they should, or two leaders stand in each other's words.
  for (const _ of placed)
    for (const one of placed)
      for (const other of placed) {
        if (one === other) continue;
        const isOver = other.x > one.from && other.x < one.to;
        const isBeside = one.row === other.row && other.from < one.to && other.to > one.from && !isUnder(one, other);
        if ((isOver && one.row <= other.row) || isBeside) one.row = other.row + 1;
      }
  return placed.map(({ row, isRight }) => ({ row, isRight }));
}

/** Whether another's words lie over its leader: then it is the other that lies higher. */
function isUnder({ x }: { x: number }, { from, to }: { from: number; to: number }): boolean {
  return x > from && x < to;
}
