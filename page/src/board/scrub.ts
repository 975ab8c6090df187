// A hand that drags a number along: a letter of the formula, or a word of the first view's sentence.

import { signal } from "@preact/signals";

import { keep, kept } from "../state/kept";

/** Of a slider's length, for a pixel that a hand moves. */
const PART_PER_PIXEL = 1 / 400;
const LESS_THAN_A_DRAG = 3;

/** Whether nobody has dragged a number in this browser yet: then it is said that one can. */
export const isNew = signal(!kept().hasScrubbed);

export function learnt(): void {
  if (!isNew.value) return;
  isNew.value = false;
  keep({ hasScrubbed: true });
}

/** Along a slider's length from where it stands, as far as the hand goes; a hand that went nowhere tapped it. */
export function scrub(
  { target, clientX, pointerId }: Pick<PointerEvent, "target" | "clientX" | "pointerId">,
  from: number,
  seek: (part: number, isFinal: boolean) => void,
  tapped: () => void,
): void {
  const letter = target as HTMLElement;
  let part: number | null = null;
  letter.setPointerCapture(pointerId);
  const move = (event: PointerEvent) => {
    const way = event.clientX - clientX;
    if (part === null && Math.abs(way) < LESS_THAN_A_DRAG) return;
    part = from + way * PART_PER_PIXEL;
    seek(part, false);
  };
  // A finger that went on to scroll the page asked for nothing.
  let isScrolled = false;
  const cancel = () => {
    isScrolled = true;
  };
  letter.addEventListener("pointermove", move);
  letter.addEventListener("pointercancel", cancel, { once: true });
  letter.addEventListener(
    "lostpointercapture",
    () => {
      letter.removeEventListener("pointermove", move);
      letter.removeEventListener("pointercancel", cancel);
      if (part === null && isScrolled) return;
      learnt();
      if (part === null) tapped();
      else seek(part, true);
    },
    { once: true },
  );
}
