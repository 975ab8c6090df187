// Rows that a finger moves: where more lies beyond an edge, they fade there.

import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

/** In pixels: rounding is nothing that one could miss. */
const NOTHING = 2;

/** Mark a row by what lies beyond its edges, for as long as it is there; whether anything does. */
export function useEdges(row: RefObject<HTMLElement | null>): boolean {
  const [isCut, cut] = useState(false);
  useLayoutEffect(() => {
    const place = row.current;
    if (!place) return;
    const look = () => {
      const { scrollLeft, scrollWidth, clientWidth } = place;
      cut(scrollWidth > clientWidth + NOTHING);
      place.classList.toggle("more-before", scrollLeft > NOTHING);
      place.classList.toggle("more-after", scrollLeft + clientWidth < scrollWidth - NOTHING);
    };
    const watch = new ResizeObserver(look);
    // Who is observed is told with the next frame, when all is laid out: whoever looked now would have it done twice.
    const rows = () => {
      watch.disconnect();
      for (const one of [place, ...place.children]) watch.observe(one);
    };
    const changes = new MutationObserver(rows);
    changes.observe(place, { childList: true });
    place.addEventListener("scroll", look, { passive: true });
    rows();
    return () => {
      watch.disconnect();
      changes.disconnect();
      place.removeEventListener("scroll", look);
    };
  }, []);
  return isCut;
}
