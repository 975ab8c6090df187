// The place of a picture that comes above the chart with an answer: where it is kept the chart stays when it comes.

import { isNarrow } from "../state/narrow";

export function Coming({ looks }: { looks: string }) {
  // A phone has its first screen for the chart, and the picture comes below it.
  return isNarrow.value ? null : <div class={`${looks} coming`} aria-hidden="true" />;
}
