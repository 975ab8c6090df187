// Rows of numbers that lie in a document as differences, as src/ridgeline/web/differences.py writes them.

interface Row {
  order: number;
  differences: number[];
}

/** A document with its rows as they were. */
export function withNumbers(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withNumbers);
  if (typeof part !== "object" || part === null) return part;
  if ("differences" in part && "order" in part) return numbers(part as Row);
  return Object.fromEntries(Object.entries(part).map(([name, one]) => [name, withNumbers(one)]));
}

function numbers({ order, differences }: Row): number[] {
  const held = [...differences];
  for (let from = order; from > 0; from -= 1) {
    for (let at = from; at < held.length; at += 1) held[at] = (held[at] ?? 0) + (held[at - 1] ?? 0);
  }
  return held.map(float);
}

const bits = new DataView(new ArrayBuffer(8));
/** Of the lower 32 bits those that are not written are 0. */
const DROPPED = 2 ** 23;
const KEPT = 2 ** 32 / DROPPED;

/** A number from its upper 41 bits, read as a whole number. */
function float(kept: number): number {
  const size = Math.abs(kept);
  bits.setUint32(0, Math.floor(size / KEPT));
  bits.setUint32(4, (size % KEPT) * DROPPED);
  return kept < 0 ? -bits.getFloat64(0) : bits.getFloat64(0);
}
