// The first view: what a token costs and what that is paid for, one slider; and the way into the lecture.

import type { Binds } from "../bill/binds";
import type { RefusalDocument } from "../documents";
import { sourced } from "../scenes/fetched";
import { kept } from "../state/kept";
import { isNarrow } from "../state/narrow";
import { answer, board, shelf, visitShelf, walkTo } from "../state/store";
import { Asked } from "./Asked";
import { Cost, Failing, Paying, Priced } from "./Cost";

export function Landing() {
  const { chapters = [], first } = shelf.value ?? {};
  const resumed = kept().step;
  const steps = chapters.reduce((sum, chapter) => sum + chapter.steps, 0);
  const view = board.value?.name === first ? answer.value?.views[0] : undefined;
  const refusal = answer.value?.refused.careful;
  const picture = view?.kind === "curves" ? (view.pictures.careful ?? view.pictures.lecture) : undefined;
  return (
    <main id="home" tabIndex={-1}>
      <p class="whose">
        Reiner Pope's blackboard lecture<span>, every equation live</span>
        <span>: why speed costs extra, why racks grow, what prices give away.</span>
      </p>
      <div class="first">
        {refusal ? (
          <Refused refusal={refusal} />
        ) : view?.kind === "curves" && picture ? (
          <Cost view={view} picture={picture} />
        ) : (
          <Awaited />
        )}
      </div>
      <div class="ways">
        <div class="start">
          <button type="button" class="main" onClick={() => walkTo(resumed || 1)}>
            {resumed > 1 ? `Go on with the lecture (${resumed} of ${steps})` : "Start the lecture"}
          </button>
        </div>
        <button type="button" onClick={visitShelf}>
          Go to the boards
        </button>
        {!isNarrow.value && <Failing />}
        <details class="source-line">
          <summary>Sources</summary>
          <p>{sourced.value && <sourced.value.SourceLine />}</p>
        </details>
      </div>
    </main>
  );
}

const NO_BOUND: Binds = { colour: "weights", head: "Memory-bound", rest: "" };

/** Until the curve is there its place is kept. */
function Awaited() {
  return (
    <>
      <div class="hero" aria-busy="true">
        <Priced text="" />
        <div class="awaited">
          <Asked batch={null} outcome="" />
          <Paying bound={NO_BOUND} batch={null} />
        </div>
      </div>
      <section>
        <div class="canvas" />
      </section>
    </>
  );
}

/** Of what nobody asks a price for, no token has one: another machine can be chosen. */
function Refused({ refusal: { field, message } }: { refusal: RefusalDocument }) {
  return (
    <>
      <div class="hero">
        <Priced text="?" />
        <div>
          <Asked batch={null} outcome="no price" />
          <p class="binds" role="status">
            {field === "usd_per_chip_s" ? "The catalog has no price of this machine: choose another." : message}
          </p>
        </div>
      </div>
      <section>
        <div class="canvas" />
      </section>
    </>
  );
}
