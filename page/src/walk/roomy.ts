// Beside a picture, a sentence is printed larger where its column would stay half empty.

import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

import { hasMargin } from "../state/narrow";
import { answer, held, isAsked, shown, step } from "../state/signals";

/** How much larger than where words take all of the column, the largest first. */
const LARGER = [1.25, 1.12];
/** In pixels: so much stays free below the words, for what an unfolded line or a longer number takes. */
const FREE = 48;

/** The factor for what stands in a column now; 1 until all of it is there. Under a hand it stays. */
export function useRoomy(column: RefObject<HTMLElement | null>): number {
  const isThere = hasMargin.value && answer.value !== null && !isAsked.value;
  const key = isThere ? `${step.value?.id} ${shown.value} ${innerWidth} ${innerHeight}` : "";
  const [found, find] = useState({ key: "", factor: 1 });
  useLayoutEffect(() => {
    const read = column.current;
    if (!read || !key) return;
    const fit = () => {
      if (held.value || read.querySelector("details[open]:not(.lit)")) return;
      const before = read.style.getPropertyValue("--larger");
      const factor =
        LARGER.find((one) => {
          read.style.setProperty("--larger", String(one));
          const last = read.lastElementChild?.getBoundingClientRect().bottom ?? Number.POSITIVE_INFINITY;
          return last + read.scrollTop <= read.getBoundingClientRect().bottom - FREE;
        }) ?? 1;
      read.style.setProperty("--larger", before);
      find((was) => (was.key === key && was.factor === factor ? was : { key, factor }));
    };
    fit();
    const sizes = new ResizeObserver(fit);
    for (const one of [read, ...read.children]) sizes.observe(one);
    return () => sizes.disconnect();
  }, [key]);
  return found.key === key ? found.factor : 1;
}
