// Of words that stand in several texts the first.

/** A word in a text, and which of the definitions it has. */
export interface Defined {
  start: number;
  end: number;
  which: number;
}

/** What each text is the first to say, of texts in the order in which they are read. */
export function firsts(texts: readonly string[], pattern: string): Map<string, Defined[]> {
  const known = new Set<number>();
  return new Map(
    texts.map((text) => {
      const here: Defined[] = [];
      for (const found of text.matchAll(new RegExp(pattern, "g"))) {
        const which = found.findIndex((part, place) => place > 0 && part !== undefined) - 1;
        if (!known.has(which)) here.push({ start: found.index, end: found.index + found[0].length, which });
        known.add(which);
      }
      return [text, here];
    }),
  );
}
