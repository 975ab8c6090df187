// What a step says: a chapter's title where one begins, the sentence, a question before the curve appears.

import type { ComponentChildren } from "preact";

import { Words } from "../board/Words";
import type { Prediction, Step } from "../documents";
import { sourced } from "../scenes/fetched";
import { hasMargin, isNarrow, isShort } from "../state/narrow";
import { address, isRevealed, shelf, step, walk } from "../state/store";
import { given, giveUp, guessAgain, guessed, marked, waiting, within } from "./guess";
import { isOfOthers } from "./live";
import { judgedBy } from "./near";
import { Other, Sentence } from "./Sentence";

export function Told() {
  const now = step.value;
  if (!now) return null;
  return (
    <section id="told" aria-label="What he argues" aria-live="polite">
      {isOpening(now) && <Opening key={now.chapter} name={now.chapter} />}
      <div class={now.choice ? "turns" : undefined}>
        <div>
          <Sentence key={now.id} step={now} />
          <Other step={now} />
          <Question step={now} />
          {sourced.value && <sourced.value.Choice step={now} />}
        </div>
        {sourced.value && !hasMargin.value && <sourced.value.Rooms step={now} />}
      </div>
    </section>
  );
}

/** Whether a chapter begins with it. */
export function isOpening(now: Step): boolean {
  return walk.value?.steps[address.value.step - 2]?.chapter !== now.chapter;
}

/** The chapter that begins: its number, its title, and what it answers. */
function Opening({ name }: { name: string }) {
  const chapters = shelf.value?.chapters ?? [];
  const place = chapters.findIndex((one) => one.name === name);
  const chapter = chapters[place];
  if (!chapter) return null;
  return (
    <div class="opening">
      <b aria-hidden="true">{place + 1}</b>
      <h2>
        <span class="unseen">Chapter {place + 1}: </span>
        {chapter.title}
      </h2>
      <p>{chapter.question}</p>
    </div>
  );
}

function Question({ step: { question } }: { step: Step }) {
  if (!question) return null;
  const found = given.value;
  const isOpen = !isRevealed.value;
  const counts = <small>{within(question.tolerance_ratio, isShort.value)}</small>;
  // Beside the dot where that is far from the words; on a phone under the thumb.
  const hands = !hasMargin.value && !isNarrow.value && <Hands />;
  const state = found && !isOpen ? (found.isRight ? "right" : "wrong") : "";
  return (
    <div class={`ask ${state}`} aria-live="polite">
      {/* All stand in one place, as high as the longest, so that the picture below stays where it is. */}
      <div class={isOpen ? undefined : "room"} aria-hidden={!isOpen}>
        <p id={isOpen ? "asked" : undefined}>
          <b>Your guess:</b> <Words text={question.prompt} /> {counts} {hands}
          <span class="unseen"> By keyboard: arrow keys on the picture move a dot from its low end, Enter gives it.</span>
        </p>
        {isNarrow.value && sourced.value && <sourced.value.Grounds />}
      </div>
      {!isOpen && (
        <Answered
          verdict={(isOfOthers) =>
            found ? (
              <b>{`${marked(found, found.text, isOfOthers)}.`}</b>
            ) : (
              isOfOthers && <small>{`${marked(null, "", true)}:`}</small>
            )
          }
          why={question.reveal}
          again={found ? "Guess again" : "Guess"}
          askAgain={guessAgain}
        />
      )}
      <p class="room" aria-hidden="true">
        <b>{`${marked({ isRight: true, isBefore: false }, longest(question), false)}. `}</b>
        {question.reveal}{" "}
        <button type="button" disabled>
          Guess again
        </button>
      </p>
    </div>
  );
}

interface Answer {
  /** How it came out, which may say that the picture is of other numbers than the question's. */
  verdict: (isOfOthers: boolean) => ComponentChildren;
  why: string;
  end?: string;
  again: string;
  askAgain: () => void;
}

/**
 * How a guess came out, why, and the button to guess again. A turned control makes the verdict longer, as it then says
 * that the picture is of other numbers; a phone keeps that room from the start, so that the chart below it does not move.
 */
export function Answered({ verdict, why, end = "", again, askAgain }: Answer) {
  return (
    <>
      <p>
        {verdict(isOfOthers.value)} <Words text={why} />
        {end}{" "}
        <button type="button" onClick={askAgain}>
          {again}
        </button>
      </p>
      {isNarrow.value && (
        <p class="room turned" aria-hidden="true">
          {verdict(true)} {why + end}{" "}
          <button type="button" disabled>
            {again}
          </button>
        </p>
      )}
    </>
  );
}

/** The words of a verdict that takes most room: of a guess that is just near enough. */
function longest(question: Prediction): string {
  const truth = question.axis === "x" ? question.x : question.y;
  return judgedBy(question, truth * (1 + NEARLY * (question.tolerance_ratio - 1)), truth).text;
}

/** Part of the way to what counts no more. */
const NEARLY = 0.95;

/** To give the dot that waits on the chart, or to give up. */
export function Hands() {
  const at = waiting.value;
  return (
    <>
      <button type="button" class="chart-check main" disabled={!at} onClick={() => at && guessed(...at)}>
        Check
      </button>{" "}
      <button type="button" onClick={giveUp}>
        Show it
      </button>
    </>
  );
}
