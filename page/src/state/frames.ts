// Over which ends along pictures are asked for, and what they are elsewhere, without being shown.

import type { Board, Mode, Views } from "../documents";
import { ask, facts } from "./asking";
import { type Along, address, answer, board, isStandIn, onScreen, step, turnedIn, view } from "./signals";

/** Lines as they were, where the frame of new ones reaches beyond what is known of them; null where it does not. */
export async function pastOver({ name }: Board, found: Views, fields: Record<string, string>): Promise<Views | null> {
  const known = isStandIn.value ? onScreen.value?.frame() : onScreen.value?.pastReach();
  const ends = found.views[placeIn(found)]?.axes.x.ends;
  if (!known || !ends || (known[0] <= ends[0] && ends[1] <= known[1])) return null;
  // A ghost that ends early is better than no answer.
  return ask<Views>(`boards/${name}/views`, { ...fields, ...over(ends) }).catch(() => null);
}

/** Where a bill's place lies beyond an axis: the axis reaches so much farther than that. */
const BEYOND = 1.05;

/** Ends along as far as to where a bill or a machine is read: what one has in hand is not moved by another number. */
export function reaching([low, high]: Along): Along {
  const told = step.value?.view === view.value ? step.value.read_at : null;
  const at = address.value.at ?? told ?? high;
  return [low, (step.value || address.value.board) && at > high ? at * BEYOND : high];
}

/** The same of pictures that have an axis of their own; where nobody computes, the place is shown at its end. */
export async function reachingViews({ name }: Board, found: Views, fields: Record<string, string>): Promise<Views> {
  const seen = found.views[placeIn(found)];
  const ends = seen?.axes.x.ends;
  const bills = seen?.kind === "curves" ? Object.values(seen.pictures).flatMap(({ bill }) => bill) : [];
  const isRead = bills.length > 0 || Object.keys(found.opened).length > 0;
  const wanted = isRead && ends ? reaching(ends) : null;
  if (!wanted || wanted[1] === ends?.[1]) return found;
  return ask<Views>(`boards/${name}/views`, { ...fields, ...over(wanted, found) }).catch(() => found);
}

/** The field that has the lines of the large view drawn between some ends of x. */
export function over(ends: Along | null | undefined, now = answer.value): { over?: string } {
  if (!ends || !now) return {};
  return { over: now.views.map((_, which) => (which === placeIn(now) ? ends.join(":") : "")).join(";") };
}

/** The field that has the large view drawn alone: under a hand the others are not waited for. */
export function alone(): { only?: string } {
  return answer.value ? { only: String(placeIn(answer.value)) } : {};
}

/** An answer with one view alone, and the others as they were: nobody sees them before the hand lets go. */
export function among(found: Views, before: Views | null): Views {
  const [large] = found.views;
  if (!large || !before || before.views.length === 1 || found.views.length > 1) return found;
  return { ...found, views: before.views.map((one, which) => (which === placeIn(before) ? large : one)) };
}

/** Which of the views is large. */
export function placeIn({ views }: Views): number {
  return Math.min(view.value, Math.max(0, views.length - 1));
}

/** The views in one mode with one control turned further, without showing them. */
export function viewsAt(control: string, text: string, mode: Mode): Promise<Views> {
  const fields = { ...turnedIn(mode), [control]: text, ...facts(address.value), mode };
  return ask<Views>(`boards/${board.value?.name ?? ""}/views`, { ...fields, ...alone() }).then((found) =>
    among(found, answer.value),
  );
}
