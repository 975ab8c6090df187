// What a file of documents has more than once lies there once; elsewhere is the way to it, as src/ridgeline/web/site.py
// writes it.

interface Repeat {
  as_in: (string | number)[];
}

/** A document with what it repeats in all its places. */
export function withRepeats(whole: unknown): unknown {
  const filled = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(filled);
    if (typeof part !== "object" || part === null) return part;
    if ("as_in" in part) return reached(whole, (part as Repeat).as_in);
    return Object.fromEntries(Object.entries(part).map(([name, one]) => [name, filled(one)]));
  };
  return filled(whole);
}

function reached(whole: unknown, way: Repeat["as_in"]): unknown {
  return way.reduce<unknown>((part, name) => (part as Record<string | number, unknown>)[name], whole);
}
