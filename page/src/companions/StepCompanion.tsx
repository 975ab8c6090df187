// A drawing above the chart of a step, read where the chart is; what draws it is fetched once there is one.

import "./companions.css";

import { companionCanvas, fetchScenes } from "../scenes/fetched";
import { billRead, isHeld } from "../state/store";
import { isRead } from "./read";
import { companionOf } from "./shown";

const LOOKS = "machine beside companion";

export function StepCompanion() {
  const shown = companionOf();
  const x = billRead.value;
  const Canvas = companionCanvas.value;
  if (!shown) return null;
  if (isHeld.value) return null;
  void fetchScenes();
  return (
    <section class={LOOKS} aria-label={shown.companion.text}>
      {Canvas && (x !== null || !isRead(shown.companion)) && (
        <Canvas key={Object.keys(shown.companion)[0]} {...shown} x={x ?? 0} />
      )}
    </section>
  );
}
