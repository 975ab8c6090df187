// Over which ends along pictures are asked for, and what they are elsewhere, without being shown.

import type { Board, Mode, Views } from "../documents";
import { ask, facts } from "./asking";
import { type Along, address, answer, board, isStandIn, onScreen, turned, view } from "./signals";

/** Lines as they were, where the frame of new ones reaches beyond what is known of them; null where it does not. */
export async function pastOver({ name }: Board, found: Views, fields: Record<string, string>): Promise<Views | null> {
  const known = isStandIn.value ? onScreen.value?.frame() : onScreen.value?.pastReach();
  const ends = found.views[placeIn(found)]?.axes.x.ends;
  if (!known || !ends || (known[0] <= ends[0] && ends[1] <= known[1])) return null;
  // A ghost that ends early is better than no answer.
  return ask<Views>(`boards/${name}/views`, { ...fields, ...over(ends) }).catch(() => null);
}

/** The field that has the lines of the large view drawn between some ends of x. */
export function over(ends: Along | null | undefined): { over?: string } {
  const now = answer.value;
  if (!ends || !now) return {};
  return { over: now.views.map((_, which) => (which === placeIn(now) ? ends.join(":") : "")).join(";") };
}

/** Which of the views is large. */
function placeIn({ views }: Views): number {
  return Math.min(view.value, Math.max(0, views.length - 1));
}

/** The views in one mode with one control turned further, without showing them. */
export function viewsAt(control: string, text: string, mode: Mode): Promise<Views> {
  const fields = { ...turned.value, [control]: text, ...facts(address.value), mode };
  return ask<Views>(`boards/${board.value?.name ?? ""}/views`, fields);
}
