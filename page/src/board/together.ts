// A formula's equations, and what the walk has yet to come to of each.

import type { Board, Piece, Step } from "../documents";

export type Equation = readonly Piece[];

const BRACKETS = /\(|\)|\\\{|\\\}/g;
const CLOSES: Record<string, string> = { "(": ")", "\\{": "\\}" };
/** What says nothing by itself: what ends an equation, and room. */
const EMPTY = /^(?:\\[;,]|[;,.\s])*$/;
/** What goes before a further term. */
const JOINS = /^(?:\\[;,]|[,+\s])+$/;

/** What a step shows of a board: an equation of its own, or the board's formula. */
export function formulaOf(board: Board, step: Step | null): readonly Equation[] {
  return step?.formula ?? board.formula;
}

/** A formula by its letters: one that two steps share grows from the one to the other. */
export function nameOf(formula: readonly Equation[]): string {
  return formula.flatMap((equation) => equation.map(({ tex }) => tex)).join(" ");
}

/** What stands for terms of an equation that is shown in part: dots, or what is asked, and the brackets that are open; else nothing. */
export function toCome(equation: Equation, terms: number, sign = "\\dots"): string {
  const isLater = ({ place, tex }: Piece) => place >= terms && !EMPTY.test(tex);
  const shown = equation.filter(({ place }) => place < terms);
  if (!shown.length || !equation.some(isLater)) return "";
  const open = shown.reduce<string[]>((before, { tex }) => openAfter(before, tex), []);
  const next = equation.find(({ place }) => place >= terms)?.tex ?? "";
  return `${JOINS.test(next) ? next : "\\;"}${sign}\\;${open.reverse().join("")}`;
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
