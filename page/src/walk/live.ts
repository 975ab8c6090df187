// What of a step's words, and of the numbers beside them, is otherwise now that something has been turned.

import { computed } from "@preact/signals";

import { address, answer, shown, step } from "../state/signals";

/** Whether the picture is of numbers that the step's words are not about. */
export const isOther = computed(() => shown.value !== "both" && shown.value !== step.value?.mode);
/** Null while all is as the step begins. */
export const live = computed(() =>
  Object.keys(address.value.turned).length && !isOther.value ? (answer.value?.live ?? null) : null,
);
