// How many columns a grid has as it is drawn: its style alone says how wide one has to be.

import type { RefObject } from "preact";
import { useLayoutEffect, useState } from "preact/hooks";

/** Of most screens, until the grid is there. */
const MOST = 5;

export function useColumns(grid: RefObject<HTMLElement | null>): number {
  const [columns, count] = useState(MOST);
  useLayoutEffect(() => {
    const place = grid.current;
    if (!place) return;
    const look = () => count(getComputedStyle(place).gridTemplateColumns.split(" ").length);
    const watch = new ResizeObserver(look);
    watch.observe(place);
    look();
    return () => watch.disconnect();
  }, []);
  return columns;
}
