// From a step to all that its board has: other pictures, every control, models and machines, exercises.

import { ExercisesLink } from "../board/ExercisesLink";
import type { Board } from "../documents";
import { PageLink } from "../shell/PageLink";
import { type Address, HOME, write } from "../state/address";
import { address, goToTop, isHeld, shown, turned, view } from "../state/store";

/** It comes once the step's question is answered, and keeps its place until then. */
export function Onward({ board }: { board: Board }) {
  const { model, machine, at } = address.value;
  const here: Address = {
    ...HOME,
    board: board.name,
    model,
    machine,
    view: view.value,
    shown: shown.value,
    at,
    turned: turned.value,
  };
  return (
    <p class="onward" inert={isHeld.value}>
      <PageLink
        id="whole-board"
        to={write(here)}
        go={() => goToTop(here)}
        title="All its pictures, controls, models and machines"
      >
        Open this board
      </PageLink>
      <ExercisesLink board={board} />
    </p>
  );
}
