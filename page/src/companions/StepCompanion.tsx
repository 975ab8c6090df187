// A drawing above the chart of a step, read where the chart is; what draws it is fetched once there is one.

import "./companions.css";

import { companionCanvas, fetchScenes } from "../scenes/fetched";
import { billRead } from "../state/store";
import { isRead } from "./read";
import { companionShown } from "./shown";

export function StepCompanion() {
  const shown = companionShown();
  const x = billRead.value;
  const Canvas = companionCanvas.value;
  if (!shown) return null;
  void fetchScenes();
  return (
    <section class="machine beside companion" aria-label={shown.companion.text}>
      {Canvas && (x !== null || !isRead(shown.companion)) && (
        <Canvas key={Object.keys(shown.companion)[0]} {...shown} x={x ?? 0} />
      )}
    </section>
  );
}
