// A number in a sentence that is a slider: dragged to either side, or turned by keys.

import type { ComponentChildren } from "preact";

import { KEY } from "../board/knob";
import { scrub } from "../board/scrub";
import { clamp } from "../chart/numbers";

export interface ScrubbedAsked {
  label: string;
  /** Least, most, and where it stands. */
  bounds: [low: number, high: number];
  value: number;
  /** What stands there, in words. */
  text: string;
  /** Of its length, where it stands, and how far the next value is at least. */
  part: number;
  least?: number;
  seek: (part: number, isFinal: boolean) => void;
  children: ComponentChildren;
}

const WAYS: Record<string, number> = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 };
const LEAPS: Record<string, number> = { PageUp: 1, PageDown: -1 };
const ENDS: Record<string, number> = { Home: 0, End: 1 };

export function Scrubbed({ label, bounds: [low, high], value, text, part, least = 0, seek, children }: ScrubbedAsked) {
  const typed = (event: KeyboardEvent) => {
    const { key, shiftKey } = event;
    const size = Math.max(least, shiftKey || key in LEAPS ? KEY.shift : KEY.plain);
    const to = ENDS[key] ?? clamp(part + (WAYS[key] ?? LEAPS[key] ?? Number.NaN) * size);
    if (Number.isNaN(to) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    seek(to, true);
  };
  return (
    <span
      class="scrubbed"
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={low}
      aria-valuemax={high}
      aria-valuenow={value}
      aria-valuetext={text}
      onKeyDown={typed}
      onPointerDown={(event) => {
        const slider = event.currentTarget;
        if (event.button) return;
        // What is dragged is not marked as text.
        event.preventDefault();
        scrub(
          event,
          part,
          (to, isFinal) => seek(clamp(to), isFinal),
          () => slider.focus(),
        );
      }}
    >
      {children}
    </span>
  );
}
