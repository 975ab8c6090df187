// A question with a few answers: they stand below it, or on a small screen where the picture comes; one tap tells, and why is said beside the words.

import "./choice.css";

import { Words } from "../board/Words";
import { begun } from "../chart/verdict";
import type { Choice as Asked, Step } from "../documents";
import { hasMargin } from "../state/narrow";
import { isChoosing, isRevealed, said, step } from "../state/store";
import { type Guess, given, giveUp, guessAgain, marked, taken } from "./guess";
import { chosenWords } from "./outcome";
import { Answered } from "./Told";

/** Beneath what the step says: the question, then how it was answered. */
export function Choice({ step: { choice } }: { step: Step }) {
  if (!choice) return null;
  const isOpen = !isRevealed.value;
  const found = given.value;
  const state = found && !isOpen ? (found.isRight ? "right" : "wrong") : "";
  return (
    <>
      <div class={`ask ${state}`} aria-live="polite">
        {isOpen ? (
          <p id="asked">
            <b>Your guess:</b> <Words text={choice.prompt} />
          </p>
        ) : (
          <Answered
            verdict={(isOfOthers) => <b>{verdictOf(choice, found, isOfOthers)}</b>}
            why={choice.why}
            end="."
            again={found ? "Choose again" : "Choose"}
            askAgain={chooseAgain}
          />
        )}
      </div>
      {hasMargin.value && <Options />}
    </>
  );
}

/** Room for what is told before and after, so that what stands below stays where it is. */
export function Rooms({ step: { sentence, choice } }: { step: Step }) {
  if (!choice) return null;
  const { prompt, options, right, why } = choice;
  const longest = options.reduce(
    (most, { name }, which) => (name.length > (options[most]?.name.length ?? 0) ? which : most),
    0,
  );
  const wrong = verdictOf(choice, { isRight: longest === right, value: longest, isBefore: true }, false);
  const states = [
    { words: sentence.slice(0, choice.told), told: "Your guess:", asked: prompt, isAfter: false },
    { words: sentence, told: wrong, asked: `${why}.`, isAfter: true },
  ];
  return (
    <>
      {states.map(({ words, told, asked, isAfter }) => (
        <div key={words} class="room" aria-hidden="true">
          <p class="sentence">{words}</p>
          <div class="ask">
            <p>
              <b>{told}</b> {asked}{" "}
              {isAfter && (
                <button type="button" disabled>
                  Choose again
                </button>
              )}
            </p>
          </div>
        </div>
      ))}
    </>
  );
}

type Given = Pick<Guess, "isRight" | "value" | "isBefore">;

/** How it was answered: "✓ As much:", or "✗ Not half as much, but as much:". */
function verdictOf(asked: Asked, found: Given | null, isOther: boolean): string {
  return `${marked(found, chosenWords(asked, found?.value ?? asked.right), isOther)}:`;
}

/** Who asks again by a key goes on at the first answer. */
function chooseAgain(): void {
  guessAgain();
  requestAnimationFrame(() => document.querySelector<HTMLElement>(".options > button")?.focus({ preventScroll: true }));
}

/** Below the question, or on the sheet where the picture comes. */
export function Options() {
  const { choice } = step.value ?? {};
  if (!choice || !isChoosing.value) return null;
  const { options } = choice;
  const most = Math.max(...options.map(({ size }) => size ?? 0));
  const choose = (which: number) => {
    taken(choice, which);
    said.value = verdictOf(choice, given.value, false);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: one press answers, which no field of radio buttons does
    <div class="options" role="group" aria-labelledby="asked">
      {options.map(({ name, size, colour }, which) => (
        <button key={name} type="button" onClick={() => choose(which)}>
          {colour && <i class="swatch" data-colour={colour} />}
          <span>{begun(name)}</span>
          {size !== null && most > 0 && <i class="bar" style={{ "--part": size / most }} />}
        </button>
      ))}
      <button type="button" class="show-it" onClick={giveUp}>
        Show it
      </button>
    </div>
  );
}
