// What of a scene is seen before an answer is chosen, to reason from: it stands still until then.

import { at } from "../chart/numbers";
import type { Cells, Gantt, Played, RowOfRacks, Scene } from "../documents";

export interface Beforehand {
  picture: Scene;
  /** The part of the time at which it stands. */
  moment: number;
}

export const UNKNOWN = "?";

/** Null of a scene of which nothing may be seen. */
export function beforehand(picture: Scene): Beforehand | null {
  if ("batches" in picture)
    return { picture: { ...picture, gantt: alone(picture.gantt), batches: picture.batches.slice(0, 1) }, moment: 1 };
  if ("played" in picture)
    return { picture: { ...picture, played: picture.played.map((one, place) => (place ? empty(one) : one)) }, moment: 1 };
  if ("hbm_text" in picture) return { picture: single(picture), moment: 1 };
  // Its times are asked, and none has passed.
  return "so_text" in picture ? { picture: { ...picture, so_text: UNKNOWN }, moment: 0 } : null;
}

/** With the first of its batches alone. */
function alone(gantt: Gantt): Gantt {
  const ofFirst = ({ numbers, rows, starts, ends, ...same }: Cells): Cells => {
    const of = (all: number[]) => all.filter((_, place) => numbers[place] === 0);
    return { ...same, numbers: of(numbers), rows: of(rows), starts: of(starts), ends: of(ends) };
  };
  const played = gantt.played.map((one) => {
    const cells = one.cells.map(ofFirst);
    const busy = cells.flatMap(({ starts, ends }) => ends.map((end, place) => end - at(starts, place)));
    const all = gantt.stages * one.span;
    const idle = all - busy.reduce((sum, time) => sum + time, 0);
    return { ...one, cells, idle_text: `${Math.round((100 * idle) / all)} % idle`, name: `1 ${gantt.numbered}` };
  });
  return { ...gantt, played };
}

/** Its name alone. */
function empty(played: Played): Played {
  return { ...played, cells: [], kept: [], span: 0, idle_text: UNKNOWN };
}

/** With the first rack alone. */
function single(picture: RowOfRacks): RowOfRacks {
  const [has = ""] = picture.hbm_text.split(", ");
  const first = (bytes: number[]) => bytes.map((one, place) => (place ? 0 : one));
  return {
    ...picture,
    here: 0,
    hbm_text: has,
    parts: picture.parts.map((part) => ({ ...part, held: first(part.held) })),
    both_text: picture.both_text.map((text, place) => (place ? UNKNOWN : text)),
  };
}
