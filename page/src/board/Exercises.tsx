// Questions on a board, each a row that opens it on the board's picture; how many were answered right so far.

import type { Question } from "../documents";
import { PageLink } from "../shell/PageLink";
import { kept } from "../state/kept";
import { address, board, exercise, openExercise, shelf } from "../state/store";
import { given } from "../walk/guess";
import { score } from "./score";

export function Exercises({ exercises }: { exercises: Question[] }) {
  // What was answered just now is kept by now.
  given.value;
  const { answers } = kept();
  const chapter = shelf.value?.chapters.find(({ boards }) => boards.includes(board.value?.name ?? ""));
  const { right, all } = score(exercises.map(({ id }) => id));
  const whole = score(chapter?.exercises.map((one) => one.exercise) ?? []);
  const rows = (
    <ol>
      {exercises.map((one) => (
        <Row key={one.id} question={one} isRight={answers[one.id]} />
      ))}
    </ol>
  );
  return (
    <section id="exercises" aria-label="Exercises">
      <h2>
        Work it out yourself{" "}
        <small>
          {right} of {all} right here, {whole.right} of {whole.all} in this chapter
        </small>
      </h2>
      {rows}
    </section>
  );
}

const STATES = { right: "✓", wrong: "✗", open: "○" };
const WORDS = { right: "answered right", wrong: "not right yet", open: "not answered yet" };

function Row({ question: { id, question, place }, isRight }: { question: Question; isRight: boolean | undefined }) {
  const state = isRight === undefined ? "open" : isRight ? "right" : "wrong";
  const on = place?.board ?? board.value?.name ?? "";
  const { model, machine } = address.value;
  const facts = new URLSearchParams({ board: on, exercise: id, ...(model && { model }), ...(machine && { machine }) });
  return (
    <li class={`exercise ${state}`}>
      <PageLink to={`?${facts}`} go={() => openExercise(id, on)} aria-current={exercise.value?.id === id ? "true" : undefined}>
        <i aria-hidden="true">{STATES[state]}</i>
        <span>{question}</span>
        <span class="unseen">
          , {WORDS[state]}
          {place ? ", on the picture" : ""}
        </span>
      </PageLink>
    </li>
  );
}
