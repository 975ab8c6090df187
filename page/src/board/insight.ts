// Which controls have a slider on the screen: of the others the line below the picture says where they stand.

import { useLayoutEffect } from "preact/hooks";

import type { Control } from "../documents";
import { inSight } from "../state/store";

/** For as long as they are shown. */
export function useInSight(controls: readonly Control[]): void {
  const names = controls.map(({ name }) => name).join();
  useLayoutEffect(() => {
    inSight.value = names.split(",");
    return () => {
      inSight.value = [];
    };
  }, [names]);
}
