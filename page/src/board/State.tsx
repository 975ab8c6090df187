// What the picture is computed with: whose numbers, and where those controls stand that no slider shows.

import type { Board, Control, Mode, Views } from "../documents";
import { because, MODE_WORDS, sourcedOf, whyFilledIn } from "../state/modes";
import { isNarrow } from "../state/narrow";
import { format } from "../state/quantity";
import { inSight, single, step, turnedIn, view } from "../state/store";
import { Cited } from "./Cited";
import { parted } from "./dead";
import { GIVES } from "./gives";
import { lettersOf } from "./Symbols";

/** So many settings stand in its line; more wait below its first words. */
const MOST_IN_LINE = 3;

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
  // On a phone it stands below what turns the picture.
  const Line = isNarrow.value ? "div" : "figcaption";
  const isFolded = others.length > MOST_IN_LINE;
  const count = others.filter((control) => whyFilledIn(control, modes[0]) !== null).length;
  const standing = others.map((control, place) => (
    <span key={control.name}>
      {(place > 0 || !isFolded) && " · "}
      <Standing board={board} control={control} modes={modes} found={found} />
    </span>
  ));
  return (
    <Line class="state">
      {isFolded ? (
        <details key={`${board.name} ${view.value}`}>
          <summary>
            {whose(board, modes, live, true)}, {count ? `${count} ${GIVES["filled in"]}` : `${others.length} settings`}
          </summary>
          {standing}
        </details>
      ) : (
        <>
          {whose(board, modes, live)}
          {standing}
        </>
      )}
    </Line>
  );
}

/** "his numbers", and what of them is not, but where it is counted; of sourced ones what they are of; of two kinds which line is whose. */
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
      {his}; <i class="filled-in">in italics</i>, {GIVES["filled in"]}
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
