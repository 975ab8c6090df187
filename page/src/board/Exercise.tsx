// One exercise, open over the width of the stage: its question above the picture, its answer below.

import { useEffect, useRef, useState } from "preact/hooks";

import type { Board, Question } from "../documents";
import { PageLink } from "../shell/PageLink";
import { Refusal } from "../source/source";
import { stepQuery } from "../state/address";
import { hasAside, isNarrow } from "../state/narrow";
import { format } from "../state/quantity";
import { isRevealed, openExercise, shelf, walkTo } from "../state/store";
import { given, guessAgain, marked, wrote } from "../walk/guess";
import { Formula } from "./Formula";
import { nextOf, score } from "./score";

export function ExerciseQuestion({ exercise, board }: { exercise: Question; board: Board }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // Who opened it by a key reads on from here.
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    if (scrollY > 0) document.getElementById("board")?.scrollIntoView({ block: "start" });
  }, [exercise.id]);
  return (
    <section class="exercise-question" aria-label="Exercise">
      <div>
        <p class="where">
          <button type="button" class="close" onClick={() => openExercise("")}>
            ← Back to the board
          </button>{" "}
          Exercise on {board.title.charAt(0).toLowerCase() + board.title.slice(1)}
        </p>
        <h1 id="title" tabIndex={-1} ref={heading}>
          {exercise.question}
        </h1>
      </div>
      {!isNarrow.value && <ExerciseAnswer key={exercise.id} exercise={exercise} />}
      {!hasAside.value && <Formula board={board} />}
    </section>
  );
}

/** Under its question; on a phone under the picture, beneath the thumb. */
export function ExerciseAnswer({ exercise: { id, asked, dimension, place } }: { exercise: Question }) {
  const [refused, refuse] = useState("");
  const found = given.value;
  const answer = async (text: string) => {
    refuse("");
    await wrote(id, text).catch((error: unknown) => refuse(Refusal.from(error).message));
  };
  const isOpen = !isRevealed.value;
  return (
    <section class={`exercise-answer ${found?.text ? (found.isRight ? "right" : "wrong") : ""}`} aria-label="Your answer">
      {isOpen ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const text = String(new FormData(event.currentTarget).get("answer")).trim();
            if (text) void answer(text);
          }}
        >
          <label for={`answer-${id}`}>{place ? "Put the dot on the picture, or type a number:" : "Type a number:"}</label>
          <input
            type="text"
            id={`answer-${id}`}
            name="answer"
            aria-describedby={`asked-${id}`}
            autocomplete="off"
            spellcheck={false}
          />
          <button type="submit">Check</button>
          <button type="button" onClick={() => void answer("")}>
            Show how
          </button>
          <small class="asked" id={`asked-${id}`}>
            {asked.charAt(0).toUpperCase() + asked.slice(1)}.
            {place &&
              ` A typed number counts as near as the question asks, a dot put by hand within ${reach(place.tolerance_ratio)}. Numbers that the question leaves out are the board's.`}
          </small>
        </form>
      ) : (
        <p class="after">
          <Onward id={id} />
          <button type="button" onClick={guessAgain}>
            {place ? "Try again" : "Answer again"}
          </button>
        </p>
      )}
      <output for={`answer-${id}`}>
        {refused}
        {!refused && found && (
          <>
            {found.text && (
              <b>
                {marked(
                  found,
                  found.value === null || !place || found.isRight
                    ? found.text
                    : `${format(found.value / place.times, dimension)} is ${found.text}`,
                  false,
                )}
                .{" "}
              </b>
            )}
            {isOpen ? "Try another number, or let the page show how." : found.working && `${found.working.working}.`}
          </>
        )}
      </output>
    </section>
  );
}

/** How far a dot may be off, as far as a hand can place it: "6 %". */
function reach(ratio: number): string {
  return format(ratio - 1, "fraction", 1);
}

/** What comes next, and how far one is in the chapter. */
function Onward({ id }: { id: string }) {
  const chapters = shelf.value?.chapters ?? [];
  const own = chapters.find(({ exercises }) => exercises.some((one) => one.exercise === id));
  const next = nextOf(id, chapters);
  const { right, all } = score(own?.exercises.map((one) => one.exercise) ?? []);
  return (
    <>
      {next ? (
        <button type="button" class="main" id="next" onClick={() => openExercise(next.exercise.exercise, next.exercise.board)}>
          Next exercise{next.chapter === own ? "" : `: ${next.chapter.label}`} →
        </button>
      ) : (
        <PageLink id="next" to={stepQuery(1)} go={() => walkTo(1)}>
          All answered right. Back to the lecture →
        </PageLink>
      )}
      <span class="count">
        {right} of {all} right in this chapter
      </span>
    </>
  );
}
