// A slider that lies on a picture's own axis: its track says what is paid there, all along.

import { useMemo } from "preact/hooks";

import type { Room } from "../chart/frame";
import { clamp } from "../chart/numbers";
import type { Axis, Curves } from "../documents";
import { bands } from "./bill";
import { keyed } from "./parts";

const STEPS = 1000;
const KEYS: Record<string, number> = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 };
/** Between the axis and the track, in pixels. */
const BELOW = 4;

export interface TrackAsked {
  axis: Axis;
  /** Whose bills are drawn, from the top down. */
  pictures: Curves[];
  plot: Room | null;
  /** Of the axis, where the thumb stands. */
  part: number;
  slide: (part: number, isFinal: boolean) => void;
  label: string;
  /** What stands there, in words. */
  text: string;
}

export function Track({ axis, pictures, plot, part, slide, label, text }: TrackAsked) {
  return (
    <div
      class="along"
      style={
        plot
          ? { translate: `${plot.left}px ${plot.bottom + BELOW}px`, width: `${plot.right - plot.left}px` }
          : { visibility: "hidden" }
      }
    >
      {!pictures.length && <div class="rail" />}
      {pictures.map((picture, which) => (
        <Bands key={which} picture={picture} axis={axis} />
      ))}
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
        onInput={({ currentTarget }) => slide(Number(currentTarget.value) / STEPS, false)}
        onChange={({ currentTarget }) => slide(Number(currentTarget.value) / STEPS, true)}
      />
    </div>
  );
}

function Bands({ picture, axis }: { picture: Curves; axis: Axis }) {
  const drawn = useMemo(() => bands(picture, axis), [picture, axis]);
  return (
    <div class="bands" aria-hidden="true">
      {drawn.map(({ name, colour, corners }) => (
        <i key={name} style={{ clipPath: `polygon(${corners})`, background: `var(--${colour})` }} />
      ))}
    </div>
  );
}
