// A drawing above the chart of a step, read where the chart is; what draws it is fetched once there is one.

import "./companions.css";

import { signal } from "@preact/signals";

import { Refusal } from "../source/source";
import { problem } from "../state/signals";
import { billRead } from "../state/store";
import type { CompanionCanvas } from "./CompanionCanvas";
import { companionShown } from "./shown";

const canvas = signal<typeof CompanionCanvas | null>(null);
let fetched: Promise<void> | null = null;

function fetchCanvas(): void {
  fetched ??= import("./CompanionCanvas").then(
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
      {x !== null && Canvas && <Canvas key={"stores" in shown.companion ? "stores" : "vessels"} {...shown} x={x} />}
    </section>
  );
}
