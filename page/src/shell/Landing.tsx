// The first view: what a token costs and what that is paid for, one slider; and the way into the lecture.

import { useLayoutEffect, useRef, useState } from "preact/hooks";

import { BillBar } from "../bill/BillBar";
import { type Bill, billAt, spoken } from "../bill/bill";
import { usePlace } from "../bill/place";
import { Track } from "../bill/Track";
import { counted } from "../board/verdict";
import { Chart } from "../chart/chart";
import type { Room } from "../chart/frame";
import { clamp, heightAt } from "../chart/numbers";
import type { Axes, Curves, CurvesView } from "../documents";
import { kept } from "../state/kept";
import { format } from "../state/quantity";
import { answer, board, called, readBillAt, shelf, visit, visitLedger, walkTo } from "../state/store";
import { PageLink } from "./PageLink";

/** Where the slider stands at first: of the axis. */
const FIRST = 0.35;
/** Between the axis and its numbers, in pixels: there the slider lies. */
const GAP = { wide: 44, narrow: 34 };
const NARROW = 520;
/** Of the curve's highest value and of the lowest level beside it, between which the frame reaches. */
const ROOM = { above: 1.35, below: 0.5 };

export function Landing() {
  const { claims = [], chapters = [] } = shelf.value ?? {};
  const { fails, depends } = counted(claims);
  const resumed = kept().step;
  const steps = chapters.reduce((sum, chapter) => sum + chapter.steps, 0);
  const view = board.value?.name === "cost" ? answer.value?.views[0] : undefined;
  const picture = view?.kind === "curves" ? (view.pictures.careful ?? view.pictures.lecture) : undefined;
  return (
    <main id="home" tabIndex={-1}>
      {view?.kind === "curves" && picture ? <Cost view={view} picture={picture} /> : <Awaited />}
      <div class="ways">
        <button type="button" class="main" onClick={() => walkTo(resumed || 1)}>
          {resumed > 1 ? `Go on with the lecture (${resumed} of ${steps})` : "Start the lecture"}
        </button>
        <button type="button" onClick={() => visit("latency")}>
          Go to the boards
        </button>
        <p class={claims.length ? "" : "waiting"}>
          Reiner Pope's blackboard lecture on how language models are trained and served, with every equation live. Recomputed:
          of{" "}
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
          .
        </p>
      </div>
    </main>
  );
}

const QUESTION = "What does a token cost?";

/** As high as a bill is, for its place. */
const NO_BILL: Bill = {
  total: 1,
  parts: [{ name: "fetch", colour: "weights", part: 1 }],
  beside: [[{ name: "compute", colour: "compute", part: 0 }]],
};

/** Until the curve is there its place is kept. */
function Awaited() {
  return (
    <>
      <div class="hero" aria-busy="true">
        <h1>{QUESTION}</h1>
        <p class="price">
          <b />
        </p>
        <div class="awaited">
          <Said model="a language model" machine="its machine" batch={10} />
          <BillBar bill={NO_BILL} />
        </div>
      </div>
      <section>
        <div class="canvas" />
      </section>
    </>
  );
}

/** What the number is of. */
function Said({ model = "", machine = "", batch }: { model: string | undefined; machine: string | undefined; batch: number }) {
  return (
    <p class="said">
      for a million output tokens of <span class="called">{called(model)}</span> on{" "}
      <span class="called">{called(machine)}</span> when <strong>{sharing(batch)}</strong> {batch > 1 ? "share" : "has"} each
      step. What it pays for:
    </p>
  );
}

function sharing(batch: number): string {
  return `${batch.toLocaleString("en-US")} ${batch > 1 ? "sequences" : "sequence"}`;
}

/** Its own curve fills the frame: other modes' ends and ticks are cut off. */
function framed({ x, y }: Axes, { lines }: Curves): Axes {
  const bold = lines.find(({ is_bold }) => is_bold)?.y ?? [1];
  const levels = lines.map((line) => line.y[0] ?? 1);
  const ends: [number, number] = [ROOM.below * Math.min(...levels, ...bold), ROOM.above * Math.max(...bold)];
  return { x, y: { ...y, ends, ticks: (y.ticks ?? []).filter((tick) => ends[0] <= tick && tick <= ends[1]) } };
}

function Cost({ view, picture }: { view: CurvesView; picture: Curves }) {
  const host = useRef<HTMLDivElement>(null);
  const chart = useRef<Chart | null>(null);
  const [plot, place] = useState<Room | null>(null);
  const axis = view.axes.x;
  const [, high] = axis.ends ?? [1, 1];
  // The dot is where the hand is; what is said is of whole sequences.
  const { x: exact, part, slide } = usePlace(axis, FIRST);
  useLayoutEffect(() => {
    if (!host.current) return;
    const made = new Chart(host.current, {
      drag: (_mark, _mode, x, _y, phase) => readBillAt(x, phase === "end"),
      placed: place,
    });
    chart.current = made;
    return () => made.destroy();
  }, []);
  const batch = Math.min(Math.floor(high), Math.round(exact));
  const line = picture.lines.find(({ is_bold }) => is_bold);
  const height = line ? heightAt(picture.x, line.y, exact) : null;
  const usd = line ? heightAt(picture.x, line.y, batch) : null;
  const bill = billAt(picture, batch);
  const gap = (host.current?.clientWidth ?? innerWidth) < NARROW ? GAP.narrow : GAP.wide;
  useLayoutEffect(() => {
    if (height === null) return;
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
      view: { ...view, axes: framed(view.axes, picture), pictures: { careful: { ...picture, marks: [here] } } },
      modes: ["careful"],
      lines: null,
      predict: null,
      gap,
      units: format,
    });
  }, [view, picture, exact, height, gap]);
  const isPulling = useRef(false);
  /** A press anywhere in the plot is one on the dot, which comes under the hand. */
  const pull = (event: PointerEvent, phase: "start" | "move" | "end") => {
    const box = host.current?.getBoundingClientRect();
    if (!(box && plot)) return;
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    // Who took hold of the dot itself has it already; the strip is below the plot.
    if (phase === "start") {
      const isInside = x >= plot.left && x <= plot.right && y >= plot.top && y <= plot.bottom;
      isPulling.current = isInside && !event.button && !event.defaultPrevented;
    }
    if (!isPulling.current) return;
    slide(clamp((x - plot.left) / (plot.right - plot.left)), phase === "end");
    if (phase === "end") isPulling.current = false;
  };
  const price = usd === null ? "" : format(usd, view.axes.y.dimension);
  const [number = "", unit = ""] = price.split(/(?=\/)/);
  return (
    <>
      <div class="hero">
        <h1>{QUESTION}</h1>
        <p class="price">
          <b>
            {number}
            <small>{unit}</small>
          </b>
        </p>
        <div>
          <Said model={board.value?.model} machine={board.value?.machine} batch={batch} />
          {bill && <BillBar bill={bill} />}
        </div>
      </div>
      <section aria-label="What a token costs">
        <div
          class="canvas"
          ref={host}
          style={{ "--high": `${gap - 8}px` }}
          onPointerDown={(event) => pull(event, "start")}
          onPointerMove={(event) => pull(event, "move")}
          onPointerUp={(event) => pull(event, "end")}
          onPointerCancel={(event) => pull(event, "end")}
        >
          <Track
            axis={axis}
            pictures={[picture]}
            plot={plot}
            part={part}
            slide={slide}
            label="batch"
            text={[sharing(batch), price, ...(bill ? [spoken(bill)] : [])].join(": ")}
          />
        </div>
      </section>
    </>
  );
}
