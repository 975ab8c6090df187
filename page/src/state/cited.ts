// What numbers rest on: of the lecture's the second at which they are said, of others how they follow, and their sources.

import { GIVES } from "../board/gives";
import type { Board, Cite, Control, Ground, Mode, Origin } from "../documents";
import { turnedBy } from "./modes";
import { setAnew, sources, whereabouts } from "./signals";

/** Of a number of a control that nobody turned; nothing where there is none to tell. */
export function groundOf(board: Board, control: Control, mode: Mode): Ground | null {
  const { name, lecture_origin: origin, filled_in: why, hedge, careful, lecture } = control;
  if (name in setAnew.value) return null;
  const by = turnedBy(name, mode);
  if (by) return given(by.origin, by.why);
  if (mode === "lecture") return origin ? given(origin, why || hedge) : null;
  const { model, machine } = whereabouts.value;
  const known = sources.value?.grounds[`${model || board.model} ${machine || board.machine}`];
  const found = known?.[`${board.name}/${name}`] ?? known?.[name];
  if (found) return found;
  return known && careful !== null && careful !== lecture ? { how: "Chosen here: no source has it.", cites: [] } : null;
}

function given(origin: Origin, why: string | undefined): Ground {
  return { how: `${GIVES[origin]}${why ? `: ${why}` : ""}`, cites: [] };
}

/** What all of a board's numbers rest on, each source once. */
export function sourcesOf(board: Board): Cite[] {
  const all = board.controls.flatMap((control) => groundOf(board, control, "careful")?.cites ?? []);
  return [...new Set(all.map(({ source }) => source))].map((source) => ({ source, said: "" }));
}
