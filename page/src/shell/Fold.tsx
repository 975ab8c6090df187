// What a wide screen shows at once, on a phone folded under its name, so that the page stays short.

import type { ComponentChildren } from "preact";

import { isNarrow } from "../state/narrow";

interface Folded {
  name: string;
  /** Whether it is asked for already. */
  isOpen?: boolean;
  children: ComponentChildren;
}

export function Fold({ name, isOpen = false, children }: Folded) {
  if (!isNarrow.value) return <>{children}</>;
  return (
    <details class="fold" open={isOpen}>
      <summary>{name}</summary>
      {children}
    </details>
  );
}
