// A drawing above the chart of a step, read where the chart is; what draws it is fetched once there is one.

import "./companions.css";

import { companionCanvas, fetchScenes } from "../scenes/fetched";
import { billRead, isChoosing, isGuessing, sketch, step } from "../state/store";
import { given, waiting } from "../walk/guess";
import { isRead, isSeenAsked, within } from "./read";
import { companionOf } from "./shown";

const LOOKS = "machine beside companion";

export function StepCompanion() {
  const shown = companionOf();
  const Canvas = companionCanvas.value;
  if (!shown) return null;
  const read = billRead.value;
  // Where it is asked what becomes of it, it is read there.
  const x = isGuessing.value ? (step.value?.question?.x ?? null) : read === null ? null : within(shown.curves, read);
  const guess = guessAt(x);
  if (isGuessing.value && !isSeenAsked(shown.companion)) return null;
  const [kind = ""] = Object.keys(shown.companion);
  const looks = `${LOOKS} ${kind} ${sketch.value && isSeenAsked(shown.companion) ? "sketched" : ""}`;
  void fetchScenes();
  return (
    <section class={looks} aria-label={shown.companion.text} inert={isChoosing.value}>
      {Canvas && (x !== null || !isRead(shown.companion)) && (
        <Canvas key={kind + shown.asked} {...shown} guess={guess} x={x ?? 0} />
      )}
    </section>
  );
}

/** The guess at the height of a line, where that is read. */
function guessAt(x: number | null): number | null {
  const { question } = step.value ?? {};
  if (question?.axis !== "y" || (x !== null && x !== question.x)) return null;
  return (isGuessing.value ? waiting.value?.[1] : given.value?.value) ?? null;
}
