// Questions on a board, each a row that opens it on the board's picture; how many were answered right so far.

import type { Question } from "../documents";
import { PageLink } from "../shell/PageLink";
import { kept } from "../state/kept";
import { board, exercise, openExercise, shelf, whereabouts } from "../state/store";
import { given } from "../walk/guess";
import { score } from "./score";

/** So many stand beside the caption; more have two columns of their own. */
const FEW = 3;

export function Exercises({ exercises }: { exercises: Question[] }) {
  // What was answered just now is kept by now.
  given.value;
  const { answers } = kept();
  const chapter = shelf.value?.chapters.find(({ boards }) => boards.includes(board.value?.name ?? ""));
  const { right, all } = score(exercises.map(({ id }) => id));
  // Below the picture the next one is read in full, and the others have a line each.
  const next = exercise.value ? undefined : exercises.find(({ id }) => answers[id] !== true);
  const whole = score(chapter?.exercises.map((one) => one.exercise) ?? []);
  const rows = (
    <ol>
      {exercises.map((one) => (
        <Row
          key={one.id}
          question={one}
          isRight={answers[one.id]}
          isWhole={one === next || isTwice(one, exercises)}
          isNext={one === next}
        />
      ))}
    </ol>
  );
  return (
    <section id="exercises" class={exercises.length > FEW ? "many" : undefined} aria-label="Exercises">
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

/** The sentence that asks, and what is given before it and said after it. */
const ASKED = /^(.*[.?!]\s+(?=[A-Z]))?([^?]*\?)(.*)$/s;

const STATES = { right: "✓", wrong: "✗", open: "○" };
const WORDS = { right: "answered right", wrong: "not right yet", open: "not answered yet" };

interface Asked {
  question: Question;
  isRight: boolean | undefined;
  /** Whether what is given before it and said after it is seen, too. */
  isWhole: boolean;
  isNext: boolean;
}

/** Whether another one asks in the same words, of something else. */
function isTwice({ id, question }: Question, all: readonly Question[]): boolean {
  const asked = ASKED.exec(question)?.[2];
  return all.some((one) => one.id !== id && ASKED.exec(one.question)?.[2] === asked);
}

function Row({ question: { id, question, place }, isRight, isWhole, isNext }: Asked) {
  const state = isRight === undefined ? "open" : isRight ? "right" : "wrong";
  const on = place?.board ?? board.value?.name ?? "";
  const { model, machine } = whereabouts.value;
  const facts = new URLSearchParams({ board: on, exercise: id, ...(model && { model }), ...(machine && { machine }) });
  const isOpen = exercise.value?.id === id;
  const isSeen = isWhole && !isOpen;
  const [, given = "", asked = question, after = ""] = ASKED.exec(question) ?? [];
  return (
    <li class={`exercise ${state}${isNext ? " next" : ""}`}>
      <PageLink
        to={`?${facts}`}
        go={() => openExercise(id, on)}
        aria-current={isOpen ? "true" : undefined}
        title={isOpen ? undefined : question}
      >
        <i aria-hidden="true">{STATES[state]}</i>
        <span>
          <span class={isSeen ? "" : "unseen"}>{given}</span>
          {/* One that is open is read above its picture. */}
          <span class={isOpen ? "unseen" : ""}>{asked}</span>
          {isOpen && <span aria-hidden="true">This question</span>}
          <span class={isSeen ? "" : "unseen"}>{after}</span>
          {isNext && <b>{place ? "Answer it on the picture →" : "Answer it →"}</b>}
        </span>
        <span class="unseen">
          , {WORDS[state]}
          {place ? ", on the picture" : ""}
        </span>
      </PageLink>
    </li>
  );
}
