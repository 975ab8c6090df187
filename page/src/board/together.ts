// A formula as equations: which terms belong together, and what the walk has yet to come to of each.

import type { Board, Step, Term } from "../documents";

/** What stands between equations. */
const BETWEEN = /\\q?quad/;
const BRACKETS = /\(|\)|\\\{|\\\}/g;
const CLOSES: Record<string, string> = { "(": ")", "\\{": "\\}" };
/** What says nothing by itself: what ends an equation, and room. */
const EMPTY = /^(?:\\[;,]|[;,.\s])*$/;
/** What goes before a further term. */
const JOINS = /^(?:\\[;,]|[,+\s])+$/;

/** A term, and which of the formula's it is of; one that joins equations is drawn in parts. */
export type Placed = { place: number; term: Term };

/** What a step shows of a board: an equation of its own, or the board's formula. */
export function formulaOf(board: Board, step: Step | null): Term[] {
  return step?.formula ?? board.formula;
}

/** A formula by its letters: one that two steps share grows from the one to the other. */
export function nameOf(formula: readonly Term[]): string {
  return formula.map(({ tex }) => tex).join(" ");
}

/** One equation a piece: no line ends inside of brackets, nor anywhere but between equations. */
export function together(formula: Term[]): Placed[][] {
  const groups: Placed[][] = [[]];
  let open: string[] = [];
  for (const [place, term] of formula.entries()) {
    const [before = "", ...after] = term.tex.split(BETWEEN);
    open = openAfter(open, term.tex);
    const isWhole = open.length > 0 || term.colour !== null;
    groups.at(-1)?.push({ place, term: isWhole ? term : { ...term, tex: before } });
    if (!isWhole) for (const tex of after) groups.push(tex.trim() ? [{ place, term: { ...term, tex } }] : []);
  }
  return groups.filter((group) => group.length);
}

/** What stands for terms of an equation that is shown in part: dots, and the brackets that are open; else nothing. */
export function toCome(group: Placed[], terms: number): string {
  const isLater = ({ place, term }: Placed) => place >= terms && !EMPTY.test(term.tex);
  const shown = group.filter(({ place }) => place < terms);
  if (!shown.length || !group.some(isLater)) return "";
  const open = shown.reduce<string[]>((before, { term }) => openAfter(before, term.tex), []);
  const next = group.find(({ place }) => place >= terms)?.term.tex ?? "";
  return `${JOINS.test(next) ? next : "\\;"}\\dots\\;${open.reverse().join("")}`;
}

/** What closes the brackets that are open after a further term. */
function openAfter(before: readonly string[], tex: string): string[] {
  const open = [...before];
  for (const [sign] of tex.matchAll(BRACKETS)) {
    const closes = CLOSES[sign];
    if (closes) open.push(closes);
    else open.pop();
  }
  return open;
}
