// How far the slider of a control goes: on the walk not over all that may be typed.

import type { Control } from "../documents";
import { parsed } from "../state/quantity";
import { step } from "../state/signals";
import { beside } from "./knob";

/** On a step a decade to either side of the numbers that it starts with: what is drawn stays in the frame that a hand holds. */
export function ranged(control: Control): Control {
  if (!step.value) return control;
  const { name, dimension, lecture, careful } = control;
  const set = step.value.turned[name];
  const starts = [lecture, careful, set === undefined ? null : parsed(set, dimension)].filter((one) => one !== null);
  return beside(control, starts);
}
