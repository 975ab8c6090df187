// The place of a picture that comes above the chart with an answer: where it is kept the chart stays when it comes.

import { hasMargin } from "../state/narrow";

export function Coming({ looks }: { looks: string }) {
  // Elsewhere it comes below the chart.
  return hasMargin.value ? (
    <div class={`${looks} coming`} aria-hidden="true">
      <p>A second picture comes with the answer</p>
    </div>
  ) : null;
}
