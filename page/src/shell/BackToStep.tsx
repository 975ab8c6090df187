// From a board or a claim back to the step of the walk that led there, as it was left.

import { write } from "../state/address";
import { toTop } from "../state/scrolled";
import { cameFrom, go } from "../state/store";
import { PageLink } from "./PageLink";

export function BackToStep() {
  const from = cameFrom.value;
  if (!from) return null;
  const back = () => {
    go(from);
    toTop();
  };
  return (
    <PageLink class="pill back-to-step" to={write(from)} go={back}>
      ← Back to step {from.step}
    </PageLink>
  );
}
