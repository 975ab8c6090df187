// The machine above a step's chart, and on the first view: what moves in it, and what a hand does with it.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

import { Coming } from "../companions/Coming";
import { StepCompanion } from "../companions/StepCompanion";
import type { Colour } from "../documents";
import { isHandheld, isLow, isLowest, isNarrow } from "../state/narrow";
import { format } from "../state/quantity";
import { answer, billRead, held, isChoosing, isHeld, sketch, step, view } from "../state/store";
import { Drawing } from "./drawing";
import { type Load, loadAt, stepS } from "./load";
import type { Places } from "./places";
import { fold, isFolded, machineOf } from "./shown";

const STEPS = 1000;
/** Of the clock, that a hand takes, too, in pixels. */
const ABOVE = 8;
/** Beside the words above the clock: its pause, and what opens the chip, in pixels. */
const BUTTONS = 54;
/** Of the first view's batch, which is said in full. */
const IN_FULL = 15;
const ALL: readonly Colour[] = ["compute", "weights", "kv"];

/** Above the chart of a step. */
export function StepMachine() {
  const shown = machineOf();
  const question = isHeld.value ? step.value?.question : null;
  // Before an answer it is read at the end of what the chart shows of the asked line.
  const x = question ? (question.known_from ?? question.known_to) : billRead.value;
  const axis = answer.value?.views[view.value]?.axes.x;
  if (!shown) return <StepCompanion />;
  const most = axis?.is_logarithmic || isLow.value ? null : (axis?.ends?.[1] ?? null);
  const folds = isHandheld.value || isLowest.value;
  const looks = `machine ${most === null ? "beside" : ""} ${isFolded() ? "folded" : ""} ${sketch.value ? "sketched" : ""}`;
  if (question && (isNarrow.value || x === null)) return <Coming looks={looks} />;
  return (
    <section class={looks} aria-label="One chip in a decode step" inert={isChoosing.value}>
      {x !== null && (
        <Canvas
          key={`${folds}`}
          load={loadAt(shown.chip, x, shown.told, most)}
          whose={shown.whose}
          filledIn={shown.filledIn.join(" ")}
          isBeside={most === null}
          buttons={folds ? BUTTONS : 0}
        />
      )}
      {folds && (
        <button type="button" class="fold-chip" aria-expanded={!isFolded()} onClick={() => fold(!isFolded())}>
          <span class="unseen">The chip</span>
          <svg viewBox="0 0 24 16" aria-hidden="true">
            <path d={isFolded() ? "M8 5l4 5 4-5" : "M8 10l4-5 4 5"} />
          </svg>
        </button>
      )}
    </section>
  );
}

/** On the first view, what a token is paid for; its place alone until the batch is known. */
export function Step({ batch, said }: { batch: number | null; said: string }) {
  const { opened = {} } = answer.value ?? {};
  const chip = opened.careful ?? opened.lecture;
  return (
    <div class="machine beside">
      {chip && batch !== null && (
        <Canvas load={loadAt(chip, batch, ALL, null, IN_FULL)} said={said} isBeside buttons={isLow.value ? BUTTONS : 0} />
      )}
    </div>
  );
}

interface Shown {
  load: Load;
  whose?: string;
  /** Names of the controls that were filled in. */
  filledIn?: string;
  /** What it says to whoever does not see it; else what the chip does. */
  said?: string;
  isBeside?: boolean;
  /** Width of the buttons beside the words above the clock. */
  buttons?: number;
}

function Canvas({ load, whose = "", filledIn = "", said = "", isBeside = false, buttons = 0 }: Shown) {
  const host = useRef<HTMLDivElement>(null);
  const hand = useRef<HTMLInputElement>(null);
  const drawing = useRef<Drawing | null>(null);
  const [plays, setPlays] = useState(true);
  useLayoutEffect(() => {
    const place = host.current;
    if (!place) return;
    const moved = (part: number) => {
      if (hand.current) hand.current.value = String(Math.round(part * STEPS));
    };
    const laid = ({ clock: { left, top, right, bottom, end }, chip, isFolded }: Places) => {
      const { style } = place.parentElement as HTMLElement;
      style.setProperty("--die", `${isFolded ? end + 36 : chip.right}px`);
      style.setProperty("--clock", `${top}px`);
      const over = hand.current?.parentElement;
      if (!over) return;
      Object.assign(over.style, { left: `${left}px`, top: `${top - ABOVE}px` });
      Object.assign(over.style, { width: `${right - left}px`, height: `${bottom - top + 2 * ABOVE}px` });
    };
    const made = new Drawing(place, isBeside, buttons, moved, laid);
    drawing.current = made;
    setPlays(made.isPlaying);
    const sized = new ResizeObserver(() => made.fit(place.clientWidth, place.clientHeight));
    const seen = new IntersectionObserver(([one]) => made.seen(one?.isIntersecting ?? false));
    sized.observe(place);
    seen.observe(place);
    made.fit(place.clientWidth, place.clientHeight);
    return () => {
      sized.disconnect();
      seen.disconnect();
      made.destroy();
    };
  }, []);
  useLayoutEffect(() => drawing.current?.show(load, whose, filledIn), [JSON.stringify(load), whose, filledIn]);
  const isPulled = held.value !== "";
  useEffect(() => drawing.current?.hold(isPulled), [isPulled]);
  const text = said || spoken(load);
  const play = (next: boolean) => {
    drawing.current?.play(next);
    setPlays(next);
  };
  return (
    <>
      <div class="opened" ref={host} role="img" aria-label={text} />
      <button type="button" class="pace" aria-label={plays ? "Pause" : "Play the step"} onClick={() => play(!plays)}>
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d={plays ? "M3 2h4v12H3zM9 2h4v12H9z" : "M3 1.5v13l11-6.5z"} />
        </svg>
      </button>
      <div class="clock-hand">
        <input
          ref={hand}
          type="range"
          aria-label="time of the step"
          min={0}
          max={STEPS}
          onInput={({ currentTarget }) => {
            setPlays(false);
            drawing.current?.seek(Number(currentTarget.value) / STEPS);
          }}
          onKeyDown={(event) => {
            if (event.key !== " ") return;
            event.preventDefault();
            play(!plays);
          }}
        />
      </div>
    </>
  );
}

/** For whoever does not see it. */
function spoken(load: Load): string {
  const { weightsS, kvS, computeS, batch } = load;
  const parts = [
    weightsS ? `reads weights for ${format(weightsS, "s")}` : "",
    kvS ? `reads KV cache for ${format(kvS, "s")}` : "",
    computeS ? `computes for ${format(computeS, "s")} meanwhile` : "",
  ].filter(Boolean);
  return `One of ${format(load.chips, "count")} chips, batch ${format(batch, "count")}: ${parts.join(", ")}; the step takes ${format(stepS(load), "s")}`;
}
