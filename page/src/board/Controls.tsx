// What can be turned: a slider for the hand, a field for typed values with their units.

import { useRef, useState } from "preact/hooks";

import { KEYS } from "../bill/Track";
import type { Board, Control, Piece, Step } from "../documents";
import { MODE_WORDS, whyFilledIn } from "../state/modes";
import { isNarrow, isWide } from "../state/narrow";
import { format, parsed, times } from "../state/quantity";
import {
  address,
  answer,
  clamped,
  drawnByHand,
  foretold,
  held,
  isStandIn,
  pinned,
  view as place,
  problem,
  shown,
  step,
  turn,
  turned,
  walk,
} from "../state/store";
import { Chips } from "./Chips";
import { cardOf } from "./Cited";
import { chosen } from "./chosen";
import { first, inPlay, parted } from "./dead";
import { GIVES } from "./gives";
import { useInSight } from "./insight";
import { partOf, STEPS, textAt } from "./knob";
import { nudge } from "./nudge";
import { ranged } from "./ranged";
import { lettersIn, Tex } from "./tex";
import { formulaOf, nameOf } from "./together";

/** So many, or the way to others in the last one's place, stand in one row before anybody asks for more. */
const FEW = 4;

export function Controls({ board }: { board: Board }) {
  const [isOpen, unfold] = useState(false);
  const offered = step.value?.controls ?? null;
  const { live, dead } = parted(board, place.value, offered);
  const few = isWide.value ? FEW + 1 : FEW;
  // What is to be tried is there to be turned back by hand.
  const isTurned = (name: string) => name in address.value.turned || (place.value === 0 && name === board.first_move.control);
  // What a step sets is in play as well, but where it offers others alone.
  const isMoved = (name: string) =>
    name in address.value.turned || ((offered?.includes(name) ?? true) && isOf(step.value, name));
  // The walk has those in play; a board on a phone one at a time, and all their letters.
  const wanted = step.value
    ? inPlay(board, place.value, offered, freshIn(board, step.value), isMoved)
    : isNarrow.value
      ? null
      : first(board, place.value, offered, isTurned, few);
  // Under a hand nothing comes or goes: what it turns is seen once it lets go. Of all that is unfolded nothing changes its
  // place, which would take a key's focus from it.
  const here = place.value;
  const before = useRef({ here, wanted });
  if (!held.value && !(isOpen && before.current.here === here)) before.current = { here, wanted };
  const seen = before.current.wanted;
  const isFirst = ({ name }: Control) => seen?.has(name) ?? true;
  const folded = step.value ? [] : [...live.filter((one) => !isFirst(one)), ...dead];
  // What is wrong is never hidden.
  const isShown = isOpen || folded.some(({ name }) => problem.value?.wrong[name]);
  const moved = folded.filter(({ name }) => name in turned.value).length;
  const open = step.value ? board.controls.filter(isFirst) : live.filter(isFirst);
  const controls = isShown ? [...live, ...dead] : open;
  // On a phone one at a time lies under the thumb: whichever was chosen, else what the step turns.
  const taken =
    controls.find(({ name }) => name === chosen.value) ?? controls.find(({ name }) => name in turned.value) ?? controls[0];
  useInSight(controls);
  const knob = (control: Control) => (
    <div key={control.name} class={control === taken ? "knob taken" : "knob"}>
      <Knob board={board} control={ranged(control)} />
    </div>
  );
  return (
    <div id="controls" class={controls.length > few ? "" : "few"}>
      {controls.length > 1 && (
        <Chips
          controls={controls}
          taken={taken?.name ?? ""}
          take={(name) => {
            chosen.value = name;
          }}
        />
      )}
      {open.map(knob)}
      {/* Beside no control a way to those of other pictures leads nowhere. */}
      {folded.length > 0 && (live.length > 0 || moved > 0 || isShown) && (
        <button
          type="button"
          class="more"
          aria-expanded={isShown}
          aria-controls="controls-more"
          onClick={() => unfold(!isShown)}
        >
          {folded.length} more
          {folded.length === dead.length && " for other pictures"}
          {moved > 0 && `, ${moved} turned`}
        </button>
      )}
      {isShown && folded.length > 0 && <div id="controls-more">{folded.map(knob)}</div>}
    </div>
  );
}

/** Whether a step is about a control: it sets it, if in one mode alone. */
function isOf(now: Step | null, name: string): boolean {
  return name in (now?.turned ?? {});
}

/** Controls whose letters the formula has since the step before. */
function freshIn(board: Board, here: Step): string[] {
  const before = walk.value?.steps[address.value.step - 2];
  const formula = formulaOf(board, here);
  const isSame = before?.board === board.name && nameOf(formulaOf(board, before)) === nameOf(formula);
  const isFresh = ({ place }: Piece) => place < here.terms && !(isSame && place < before.terms);
  return formula.flatMap((equation) => equation.filter(isFresh).flatMap(({ tex }) => lettersIn(tex, board.controls)));
}

function Knob({ board, control }: { board: Board; control: Control }) {
  const [slides, slide] = useState(false);
  // What is typed and not yet asked for stays, whatever answer comes meanwhile.
  const [draft, write] = useState<string | null>(null);
  const [given, give] = useState<string | null>(null);
  const { name, dimension, label, short } = control;
  const id = `control-${name}`;
  const text = turned.value[name];
  const wrong = problem.value?.wrong[name];
  const own = start(control);
  // The field says what was typed; of a hand, or a key, what the picture and the sentence say, which may be behind it.
  const byHand = (wrong || given === text ? turned : drawnByHand).value[name];
  // What nobody typed here reads as in sentences, with as many digits; an end that is spoken of as it is said there.
  const setText = byHand ?? pinned.value[name];
  const set = wrong || given === text || name in clamped.value ? null : parsed(setText ?? "", dimension);
  const typedText = set === null ? setText : format(set, dimension);
  const written = typedText?.replace(times.value, "$1×") ?? (own === null ? "" : format(own, dimension));
  const answered = answer.value?.controls[answer.value.modes.at(-1) ?? "lecture"]?.[name] ?? own ?? control.low;
  // What stands in for the answer was for elsewhere.
  const value = (isStandIn.value && text !== undefined ? parsed(text, dimension) : null) ?? answered;
  const slid = (input: HTMLInputElement, isFinal: boolean) => turn(name, textAt(control, Number(input.value) / STEPS), isFinal);
  const typed = (input: HTMLInputElement) => {
    const now = input.value.trim();
    write(null);
    give(now);
    if (now !== written || wrong) turn(name, now || null, true);
  };
  // Keys find it in the list of sources, and at the formula's letters.
  const { "data-word": card } = cardOf(board, control, answer.value?.modes.at(-1));
  const isFilledIn = whyFilledIn(control, answer.value?.modes.at(-1)) !== null;
  return (
    <div
      class={`control ${wrong ? "wrong" : text === undefined ? "" : "turned"} ${isFilledIn ? "filled-in" : ""}`}
      style={{ "--characters": written.length }}
    >
      <label for={id} title={label} data-word={card}>
        {control.tex && <Tex tex={control.tex} />}
        {short}
      </label>
      <input
        id={id}
        type="text"
        spellcheck={false}
        autocomplete="off"
        aria-describedby={`${id}-says`}
        aria-invalid={wrong ? "true" : undefined}
        value={draft ?? written}
        onInput={({ currentTarget }) => write(currentTarget.value)}
        onChange={({ currentTarget }) => typed(currentTarget)}
        onBlur={() => write(null)}
        onKeyDown={({ key }) => {
          if (key === "Escape") write(null);
        }}
      />
      {name in address.value.turned && (
        <button type="button" class="back" aria-label={`${label}: reset`} title="reset" onClick={() => turn(name, null, true)}>
          ↺
        </button>
      )}
      <div class="track">
        <input
          id={`${id}-slider`}
          type="range"
          min={0}
          max={STEPS}
          step={1}
          aria-label={short}
          aria-describedby={`${id}-says`}
          aria-valuetext={written}
          // Under its own hand it stands where the hand is; else where the answer is for.
          value={slides ? undefined : Math.round(partOf(control, value) * STEPS)}
          onKeyDown={(event) => {
            const way = KEYS[event.key];
            if (!way) return;
            event.preventDefault();
            // From where it was turned last: the answer may still be on its way.
            nudge(control, parsed(text ?? "", dimension) ?? value, way / STEPS);
          }}
          onPointerEnter={() => foretold.value?.approach(name)}
          onPointerDown={() => foretold.value?.approach(name)}
          onPointerLeave={() => foretold.value?.leave()}
          onInput={({ currentTarget }) => {
            slide(true);
            slid(currentTarget, false);
          }}
          onChange={({ currentTarget }) => {
            slide(false);
            slid(currentTarget, true);
          }}
        />
        <Start control={control} mode="lecture" />
        <Start control={control} mode="careful" />
      </div>
      <span class="starts" id={`${id}-says`}>
        {wrong ?? `${label}: ${startsOf(control)}`}
      </span>
    </div>
  );
}

/** A notch on the track where a mode starts. */
function Start({ control, mode }: { control: Control; mode: "lecture" | "careful" }) {
  const value = control[mode];
  if (value === null || (shown.value !== "both" && shown.value !== mode)) return null;
  return <i class={`notch ${mode}`} style={{ "--part": partOf(control, value) }} />;
}

/** Where a control stands that nobody turned: of both modes the careful one's. */
function start(control: Control): number | null {
  return shown.value === "lecture" ? control.lecture : (control.careful ?? control.lecture);
}

function startsOf(control: Control): string {
  const [lecture, careful] = [control.lecture, control.careful].map((value) =>
    value === null ? "not known" : format(value, control.dimension),
  );
  const whose = control.lecture_origin ? GIVES[control.lecture_origin] : MODE_WORDS.lecture;
  // Where a step or an exercise sets another number, a hand would take the board's for its own.
  const set = parsed(pinned.value[control.name] ?? "", control.dimension);
  return `${set === null ? "" : `here ${format(set, control.dimension)}, `}${whose} ${
    lecture === careful ? `and ${MODE_WORDS.careful} ${lecture}` : `${lecture}, ${MODE_WORDS.careful} ${careful}`
  }`;
}
