// Questions on a board, and whether an answer is right: Python knows.

import { useState } from "preact/hooks";

import type { Question } from "../documents";
import { Refusal } from "../source/source";
import { keep, kept } from "../state/kept";
import { exercise, step } from "../state/store";

/** What is said of an answer. */
interface Said {
  /** Null where none was given, or none that could be read. */
  isRight: boolean | null;
  verdict: string;
  text: string;
}

export function Exercises({ exercises }: { exercises: Question[] }) {
  const answers = kept().answers;
  const right = exercises.filter(({ id }) => answers[id]).length;
  const all = exercises.map((one) => <Exercise key={one.id} question={one} />);
  const count = `${exercises.length} ${exercises.length > 1 ? "exercises" : "exercise"}`;
  return (
    <section id="exercises" aria-label="Exercises">
      <h2>
        Work it out yourself <small>{right ? `${right} of ${exercises.length} right so far` : ""}</small>
      </h2>
      {step.value ? (
        <details class="others">
          <summary>{count} on this board</summary>
          {all}
        </details>
      ) : (
        all
      )}
    </section>
  );
}

function Exercise({ question: { id, question, asked } }: { question: Question }) {
  const before = kept().answers[id];
  const [said, say] = useState<Said | null>(before ? { isRight: true, verdict: "✓ Right, last time.", text: "" } : null);
  const judge = async (given: string) => {
    try {
      const found = await exercise(id, given);
      const isRight = found.is_right ?? null;
      if (isRight !== null) keep({ answers: { ...kept().answers, [id]: isRight } });
      say({
        isRight,
        verdict: isRight === null ? "" : isRight ? "✓ Right." : "✗ Not quite.",
        text: isRight === false ? "Try again, or see how it is done." : found.working,
      });
    } catch (error) {
      say({ isRight: null, verdict: "", text: Refusal.from(error).message });
    }
  };
  const isRight = said?.isRight ?? null;
  const state = isRight === null ? "" : isRight ? "right" : "wrong";
  return (
    <div class={`exercise ${state}`}>
      <p>
        <label for={`answer-${id}`}>{question}</label>
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const given = String(new FormData(event.currentTarget).get("answer")).trim();
          if (given) void judge(given);
        }}
      >
        <input
          type="text"
          id={`answer-${id}`}
          name="answer"
          aria-describedby={`asked-${id}`}
          autocomplete="off"
          spellcheck={false}
        />
        <button type="submit">Check</button>
        <button type="button" onClick={() => void judge("")}>
          Show how
        </button>
      </form>
      <small class="asked" id={`asked-${id}`}>
        {asked}
      </small>
      <output for={`answer-${id}`}>
        {said?.verdict && <b>{said.verdict} </b>}
        {said?.text}
      </output>
    </div>
  );
}
