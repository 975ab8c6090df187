// Where along a bill is read: a value, which keeps where the axis under it comes to have other ends.

import { useLayoutEffect } from "preact/hooks";

import type { Axis } from "../documents";
import { address, held, isBusy, isKept, readBillAt } from "../state/store";
import { isOn, type Place, partAt, placeOn, valueAt } from "./parts";

/** Of the axis: what lies nearer to where it is read at first is not told apart from it. */
const NEAR = 0.0005;

/** Where it is read now, from a first place; and what moves it there. */
export function usePlace(axis: Axis, first: number, isThere = true): Place & { slide(part: number, isFinal: boolean): void } {
  const { at } = address.value;
  // A first place is on a whole number, too, where whole things are counted.
  const begins = partAt(axis, valueAt(axis, first));
  const place = placeOn(axis, at, begins);
  // An address says what is not so without it: of the axis that a reload has, not of one that a hand has left.
  const isDrawn = isThere && !held.value && !isBusy.value && !isKept.value;
  // What lies beyond an axis that has become shorter is shown at its end, and is there again once it is longer.
  const isFirst = isDrawn && at !== null && isOn(axis, at) && Math.abs(place.part - begins) < NEAR;
  useLayoutEffect(() => {
    if (isFirst) readBillAt(null, true);
  }, [isFirst]);
  return { ...place, slide: (part, isFinal) => readBillAt(valueAt(axis, part), isFinal) };
}
