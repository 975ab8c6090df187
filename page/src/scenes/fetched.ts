// What draws scenes: the first view has none, and does not wait for it.

import { signal } from "@preact/signals";

import { Refusal } from "../source/source";
import { problem } from "../state/signals";
import type { SceneCanvas } from "./SceneCanvas";

/** Null until it is there. */
export const canvas = signal<typeof SceneCanvas | null>(null);

let fetched: Promise<void> | null = null;

export function fetchScenes(): Promise<void> {
  fetched ??= import("./SceneCanvas").then(
    (found) => {
      canvas.value = found.SceneCanvas;
    },
    (error: unknown) => {
      fetched = null;
      problem.value = Refusal.from(error);
    },
  );
  return fetched;
}
