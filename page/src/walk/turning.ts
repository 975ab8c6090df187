// Turning over from step to step without its buttons: arrow keys, and wipes of a finger.

import { useEffect } from "preact/hooks";

import { walkOn } from "../state/store";
import { swiping } from "./swipe";

/** Where arrow keys mean something else than the next step. */
const TAKES_ARROWS = "input, select, textarea, summary, [role=tab], [role=img], .canvas";

/** For as long as the walk is shown, in the element that has this id. */
export function useTurning(id: string, isWalk = true): void {
  useEffect(() => {
    const place = document.getElementById(id);
    if (!isWalk || !place) return;
    const walked = ({ key, target, altKey, ctrlKey, metaKey }: KeyboardEvent) => {
      // With these the browser goes back and forth.
      if (altKey || ctrlKey || metaKey) return;
      if (target instanceof Element && target.closest(TAKES_ARROWS)) return;
      if (key === "ArrowRight") walkOn(1);
      if (key === "ArrowLeft") walkOn(-1);
    };
    addEventListener("keydown", walked);
    const still = swiping(place, walkOn);
    return () => {
      removeEventListener("keydown", walked);
      still();
    };
  }, [id, isWalk]);
}
