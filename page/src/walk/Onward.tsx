// From a step to all that its board has: other pictures, every control, models and machines, exercises.

import type { Board } from "../documents";
import { PageLink } from "../shell/PageLink";
import { type Address, HOME, write } from "../state/address";
import { address, go, isHeld, shown, turned, view } from "../state/store";

/** It comes once the step's question is answered, and keeps its place until then. */
export function Onward({ board: { name, exercises } }: { board: Board }) {
  const { model, machine, at } = address.value;
  const facts = { board: name, model, machine };
  const here: Address = { ...HOME, ...facts, view: view.value, shown: shown.value, at, turned: turned.value };
  const count = `${exercises.length} ${exercises.length > 1 ? "exercises" : "exercise"}`;
  const [first] = exercises;
  const asked: Address = { ...HOME, ...facts, board: first?.place?.board ?? name, exercise: first?.id ?? "" };
  return (
    <p class="onward" inert={isHeld.value}>
      <PageLink id="whole-board" to={write(here)} go={() => go(here)} title="All its pictures, controls, models and machines">
        Open this board
      </PageLink>
      {first && (
        <>
          {" · "}
          <PageLink to={write(asked)} go={() => go(asked)}>
            {count}
          </PageLink>
        </>
      )}
    </p>
  );
}
