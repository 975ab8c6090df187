// The first view: one sentence, what a token costs, one slider; and the way into the lecture.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

import { OUTCOMES } from "../board/verdict";
import { Chart } from "../chart/chart";
import { clamp, heightAt } from "../chart/numbers";
import type { LedgerClaim, Views } from "../documents";
import { kept } from "../state/kept";
import { format } from "../state/quantity";
import { answer, board, ledger, visit, walk, walkTo } from "../state/store";
import { PageLink } from "./PageLink";

const STEPS = 1000;
/** Where the slider stands at first: of the axis. */
const FIRST = 0.35;

export function Landing() {
  const claims = ledger.value?.claims ?? [];
  const failing = claims.filter(({ verdict }) => OUTCOMES[verdict] === "fails");
  const depending = claims.filter(({ verdict }) => OUTCOMES[verdict] === "depends");
  const resumed = kept().step;
  return (
    <main id="home" tabIndex={-1}>
      <div>
        <h1>What does a token cost?</h1>
        <p class="what">
          Reiner Pope's blackboard lecture on how language models are trained and served, with every equation live.
        </p>
      </div>
      {answer.value && board.value?.name === "cost" && <Cost found={answer.value} />}
      <div class="ways">
        <button type="button" class="main" onClick={() => walkTo(resumed || 1)}>
          {resumed > 1 ? `Go on with the lecture (${resumed} of ${walk.value?.steps.length})` : "Start the lecture"}
        </button>
        <button type="button" onClick={() => visit("latency")}>
          Go to the boards
        </button>
        <p class={claims.length ? "" : "waiting"}>
          Recomputed: of {claims.length} claims,{" "}
          <FirstOf claims={failing}>
            <b>{failing.length}</b> do not reproduce
          </FirstOf>{" "}
          and {depending.length} depend on something left unsaid. Each is a dot on the time line above.
        </p>
      </div>
    </main>
  );
}

/** A way to the first of some claims. */
function FirstOf({ claims: [first], children }: { claims: LedgerClaim[]; children: ComponentChildren }) {
  if (!first) return <>{children}</>;
  return (
    <PageLink to={`?board=${first.board}&claim=${first.id}`} go={() => visit(first.board, first.id)}>
      {children}
    </PageLink>
  );
}

function Cost({ found }: { found: Views }) {
  const host = useRef<HTMLDivElement>(null);
  const chart = useRef<Chart | null>(null);
  const [part, slide] = useState(FIRST);
  const view = found.views[0];
  const ends = view?.axes.x.ends;
  const reach = useRef(ends);
  reach.current = ends;
  const picture = view?.kind === "curves" ? (view.pictures.careful ?? view.pictures.lecture) : undefined;
  useLayoutEffect(() => {
    if (!host.current) return;
    const made = new Chart(host.current, {
      drag: (_mark, _mode, x) => {
        const [low, high] = reach.current ?? [1, 1];
        slide(clamp(Math.log(x / low) / Math.log(high / low)));
      },
    });
    chart.current = made;
    return () => made.destroy();
  }, []);
  const batch = ends ? Math.min(Math.floor(ends[1]), Math.round(ends[0] * (ends[1] / ends[0]) ** part)) : 1;
  const line = picture?.lines.find(({ is_bold }) => is_bold);
  const usd = picture && line ? heightAt(picture.x, line.y, batch) : null;
  useLayoutEffect(() => {
    if (view?.kind !== "curves" || !picture || usd === null) return;
    const here = {
      name: "you",
      x: batch,
      y: usd,
      line: line?.name ?? "",
      text: "",
      colour: "money" as const,
      is_fixed: false,
      is_quiet: false,
    };
    chart.current?.show({
      view: { ...view, pictures: { careful: { ...picture, marks: [here] } } },
      modes: ["careful"],
      lines: null,
      predict: null,
      units: format,
    });
  }, [view, picture, batch, usd]);
  return (
    <section aria-label="What a token costs">
      <p class="price" aria-live="polite">
        <b>{usd === null ? "" : format(usd, view?.axes.y.dimension ?? "")}</b>
        <span>
          is what a million output tokens of {board.value?.model} cost on {board.value?.machine} when{" "}
          {batch.toLocaleString("en-US")} {batch > 1 ? "sequences share" : "sequence has"} each step. Drag the dot.
        </span>
      </p>
      <div class="canvas" ref={host} />
      <label class="one">
        <span>batch</span>
        <input
          type="range"
          min={0}
          max={STEPS}
          value={part * STEPS}
          aria-valuetext={`${batch} ${batch > 1 ? "sequences" : "sequence"}`}
          onInput={({ currentTarget }) => slide(Number(currentTarget.value) / STEPS)}
        />
      </label>
    </section>
  );
}
