// The first view: one sentence, what a token costs, one slider; and the way into the lecture.

import { useLayoutEffect, useRef, useState } from "preact/hooks";

import { counted } from "../board/verdict";
import { Chart } from "../chart/chart";
import { clamp, heightAt } from "../chart/numbers";
import type { Views } from "../documents";
import { kept } from "../state/kept";
import { format } from "../state/quantity";
import { answer, board, called, ledger, visit, visitLedger, walk, walkTo } from "../state/store";
import { PageLink } from "./PageLink";

const STEPS = 1000;
type Heights = [whole: number | null, exact: number | null];
/** Where the slider stands at first: of the axis. */
const FIRST = 0.35;

export function Landing() {
  const claims = ledger.value?.claims ?? [];
  const { fails, depends } = counted(claims);
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
          Recomputed: of{" "}
          <PageLink to="?claims=all" go={() => visitLedger("all")}>
            {claims.length} claims
          </PageLink>
          ,{" "}
          <PageLink class="failing" to="?claims=fails" go={() => visitLedger("fails")}>
            <i class="dot fails" />
            <b>{fails}</b> do not reproduce
          </PageLink>{" "}
          and{" "}
          <PageLink to="?claims=depends" go={() => visitLedger("depends")}>
            <i class="dot depends" />
            {depends} depend on something left unsaid
          </PageLink>
          . Each is a dot on the time line above.
        </p>
      </div>
    </main>
  );
}

/** Of a model or a machine; no line ends within it. */
function Name({ id = "" }: { id: string | undefined }) {
  return <span class="name">{called(id)}</span>;
}

function Cost({ found }: { found: Views }) {
  const host = useRef<HTMLDivElement>(null);
  const chart = useRef<Chart | null>(null);
  const [part, slide] = useState(FIRST);
  const [plot, place] = useState<[left: number, right: number] | null>(null);
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
      placed: (left, right) => place([left, right]),
    });
    chart.current = made;
    return () => made.destroy();
  }, []);
  // The dot is where the hand is; what is said is of whole sequences.
  const exact = ends ? ends[0] * (ends[1] / ends[0]) ** part : 1;
  const batch = ends ? Math.min(Math.floor(ends[1]), Math.round(exact)) : 1;
  const line = picture?.lines.find(({ is_bold }) => is_bold);
  const [usd, height] = [batch, exact].map((x) => (picture && line ? heightAt(picture.x, line.y, x) : null)) as Heights;
  useLayoutEffect(() => {
    if (view?.kind !== "curves" || !picture || height === null) return;
    const here = {
      name: "you",
      x: exact,
      y: height,
      line: line?.name ?? "",
      text: "",
      colour: "money" as const,
      is_fixed: false,
      is_quiet: false,
      crosses: "",
    };
    chart.current?.show({
      view: { ...view, pictures: { careful: { ...picture, marks: [here] } } },
      modes: ["careful"],
      lines: null,
      predict: null,
      units: format,
    });
  }, [view, picture, exact, height]);
  return (
    <section aria-label="What a token costs">
      <p class="price" aria-live="polite">
        <b>{usd === null ? "" : format(usd, view?.axes.y.dimension ?? "")}</b>
        <span>
          is what a million output tokens of <Name id={board.value?.model} /> cost on <Name id={board.value?.machine} /> when{" "}
          {batch.toLocaleString("en-US")} {batch > 1 ? "sequences share" : "sequence has"} each step. Drag the dot.
        </span>
      </p>
      <div class="canvas" ref={host} />
      {/* As long as the axis above it, so that the thumb lies under the dot. */}
      <div
        class="track one"
        style={plot ? { "--left": `${plot[0]}px`, "--long": `${plot[1] - plot[0]}px` } : { visibility: "hidden" }}
      >
        <input
          type="range"
          aria-label="batch"
          min={0}
          max={STEPS}
          value={part * STEPS}
          aria-valuetext={`${batch} ${batch > 1 ? "sequences" : "sequence"}`}
          onInput={({ currentTarget }) => slide(Number(currentTarget.value) / STEPS)}
        />
      </div>
    </section>
  );
}
