// What the picture is computed with: whose numbers, and where those controls stand that no slider shows.

import { computed, signal } from "@preact/signals";

import type { Board, Control, Mode, Views } from "../documents";
import { because, MODE_WORDS, sourcedOf, whyFilledIn } from "../state/modes";
import { isNarrow } from "../state/narrow";
import { format } from "../state/quantity";
import { answered, inSight, place, setAnew, single, step, turnedIn, view } from "../state/store";
import { Cited } from "./Cited";
import { parted } from "./dead";
import { GIVES } from "./gives";
import { lettersOf } from "./Symbols";

/** So many settings stand in a phone's line; more wait below its first words. */
const MOST_IN_LINE = 3;

/** Whether the answer on the screen is to a question for both kinds of numbers. */
const isOfBoth = computed(() => (answered.value ? (answered.value.shown ?? step.value?.mode) === "both" : false));

/** The first step on which somebody meets numbers that were filled in: it says how they look. */
const explains = signal("");

export function State({ board, found }: { board: Board; found: Views }) {
  const { live } = parted(board, view.value, step.value?.controls);
  // Letters of a formula say their numbers beside it; a phone has them folded, and until a question is answered no controls.
  const letters = isNarrow.value ? [] : (step.value?.letters ?? lettersOf(board));
  const seen = isNarrow.value && step.value?.question ? [] : inSight.value;
  const told = new Set([...seen, ...letters.map(({ control }) => control)]);
  const others = live.filter(({ name }) => !told.has(name));
  // Beside a board its own switch, selectors and sliders say all of that.
  if (!step.value && others.length === 0) return null;
  const modes = single.value ? [single.value] : found.modes;
  // Where there is room, what the step or somebody has set stands in the line; what is as always waits.
  const isInLine = ({ name }: Control) =>
    isNarrow.value ? others.length <= MOST_IN_LINE : modes.some((mode) => name in turnedIn(mode));
  const inLine = others.filter(isInLine);
  const waiting = others.filter((control) => !isInLine(control));
  // Beside a step's picture the switch says whose numbers one kind is of.
  const isSwitched = step.value !== null && !isNarrow.value && modes.length === 1;
  // Both were asked for, and one picture is both.
  const isOne = modes.length === 1 && isOfBoth.value && !single.value && !Object.keys(found.refused).length;
  const anew = setBy(live);
  const first = isOne
    ? `one picture is both: ${anew && `with ${anew}, `}${MODE_WORDS.lecture} numbers are the ${MODE_WORDS.careful} ones`
    : isSwitched
      ? explained(live, modes[0])
      : whose(board, modes, live, waiting.length > 0);
  // It comes under a hand: last, so that nothing moves.
  const own = anew && !isOne && !isSwitched ? `, and ${anew}` : "";
  const count = isSwitched ? 0 : waiting.filter((control) => whyFilledIn(control, modes[0]) !== null).length;
  const counts = count ? (
    <i class="filled-in">
      {count} {GIVES["filled in"]}
    </i>
  ) : (
    `${waiting.length} ${waiting.length > 1 ? "settings" : "setting"}`
  );
  const standing = (controls: readonly Control[], isAfter: boolean) =>
    controls.map((control, place) => (
      <span key={control.name}>
        {(place > 0 || isAfter) && " · "}
        <Standing board={board} control={control} modes={modes} found={found} />
      </span>
    ));
  // On a phone it stands below what turns the picture.
  const Line = isNarrow.value ? "div" : "figcaption";
  const words = first && waiting.length > 0 && !inLine.length ? <>{first}, </> : first;
  return (
    <Line class="state">
      {inLine.length > 0 || !waiting.length ? words : null}
      {standing(inLine, Boolean(first))}
      {inLine.length > 0 || !waiting.length ? own : null}
      {waiting.length > 0 && (
        <details key={`${board.name} ${view.value}`} class={inLine.length ? "further" : undefined}>
          <summary>
            {!inLine.length && words}
            {counts}
            {!inLine.length && own}
          </summary>
          {standing(waiting, false)}
        </details>
      )}
    </Line>
  );
}

/** How filled in numbers look, on the first step that has any. */
function explained(live: readonly Control[], mode: Mode | undefined) {
  if (!live.some((control) => whyFilledIn(control, mode) !== null)) return null;
  if (!explains.peek()) explains.value = step.value?.id ?? "";
  return explains.value === step.value?.id ? <Italics /> : null;
}

function Italics() {
  return (
    <>
      <i class="filled-in">in italics</i>, {GIVES["filled in"]}
    </>
  );
}

/** Who has set numbers anew that move the picture, which are neither his nor sourced; empty for nobody. */
function setBy(live: readonly Control[]): string {
  if (!live.some(({ name }) => name in setAnew.value)) return "";
  return place.value ? "the exercise's" : "yours";
}

/** "his numbers" and what of them is not, but where it is counted; of sourced ones what they are of; of two kinds which line is whose. */
function whose(board: Board, modes: readonly Mode[], live: readonly Control[], isBare = false) {
  const facts = sourcedOf(board);
  const [first, second] = modes;
  if (first === "careful") return `${MODE_WORDS.careful} numbers${facts && ` of ${because(board)}`}`;
  const of = live.find(({ name, lecture_of }) => lecture_of && !(name in turnedIn("lecture")))?.lecture_of;
  const bracketed = (words: string, more: string | undefined) => (more ? `${words} (${more})` : words);
  const his = second
    ? `${bracketed(`dashed ${MODE_WORDS.lecture}`, of)}, ${bracketed(`solid ${MODE_WORDS.careful}`, facts)}`
    : bracketed(`${MODE_WORDS.lecture} numbers`, of);
  if (isBare || !live.some((control) => whyFilledIn(control, first) !== null)) return his;
  return (
    <>
      {his}; <Italics />
    </>
  );
}

/** "bandwidth 3.33 TB/s"; of two modes both where they differ; a unit that says what it is stands alone. */
function Standing({ board, control, modes, found }: { board: Board; control: Control; modes: readonly Mode[]; found: Views }) {
  const { name, short, dimension } = control;
  const texts = modes.map((mode) => format(found.controls[mode]?.[name] ?? 0, dimension));
  const [first = ""] = texts;
  const seen = texts.filter((text, place) => !place || text !== first);
  return (
    <>
      {!texts.at(-1)?.endsWith(short) && `${short} `}
      {seen.map((text, place) => [
        place > 0 && " / ",
        <Cited key={text} board={board} control={control} mode={modes[place]}>
          {text}
        </Cited>,
      ])}
    </>
  );
}
