// To what a board asks: its first exercise, beside which the others are listed.

import type { Board } from "../documents";
import { PageLink } from "../shell/PageLink";
import { HOME, write } from "../state/address";
import { address, go } from "../state/store";

export function ExercisesLink({ board: { name, exercises } }: { board: Board }) {
  const [first] = exercises;
  if (!first) return null;
  const { model, machine } = address.value;
  const asked = { ...HOME, model, machine, board: first.place?.board ?? name, exercise: first.id };
  return (
    <>
      {" · "}
      <PageLink to={write(asked)} go={() => go(asked)}>
        {`${exercises.length} ${exercises.length > 1 ? "exercises" : "exercise"}`}
      </PageLink>
    </>
  );
}
