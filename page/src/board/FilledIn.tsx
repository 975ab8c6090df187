// A number among the lecture's that he does not give: another slope, and the reason for it.

import type { ComponentChildren } from "preact";

import { GIVES } from "./gives";

/** Of what he gives (the reason is null) as it stands. */
export function FilledIn({ why, children }: { why: string | null | undefined; children: ComponentChildren }) {
  if (why === null || why === undefined) return <>{children}</>;
  const reason = `${GIVES["filled in"]}: ${why}`;
  return (
    <i class="filled-in" title={reason}>
      {children}
      <span class="unseen"> ({reason})</span>
    </i>
  );
}
