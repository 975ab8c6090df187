// A number of what he argues that the drawing has: pointed at it lights its mark or what sets it; pressed it brings the
// handle there, or the control back.

import type { ComponentChildren } from "preact";
import { keyOf } from "../chart/identity";
import type { Tie } from "../documents";
import { answer, billRead, pointed, readBillAt, turn, view } from "../state/store";

interface Props {
  tie: Tie;
  /** Position along at which a handle reads it now; null where no handle does. */
  x: number | null;
  text: ComponentChildren;
}

export function Tied({ tie, x: readAt, text }: Props) {
  const light = (isOn: boolean) => {
    const modes = answer.value?.modes ?? [];
    pointed.value = isOn && tie.mark ? modes.map((mode) => keyOf(mode, tie.mark)) : [];
    const sets = tie.control && `[data-of="${tie.control}"], .knob:has(#control-${tie.control})`;
    if (sets) for (const each of document.querySelectorAll(sets)) each.classList.toggle("tied-to", isOn);
  };
  const go = () => {
    const x = readAt ?? markX(tie.mark);
    if (tie.control) turn(tie.control, null, true);
    else if (x !== null && billRead.value !== null) readBillAt(x, true);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a button does not break across lines as words do
    <span
      class="tied"
      role="button"
      tabIndex={0}
      onPointerEnter={() => light(true)}
      onPointerLeave={() => light(false)}
      onFocus={() => light(true)}
      onBlur={() => light(false)}
      onClick={go}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        go();
      }}
    >
      {text}
    </span>
  );
}

/** Where the mark lies now along the axis; null where there is none. */
function markX(name: string): number | null {
  const found = answer.value?.views[view.value];
  const pictures = found?.kind === "curves" ? Object.values(found.pictures) : [];
  return pictures.flatMap(({ marks }) => marks).find((mark) => mark.name === name)?.x ?? null;
}
