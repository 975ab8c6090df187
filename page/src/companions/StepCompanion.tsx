// A drawing above the chart of a step, read where the chart is; what draws it is fetched once there is one.

import "./companions.css";

import { signal } from "@preact/signals";

import { Refusal } from "../source/source";
import { problem } from "../state/signals";
import { billRead } from "../state/store";
import type { CompanionCanvas } from "./CompanionCanvas";
import { companionShown, isRead } from "./shown";

const canvas = signal<typeof CompanionCanvas | null>(null);
let fetched: Promise<void> | null = null;

function fetchCanvas(): void {
  if (fetched) return;
  fetched = import("./CompanionCanvas").then(
    (found) => {
      canvas.value = found.CompanionCanvas;
    },
    (error: unknown) => {
      fetched = null;
      problem.value = Refusal.from(error);
    },
  );
}

export function StepCompanion() {
  const shown = companionShown();
  const x = billRead.value;
  const Canvas = canvas.value;
  if (!shown) return null;
  fetchCanvas();
  return (
    <section class="machine beside companion" aria-label={shown.companion.text}>
      {Canvas && (x !== null || !isRead(shown.companion)) && (
        <Canvas key={Object.keys(shown.companion)[0]} {...shown} x={x ?? 0} />
      )}
    </section>
  );
}
