// To what a board asks: its first exercise, beside which the others are listed.

import type { Board } from "../documents";
import { PageLink } from "../shell/PageLink";
import { HOME, write } from "../state/address";
import { address, go, walk } from "../state/store";

export function ExercisesLink({ board: { name, time_stamp, exercises } }: { board: Board }) {
  const [first] = exercises;
  if (!first) return null;
  const { model, machine } = address.value;
  const asked = { ...HOME, model, machine, board: first.place?.board ?? name, exercise: first.id };
  return (
    <>
      {/* After a moment of the recording or a step; a board that is of neither begins with it. */}
      {(time_stamp || walk.value?.steps.some((one) => one.board === name)) && " · "}
      <PageLink to={write(asked)} go={() => go(asked)}>
        {`${exercises.length} ${exercises.length > 1 ? "exercises" : "exercise"}`}
      </PageLink>
    </>
  );
}
