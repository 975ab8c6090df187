// A number among the lecture's that he does not give: another slope, and the reason for it.

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

import { GIVES } from "./gives";

/** Of what he gives (the reason is null) as it stands. */
export function FilledIn({ why, children }: { why: string | null | undefined; children: ComponentChildren }) {
  const [isTold, tell] = useState(false);
  if (why === null || why === undefined) return <>{children}</>;
  const reason = `${GIVES["filled in"]}: ${why}`;
  return (
    <i
      class={isTold ? "filled-in explained" : "filled-in"}
      title={reason}
      // A finger has no hover: its tap writes the reason beside the number, and takes it away again.
      onPointerUp={({ pointerType }) => pointerType !== "mouse" && tell(!isTold)}
    >
      {children}
      <span class={isTold ? "" : "unseen"}> ({reason})</span>
    </i>
  );
}
