// Which controls move the picture that is shown.

import type { Board, Control } from "../documents";

export interface Parted {
  /** They move this picture. */
  live: Control[];
  /** They move others of the board alone. */
  dead: Control[];
}

/** The controls of a board, by whether one of its pictures depends on them. */
export function parted({ controls, view_controls }: Pick<Board, "controls" | "view_controls">, view: number): Parted {
  const read = new Set(view_controls[Math.min(view, view_controls.length - 1)]);
  return { live: controls.filter(({ name }) => read.has(name)), dead: controls.filter(({ name }) => !read.has(name)) };
}
