// What the two kinds of numbers are called, and what is meant by that.

import type { Board, Control, Mode, Turned } from "../documents";
import type { Whose } from "./address";
import { called } from "./called";
import { address, pinnedIn, setAnew, shelf, shown, step } from "./signals";

export const MODE_WORDS: Record<Whose, string> = { both: "both", lecture: "his", careful: "sourced" };

/** Where one is chosen, in the order of the choice. */
const CHOICES: Record<Whose, string> = { lecture: "Pope's numbers", both: "both", careful: "sourced" };
export const MODES = Object.keys(CHOICES) as Whose[];

/** Model and machine that a board's sourced numbers are of; or what of them differs from the rest of the walk. */
export function sourcedOf({ takes_facts, has_model, model, machine }: Board, isOther = false): string {
  if (!takes_facts) return "";
  const [of, on] = [address.value.model || model, address.value.machine || machine];
  const usual = isOther ? shelf.value : null;
  return [has_model && of !== usual?.model && called(of), on !== usual?.machine && called(on)].filter(Boolean).join(" on ");
}

/** A choice; on the walk the sourced ones say what they are of where that is something else than at the other steps. */
export function choice(mode: Whose, board: Board, isWalked: boolean): string {
  const other = mode === "careful" && isWalked ? sourcedOf(board, true) : "";
  return other ? `${CHOICES[mode]}: ${other}` : CHOICES[mode];
}

/** The same, and why it is of another model than the rest. */
export function because(board: Board): string {
  return [sourcedOf(board), board.why_model].filter(Boolean).join(": ");
}

export function meaning(mode: Whose, board: Board): string {
  const facts = sourcedOf(board);
  if (mode === "both") return `Pope's numbers and sourced ones${facts && ` (${facts})`} in one picture, on the same axes`;
  if (mode === "lecture") return "What Reiner Pope says or implies in the lecture; what we filled in stands in italics";
  return `The same equations on sourced numbers${facts && ` of ${facts}`}, each with its source${board.why_model && ` (${board.why_model})`}`;
}

/** Over his claims; beside a picture of sourced numbers it says that these are not. */
export function saysHere(): string {
  return shown.value === "careful" ? "What he says here, by his own numbers" : "What he says here";
}

/** Who gives a number that the step has set in a mode; null where it has set none. */
export function turnedBy(name: string, mode: Mode): Turned | null {
  return (name in pinnedIn(mode) && step.value?.turned_by[name]) || null;
}

/** Why a number that stands among the lecture's was filled in; null of what he gives, and of what a hand has turned. */
export function whyFilledIn({ name, filled_in }: Control, mode: Mode | undefined): string | null {
  if (mode !== "lecture" || name in setAnew.value) return null;
  const by = turnedBy(name, mode);
  return by ? (by.origin === "filled in" ? by.why : null) : (filled_in ?? null);
}
