// Which line of one picture is which of another: names carry numbers, which change while a hand drags.

import type { Mode } from "../documents";

/** A name without what is said after a colon and without its numbers. */
export function stem(name: string): string {
  const [kind = name] = name.split(":");
  const bare = kind.replace(/[\d.,]+/g, "#").trim();
  return bare || name;
}

/** Keys of lines, each once. */
export function identities(names: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return names.map((name) => {
    const key = stem(name);
    const count = seen.get(key) ?? 0;
    seen.set(key, count + 1);
    return count ? `${key} ${count + 1}` : key;
  });
}

/** A line of a mode, by what stays of its name while its numbers change. */
export function keyOf(mode: Mode, name: string): string {
  return `${mode}\n${name}`;
}

/** The one that is called so; else the first whose name says the same without its numbers. */
export function called<Thing>(all: readonly Thing[], nameOf: (one: Thing) => string, name: string): Thing | undefined {
  return all.find((one) => nameOf(one) === name) ?? all.find((one) => stem(nameOf(one)) === stem(name));
}

/** Whether a line is among some that are called by name, as it is called in either mode. */
export function isAmong(names: readonly string[], name: string): boolean {
  return names.includes(name) || names.some((other) => stem(other) === stem(name));
}
