// What draws scenes, what stands beside charts, and sources: the first view does not wait for them.

import { signal } from "@preact/signals";

import { Refusal } from "../source/source";
import { problem } from "../state/signals";
import type * as Late from "./late";

/** Null until it is there. */
export const canvas = signal<typeof Late.SceneCanvas | null>(null);
export const companionCanvas = signal<typeof Late.CompanionCanvas | null>(null);
export const sourced = signal<typeof Late | null>(null);

let fetched: Promise<void> | null = null;

export function fetchScenes(): Promise<void> {
  fetched ??= import("./late").then(
    (found) => {
      canvas.value = found.SceneCanvas;
      companionCanvas.value = found.CompanionCanvas;
      sourced.value = found;
    },
    (error: unknown) => {
      fetched = null;
      problem.value = Refusal.from(error);
    },
  );
  return fetched;
}
