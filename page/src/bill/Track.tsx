// A slider that lies on a picture's own axis: its track says what is paid there, all along.

import { useMemo } from "preact/hooks";

import { even } from "../chart/frame";
import { clamp } from "../chart/numbers";
import type { Plot } from "../chart/stage";
import type { Axis, Curves } from "../documents";
import { bands } from "./bill";
import { keyed, partAt, valueAt } from "./parts";

const STEPS = 1000;
export const KEYS: Record<string, number> = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 };
/** Of the track: with the thumb nearer to its left end, words that stand there stand at the right one. */
const LEFT = 0.3;
/** Between the axis and the track, in pixels. */
const BELOW = 4;

export interface TrackAsked {
  axis: Axis;
  /** Whose bills are drawn, from the top down. */
  pictures: Curves[];
  /** What they are shares of. */
  whole: string;
  plot: Plot | null;
  /** Of the axis, where the thumb stands. */
  part: number;
  slide: (part: number, isFinal: boolean) => void;
  label: string;
  /** What stands there, in words. */
  text: string;
}

export function Track({ axis, pictures, whole, plot, part, slide, label, text }: TrackAsked) {
  const slid = (input: HTMLInputElement, isFinal: boolean) => {
    const to = Number(input.value) / STEPS;
    // Of whole things the thumb goes from one to the next, as all that is read there does.
    if (axis.is_whole) input.value = String(partAt(axis, valueAt(axis, to)) * STEPS);
    slide(to, isFinal);
  };
  return (
    <div
      class="along"
      style={
        plot
          ? { translate: `${under(axis, plot)[0]}px ${plot.bottom + BELOW}px`, width: `${under(axis, plot)[1]}px` }
          : { visibility: "hidden" }
      }
    >
      {!pictures.length && <div class="rail" />}
      {pictures.map((picture, which) => (
        <Bands key={which} picture={picture} axis={axis} />
      ))}
      {pictures.length === 1 && (
        <span class={part < LEFT ? "share right" : "share"} aria-hidden="true">
          share of the {whole}
        </span>
      )}
      <input
        type="range"
        aria-label={label}
        min={0}
        max={STEPS}
        value={part * STEPS}
        aria-valuetext={text}
        onKeyDown={(event) => {
          const way = KEYS[event.key];
          if (!way) return;
          event.preventDefault();
          slide(clamp(keyed(axis, part, way / STEPS)), true);
        }}
        onInput={({ currentTarget }) => slid(currentTarget, false)}
        onChange={({ currentTarget }) => slid(currentTarget, true)}
      />
    </div>
  );
}

/** Left end and width of an axis in the plot, in pixels: what is asked at an end has the plot reach beyond it. */
function under(axis: Axis, { left, right, along }: Plot): [left: number, width: number] {
  const [from, to] = [even(axis, along[0]), even(axis, along[1])];
  const [low, high] = axis.ends ?? along;
  const at = (value: number) => left + clamp((even(axis, value) - from) / (to - from)) * (right - left);
  return [at(low), at(high) - at(low)];
}

function Bands({ picture, axis }: { picture: Curves; axis: Axis }) {
  const drawn = useMemo(() => bands(picture, axis), [picture, axis]);
  return (
    <div class="bands" aria-hidden="true">
      {drawn.map(({ name, colour, corners }) => (
        <i key={name} style={{ clipPath: `polygon(${corners})`, background: `var(--area-${colour}, var(--${colour}))` }} />
      ))}
    </div>
  );
}
