// A number that says where it is from: its card is fetched after the first view. One among the lecture's that he does not
// give has another slope.

import type { ComponentChildren } from "preact";

import type { Board, Control, Mode } from "../documents";
import { sourced } from "../scenes/fetched";
import { whyFilledIn } from "../state/modes";
import { explained } from "./Words";

/** Of a card, by the number that it is of. */
export function cardName({ name }: Control, mode: Mode): string {
  return `${mode}-${name}`;
}

/** What finds the card of a number; nothing where it has none. */
export function cardOf(board: Board, control: Control | undefined, mode: Mode | undefined) {
  return explained(control && mode && sourced.value?.groundOf(board, control, mode) ? cardName(control, mode) : undefined);
}

interface Number {
  board: Board;
  control: Control | undefined;
  mode: Mode | undefined;
  children: ComponentChildren;
}

export function Cited({ board, control, mode, children }: Number) {
  const card = cardOf(board, control, mode);
  const text = control && whyFilledIn(control, mode) !== null ? <i class="filled-in">{children}</i> : children;
  if (!("data-word" in card)) return <>{text}</>;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a button does not stand in a line as a number does
    <span class="cited" role="button" tabIndex={0} {...card}>
      {text}
    </span>
  );
}
