// Which controls move the picture that is shown, and which of them are seen before anybody asks for more.

import type { Board, Control } from "../documents";

export interface Parted {
  /** They move what is shown. */
  live: Control[];
  /** They move other pictures of the board alone, or lines that a step of the walk does not show yet. */
  dead: Control[];
}

/** Names of those that a step offers; null for all. */
type Offered = readonly string[] | null;

/** The names that move a picture, or what a step shows of it: first what moves it farthest. */
function moving({ view_controls }: Pick<Board, "view_controls">, view: number, offered: Offered): readonly string[] {
  const all = view_controls[Math.min(view, view_controls.length - 1)] ?? [];
  return offered ? [...offered].sort((one, other) => all.indexOf(one) - all.indexOf(other)) : all;
}

/** The controls of a board, by whether one of its pictures depends on them, or what a step shows of it. */
export function parted(board: Pick<Board, "controls" | "view_controls">, view: number, offered: Offered = null): Parted {
  const { controls } = board;
  const read = new Set(moving(board, view, offered));
  return { live: controls.filter(({ name }) => read.has(name)), dead: controls.filter(({ name }) => !read.has(name)) };
}

/**
 * Names of the live controls that are seen where so many places are: those that somebody turned, then those that move
 * the picture farthest. The way to the others takes a place, too.
 */
export function first(
  board: Pick<Board, "controls" | "view_controls">,
  view: number,
  offered: Offered,
  isTurned: (name: string) => boolean,
  places: number,
): Set<string> {
  const { live, dead } = parted(board, view, offered);
  const ranked = [...moving(board, view, offered)].filter((name) => live.some((one) => one.name === name));
  if (live.length + Math.min(1, dead.length) <= places) return new Set(ranked);
  const wanted = [...ranked.filter(isTurned), ...ranked.filter((name) => !isTurned(name))];
  return new Set(wanted.slice(0, Math.max(places - 1, ranked.filter(isTurned).length)));
}

/** So many controls has a step of the walk. */
const MOST_IN_PLAY = 3;

/** Of a step's: what somebody turned, then letters of what the formula has new, then what moves the picture farthest. */
export function inPlay(
  board: Pick<Board, "controls" | "view_controls">,
  view: number,
  offered: Offered,
  fresh: readonly string[],
  isTurned: (name: string) => boolean,
): Set<string> {
  const ranked = moving(board, view, offered);
  const turned = board.controls.map(({ name }) => name).filter(isTurned);
  const wanted = [...turned, ...ranked.filter((name) => fresh.includes(name)), ...ranked];
  return new Set([...new Set(wanted)].slice(0, Math.max(MOST_IN_PLAY, turned.length)));
}
