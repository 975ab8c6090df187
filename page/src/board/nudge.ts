// What a key does to a control.

import type { Control } from "../documents";
import { turn } from "../state/store";
import { keyed } from "./knob";

/** Turn it by a part of its slider, or (of where it stands) to the next number. */
export function nudge(control: Control, value: number, way: number): void {
  const text = keyed(control, value, way);
  turn(control.name, text, false);
  turn(control.name, text, true);
}
