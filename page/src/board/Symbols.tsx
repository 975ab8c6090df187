// The letters of a formula, each with its meaning and its number.

import { Fragment } from "preact";

import type { Board, Control, Letter, Mode } from "../documents";
import { MODE_WORDS, whyFilledIn } from "../state/modes";
import { isNarrow } from "../state/narrow";
import { format } from "../state/quantity";
import { answer, held, isAsked, lettered, step, view, walk } from "../state/store";
import { Cited } from "./Cited";
import { hint } from "./Formula";
import { Tex } from "./tex";

/** More of a step's are too long a row to say again what earlier steps said. */
const MOST_SAID_AGAIN = 4;
/** Characters of a meaning that leave a column room for two numbers with their units. */
const MOST_BESIDE_TWO = 16;

export function Symbols({ board }: { board: Board }) {
  const letters = step.value?.letters ?? lettersOf(board);
  if (!letters.length) return null;
  const asked = (isAsked.value ? step.value?.letters_asked : undefined) ?? letters.length;
  const told = isNarrow.value || !step.value || letters.length <= MOST_SAID_AGAIN ? null : toldBefore();
  const list = (
    <ul id="symbols" class={!step.value && (answer.value?.modes.length ?? 0) > 1 ? "pairs" : ""}>
      {letters.map((letter, place) => {
        // Its number alone, where it has one; what it means is a hover away.
        const isTold = letter.control !== null && told?.has(letter.tex + letter.meaning);
        const isPointed = letter.control !== null && letter.control === (held.value || lettered.value);
        return (
          <li
            key={letter.tex}
            class={`${isPointed ? "pointed" : ""} ${isLong(board, letter) ? "long" : ""} ${isTold ? "known" : ""} ${place < asked ? "" : "awaited"}`}
            data-means={isTold ? letter.meaning : undefined}
          >
            <Tex tex={letter.tex} /> <span class={isTold ? "unseen" : ""}>{letter.meaning}</span>
            <Numbers board={board} letter={letter} />
          </li>
        );
      })}
      {step.value && letters.some(({ control }) => control) && (
        <li class="spare">
          {(answer.value?.modes.length ?? 0) > 1 ? `${MODE_WORDS.lecture} / ${MODE_WORDS.careful}` : hint()}
        </li>
      )}
    </ul>
  );
  if (!isNarrow.value) return list;
  return (
    <>
      <details class="letters">
        <summary>What the letters stand for</summary>
        {list}
      </details>
      {step.value &&
        letters.map((letter, place) => (
          <div key={letter.tex} id={`word-letter-${place}`} class="card-of-word" popover="manual" role="tooltip">
            <Tex tex={letter.tex} /> {letter.meaning} <b class="number">{[...textsOf(board, letter).keys()].join(" · ")}</b>
          </div>
        ))}
    </>
  );
}

/** Letters of the equations that the picture draws. */
export function lettersOf({ symbols, drawn }: Board): Letter[] {
  const seen = drawn[view.value]?.letters;
  return symbols.filter(({ tex }) => seen?.includes(tex) ?? true);
}

/** Where its meaning and its numbers do not stand in one column of a board: two numbers, or one that says of what it is. */
function isLong(board: Board, letter: Letter): boolean {
  const texts = [...textsOf(board, letter).keys()];
  const isPair = texts.length > 0 && (answer.value?.modes.length ?? 0) > 1;
  return (isPair && letter.meaning.length > MOST_BESIDE_TWO) || texts.some((text) => text.includes(", "));
}

/** Letters, each with its meaning, that earlier steps of the chapter explain. */
function toldBefore(): Set<string> {
  const { steps = [] } = walk.value ?? {};
  const here = step.value ? steps.findIndex(({ id }) => id === step.value?.id) : 0;
  const before = steps.slice(0, here).filter(({ chapter }) => chapter === step.value?.chapter);
  return new Set(before.flatMap(({ letters }) => letters.map(({ tex, meaning }) => tex + meaning)));
}

/**
 * As wide as it comes to be while it is turned, of three digits, a point and a wide prefix: what follows stays where it is.
 * Of what has no unit all may be behind the point: where it is computed, and no range holds it, two noughts as well.
 */
function widest(text: string, isComputed: boolean): string {
  if (/^[\d.,]+([kMBT]|\s%)?$/.test(text)) return text.replace(/[\d.,]+[kMBT]?/, isComputed ? "0.00000" : "0.000");
  return text
    .replace(/[\d.,]+/, "0.00")
    .replace(/^(\D*0\.00\s?)[kGTP]/, "$1M")
    .replace(/ (?=(?:B|s|W|FLOP)\b)/, " M");
}

/** Its number in each mode that is shown, once where all are alike. */
function textsOf(board: Board, { tex, control }: Letter): Map<string, Mode> {
  const found = answer.value;
  const dimension = board.controls.find(({ name }) => name === control)?.dimension;
  const texts = new Map<string, Mode>();
  for (const mode of found?.modes ?? []) {
    const value = control ? found?.controls[mode]?.[control] : undefined;
    const text = dimension && value !== undefined ? format(value, dimension) : found?.letters[mode]?.[tex];
    if (text && !texts.has(text)) texts.set(text, mode);
  }
  return texts;
}

/** Of what he does not say himself the numbers that he gives, whose product it is, each with its value. */
function factorsOf(board: Board, { factors = [] }: Letter, mode: Mode): [Control, string][] {
  const controls = mode === "lecture" ? board.controls.filter(({ name }) => factors.includes(name)) : [];
  return controls.map((one) => [one, format(answer.value?.controls[mode]?.[one.name] ?? 0, one.dimension)]);
}

function Numbers({ board, letter }: { board: Board; letter: Letter }) {
  const { control } = letter;
  const named = (wanted: string | null | undefined) => board.controls.find(({ name }) => name === wanted);
  // What is reckoned from others has a control's sources.
  const from = (mode: Mode) => named(control) ?? (factorsOf(board, letter, mode).length ? undefined : named(letter.of));
  // As below a board's picture: his / sourced.
  const before = (which: number) => (which > 0 ? " / " : "");
  const all = [...textsOf(board, letter)];
  // Beside a sourced number in its column there is no room for them.
  const isPair = all.length > 1 && !step.value;
  const told = (mode: Mode) => (isPair ? [] : factorsOf(board, letter, mode));
  return (
    <>
      {" "}
      <span
        class="amounts"
        // Of two numbers there is no room for more: with it the row would break, and the picture move, when a mode comes.
        data-widest={
          all.length > 1 && step.value
            ? undefined
            : all
                .map(([text, mode], which) => {
                  const factors = told(mode).map(([, factor]) => widest(factor, false));
                  return before(which) + [widest(text, control === null), ...factors].join(" × ");
                })
                .join("")
        }
      >
        <span>
          {all.map(([text, mode], which) => (
            <span key={mode}>
              {before(which)}
              <b class="number" data-mode={mode} data-of={control ?? undefined}>
                <Cited board={board} control={from(mode)} mode={mode}>
                  {factorsOf(board, letter, mode).some(([one]) => whyFilledIn(one, mode) !== null) ? (
                    <i class="filled-in">{text}</i>
                  ) : (
                    text
                  )}
                </Cited>
              </b>
              {told(mode).map(([factor, value], place) => (
                <Fragment key={factor.name}>
                  {place ? " × " : " = "}
                  <Cited board={board} control={factor} mode={mode}>
                    {value}
                  </Cited>
                </Fragment>
              ))}
            </span>
          ))}
        </span>
      </span>
    </>
  );
}
