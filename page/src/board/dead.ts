// Which controls move the picture that is shown.

import type { Board, Control } from "../documents";

export interface Parted {
  /** They move what is shown. */
  live: Control[];
  /** They move other pictures of the board alone, or lines that a step of the walk does not show yet. */
  dead: Control[];
}

/** The controls of a board, by whether one of its pictures depends on them, or what a step shows of it. */
export function parted(
  { controls, view_controls }: Pick<Board, "controls" | "view_controls">,
  view: number,
  offered: string[] = [],
): Parted {
  const read = new Set(offered.length ? offered : view_controls[Math.min(view, view_controls.length - 1)]);
  return { live: controls.filter(({ name }) => read.has(name)), dead: controls.filter(({ name }) => !read.has(name)) };
}
