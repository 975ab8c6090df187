// What draws scenes, and what stands beside charts: the first view has neither, and does not wait for it.

import { signal } from "@preact/signals";

import { Refusal } from "../source/source";
import { problem } from "../state/signals";
import type { CompanionCanvas, SceneCanvas } from "./late";

/** Null until it is there. */
export const canvas = signal<typeof SceneCanvas | null>(null);
export const companionCanvas = signal<typeof CompanionCanvas | null>(null);

let fetched: Promise<void> | null = null;

export function fetchScenes(): Promise<void> {
  fetched ??= import("./late").then(
    (found) => {
      canvas.value = found.SceneCanvas;
      companionCanvas.value = found.CompanionCanvas;
    },
    (error: unknown) => {
      fetched = null;
      problem.value = Refusal.from(error);
    },
  );
  return fetched;
}
