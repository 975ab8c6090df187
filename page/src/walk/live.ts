// What of a step's words, and of the numbers beside them, is otherwise now that something has been turned.

import { computed } from "@preact/signals";

import { address, answer, answered, board, isHeld, shown, step } from "../state/signals";

/** Whether other numbers are set than those with which the step began, in what the picture is of. */
export const isReset = computed(() => {
  const { step: of, turned, model, machine } = answered.value ?? address.value;
  return of === address.value.step && Boolean(Object.keys(turned).length || model || machine);
});
/** What has changed since the step began; null while all is as it begins. */
const changes = computed(() => (isReset.value ? (answer.value?.live ?? null) : null));
/** What the step says of the numbers that it does not begin with, as they are unturned; empty where its sentence is of both, and where it would answer what is asked. */
const begins = computed(() => (!isHeld.value && board.value?.others[step.value?.id ?? ""]) || "");
/** Whether the picture is of those numbers. */
export const isOther = computed(() => begins.value !== "" && shown.value !== step.value?.mode);
/** What it says of them now, beside what it said unturned. */
export const other = computed(() => (isOther.value ? { text: changes.value?.other ?? begins.value, was: begins.value } : null));
/** Whether the picture is of them alone. */
export const isOtherAlone = computed(() => isOther.value && shown.value !== "both");
/** Whether other numbers than the question's are in the picture: what answered it says whose it is of. */
export const isOfOthers = computed(() => isOther.value || isReset.value);
/** Null while all is as the step begins. */
export const live = computed(() => (isOtherAlone.value ? null : changes.value));
