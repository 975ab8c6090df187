// Whether a phone's first screen has room for the rack beside the words, the picture, and the slider under the thumb.

import { useLayoutEffect } from "preact/hooks";

import { isNarrow } from "../state/narrow";
import { crowded, step as shown } from "../state/signals";

/** How far below the way on the slider may end, in pixels: a rounded one. */
const OVER = 1;

/** Whether the rack of the step on the screen waits below. */
export function isCrowded(): boolean {
  return isNarrow.value && crowded.value === shown.value?.id;
}

/** Looks at each step, and again whenever its picture takes another height; what was found holds while it is shown. */
export function useCrowded(step: string, isSlim: boolean): void {
  const isWanted = isSlim && isNarrow.value && crowded.value !== step;
  useLayoutEffect(() => {
    const views = document.getElementById("views");
    if (!isWanted || !views) return;
    let frame = 0;
    const look = () => {
      if (isPushed()) crowded.value = step;
    };
    // A scene takes the room that is left only after all else has its place.
    const soon = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(look);
      });
    };
    const watch = new ResizeObserver(soon);
    watch.observe(views);
    if (!views.querySelector(".scene-host")) look();
    return () => {
      cancelAnimationFrame(frame);
      watch.disconnect();
    };
  }, [step, isWanted]);
}

function isPushed(): boolean {
  const tracks = [...document.querySelectorAll(".stage #controls .track")].filter((one) => one.checkVisibility());
  const foot = (tracks[0] ?? document.querySelector("#canvas"))?.getBoundingClientRect().bottom ?? 0;
  const way = document.querySelector("#walk .steps")?.getBoundingClientRect().top ?? innerHeight;
  return foot + scrollY > way + OVER;
}
