// One thing to try on a board: a control, where to, and what is then seen. It is done at a press, and undone at the next.

import type { Board } from "../documents";
import { address, go, turn, view } from "../state/store";
import { Tex } from "./tex";

export function Try({ board }: { board: Board }) {
  const { control: name, text, then } = board.first_move;
  const control = board.controls.find((one) => one.name === name);
  if (!control) return null;
  const isDone = address.value.turned[name] === text && view.value === 0;
  const act = () => {
    if (isDone) return turn(name, null, true);
    // What it moves is on the first picture.
    if (view.value !== 0) return go({ view: null, turned: { ...address.value.turned, [name]: text } });
    // As by a hand, so that what was before stays to be seen.
    turn(name, text, false);
    turn(name, text, true);
  };
  return (
    <p id="try">
      <b>Try:</b>{" "}
      <button type="button" aria-pressed={isDone} onClick={act}>
        {control.tex && <Tex tex={control.tex} />} {control.short} to {text}
        {isDone && <i>↺</i>}
      </button>{" "}
      <span>{then}.</span>
    </p>
  );
}
