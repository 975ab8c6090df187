// From a board or a claim back to the step of the walk that led there, as it was left.

import { write } from "../state/address";
import { cameFrom, goToTop } from "../state/store";
import { PageLink } from "./PageLink";

export function BackToStep() {
  const from = cameFrom.value;
  if (!from) return null;
  return (
    <PageLink class="pill back-to-step" to={write(from)} go={() => goToTop(from)}>
      ← Back to step {from.step}
    </PageLink>
  );
}
