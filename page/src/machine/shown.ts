// Whether a step has the machine above its chart, and on a phone whether its chip is open.

import { signal } from "@preact/signals";

import { isAmong } from "../chart/identity";
import type { Colour, OpenedChip } from "../documents";
import { MODE_WORDS, whyFilledIn } from "../state/modes";
import { isHandheld, isLowest } from "../state/narrow";
import { answer, board, isGuessing, single, sketch, step, view, walk } from "../state/store";

interface Opened {
  chip: OpenedChip;
  told: readonly Colour[];
  whose: string;
  filledIn: string[];
}

/** The chip of the step's picture, once nothing is asked; null where the step has none. */
export function machineShown(): Opened | null {
  return isGuessing.value ? null : machineOf();
}

/** The same, be it shown by now or not. */
export function machineOf(): Opened | null {
  const now = step.value;
  const { modes = [], opened = {} } = answer.value ?? {};
  // Of two the one that is drawn solid, or alone.
  const mode = modes.find((one) => one === single.value) ?? modes.at(-1);
  const chip = mode && opened[mode];
  if (!now?.opened.length || view.value !== now.view || !chip) return null;
  // What he left open is set apart, as it is everywhere.
  const filledIn = (board.value?.controls ?? []).filter((one) => whyFilledIn(one, mode) !== null).map(({ name }) => name);
  // What is asked is not read yet.
  const asked = sketch.value && askedColour(sketch.value.asked);
  const told = now.opened.filter((colour) => colour !== asked);
  return { chip, told, whose: modes.length > 1 ? `${MODE_WORDS[mode]} numbers` : "", filledIn };
}

/** Colour of the line of the step's picture that is called so. */
function askedColour(line: string): Colour | undefined {
  const found = answer.value?.views[view.value];
  const pictures = found?.kind === "curves" ? Object.values(found.pictures) : [];
  return pictures.flatMap(({ lines }) => lines).find(({ name }) => isAmong([line], name))?.colour;
}

/** What a hand chose, for all steps; null before it did. */
const isOpen = signal<boolean | null>(null);

/** A phone, or a low window, has room for the chip or for a high chart: the chip is open where one first meets it, then its clock stands alone. */
export function isFolded(): boolean {
  const first = walk.value?.steps.find(({ opened }) => opened.length)?.id;
  return (isHandheld.value || isLowest.value) && !(isOpen.value ?? step.value?.id === first);
}

export function fold(next: boolean): void {
  isOpen.value = !next;
}
