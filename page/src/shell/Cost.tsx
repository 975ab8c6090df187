// What a token costs, as a number, a sentence, a bill and a curve, all read at one batch.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

import { billAt, spoken } from "../bill/bill";
import { type Binds, binds, overfull, takenOverAt } from "../bill/binds";
import { partAt } from "../bill/parts";
import { usePlace } from "../bill/place";
import { Track } from "../bill/Track";
import { isNew, learnt } from "../board/scrub";
import { counted } from "../board/verdict";
import { Chart } from "../chart/chart";
import { clamp, folds, heightAt, mixed } from "../chart/numbers";
import { lastThatFits } from "../chart/overfull";
import type { Plot } from "../chart/stage";
import type { Axes, Curves, CurvesView } from "../documents";
import { Step } from "../machine/Machine";
import { isNarrow } from "../state/narrow";
import { format } from "../state/quantity";
import { billRead, held, isBusy, isStandIn, notice, onScreen, readBillAt, shelf, visitLedger } from "../state/store";
import { Asked, isChosen, sharing } from "./Asked";
import { Mended } from "./Mended";
import { PageLink } from "./PageLink";

export const QUESTION = "What does a token cost?";

/** Sequences that share a step at first. */
export const FIRST = 32;
/** Between the axis and its numbers, in pixels: there the slider lies. */
const GAP = 30;
/** Where the memory has no room for more, as the picture marks it. */
const FULL = "memory is full";
/** Of the curve's highest value and of the lowest level beside it, between which the frame reaches; what lies far below is left out. */
const ROOM = { above: 1.35, below: 0.5, far: 0.1 };

/** What a price of tokens is for. */
const PER = "/Mtok";

/** So many numbers at least has the upright axis. */
const FEW_TICKS = 3;

/** Its own curve fills the frame: other modes' ends and ticks are cut off. */
function framed({ x, y }: Axes, { lines }: Curves): Axes {
  const bold = lines.find(({ is_bold }) => is_bold)?.y ?? [1];
  const least = Math.min(...bold);
  // Both ends of each line, so that one that falls is still there to be named.
  const levels = lines.flatMap(({ y }) => [y[0] ?? 1, y.at(-1) ?? 1]).filter((level) => level > ROOM.far * least);
  const ends: [number, number] = [ROOM.below * Math.min(...levels, ...bold), ROOM.above * Math.max(...bold)];
  const ticks = (y.ticks ?? []).filter((tick) => ends[0] <= tick && tick <= ends[1]);
  return { x, y: { ...y, ends, ticks: ticks.length < FEW_TICKS ? folds(...ends, FEW_TICKS) : ticks } };
}

/** From a dollar on with its cents. */
function cents(price: string): string {
  return price.replace(/^\$\d+\.\d(?=\D|$)/, "$&0");
}

/** Part of the axis beyond which words have no room to the right of a handle. */
const LATE = 0.6;

interface Costed {
  view: CurvesView;
  picture: Curves;
  /** Sequences that share a step at first. */
  first?: number;
  /** Where nothing is chosen or turned but the batch: what is said of it beside the curve. */
  children?: (read: Read) => ComponentChildren;
}

/** What is read at a batch. */
export interface Read {
  batch: number;
  price: string;
  bound: Binds | null;
}

/** What a million tokens cost at a batch. */
export function priceAt({ axes }: CurvesView, { x, lines }: Curves, batch: number): string {
  const line = lines.find(({ is_bold }) => is_bold);
  const usd = line ? heightAt(x, line.y, batch) : null;
  // Of how many tokens it is the sentence says.
  return usd === null ? "" : cents(format(usd, axes.y.dimension)).replace(PER, "");
}

export function Cost({ view, picture, first = FIRST, children }: Costed) {
  const host = useRef<HTMLDivElement>(null);
  const chart = useRef<Chart | null>(null);
  const [plot, place] = useState<Plot | null>(null);
  const axis = view.axes.x;
  const [, high] = axis.ends ?? [1, 1];
  // The dot is where the hand is; what is said is of whole sequences.
  const last = lastThatFits(picture);
  const { x: exact, part, slide: go } = usePlace(axis, partAt(axis, Math.min(first, last || Infinity)));
  const slide = (to: number, isFinal: boolean) => {
    learnt();
    go(to, isFinal);
  };
  useLayoutEffect(() => {
    if (!host.current) return;
    const made = new Chart(host.current, {
      drag: (_mark, _mode, x, _y, phase) => {
        if (phase === "move") learnt();
        readBillAt(x, phase === "end");
      },
      placed: place,
    });
    chart.current = made;
    // Lines come over the frame on the screen while a hand holds it; whoever lets go sees all of the new ones.
    onScreen.value = {
      picture: () => made.picture(),
      frame: () => (held.value ? (made.frame?.x ?? null) : null),
      pastReach: () => made.pastReach,
    };
    return () => {
      made.destroy();
      onScreen.value = null;
    };
  }, []);
  // The axis may come to have other ends under a hand.
  useLayoutEffect(() => {
    billRead.value = exact;
    return () => {
      billRead.value = null;
    };
  }, [exact]);
  const isHeld = held.value !== "";
  useLayoutEffect(() => {
    if (isHeld) chart.current?.hold();
    else {
      chart.current?.release();
      chart.current?.clearGhost();
    }
  }, [isHeld]);
  const batch = Math.min(Math.floor(high), Math.round(exact));
  const line = picture.lines.find(({ is_bold }) => is_bold);
  // Whoever has chosen another model or machine meets a price: as many sequences as it has room for.
  useLayoutEffect(() => {
    if (!isChosen.value || isBusy.value) return;
    isChosen.value = false;
    if (last && batch > last) readBillAt(last, true);
  }, [isChosen.value, isBusy.value]);
  const height = line ? heightAt(picture.x, line.y, exact) : null;
  const axes = framed(view.axes, picture);
  const bill = billAt(picture, batch);
  useLayoutEffect(() => {
    if (height === null) return;
    const turn = picture.marks
      .filter(({ x, name }) => x === takenOverAt(picture) || name === FULL)
      .map((mark) => ({ ...mark, is_fixed: true, is_quiet: false }));
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
      view: { ...view, axes, pictures: { careful: { ...picture, marks: [here, ...turn] } } },
      modes: ["careful"],
      lines: null,
      predict: null,
      gap: GAP,
      isCut: true,
      units: format,
    });
  }, [view, picture, exact, height]);
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
  const price = priceAt(view, picture, batch);
  const isOver = batch > last;
  const bound = (isOver ? overfull(last) : bill && binds(bill, picture)) || null;
  const why = bound ? [`${bound.head}: ${bound.rest}`] : [];
  const paid = [price + PER, ...(bill ? [spoken(bill)] : [])];
  const outcome = (isOver ? [...why, ...paid] : [...paid, ...why]).join("; ");
  const curve = (
    <section aria-label="What a token costs">
      <div
        class="canvas"
        ref={host}
        style={{ "--high": `${GAP - 8}px` }}
        onPointerDown={(event) => pull(event, "start")}
        onPointerMove={(event) => pull(event, "move")}
        onPointerUp={(event) => pull(event, "end")}
        onPointerCancel={(event) => pull(event, "end")}
      >
        <Track
          axis={axis}
          pictures={[picture]}
          whole="cost"
          plot={plot}
          part={part}
          slide={slide}
          label="batch"
          text={`${sharing(batch)}: ${outcome}`}
        />
        {isNew.value && plot && height !== null && (
          <span
            class={part > LATE ? "drag-me late" : "drag-me"}
            aria-hidden="true"
            style={{
              left: `${mixed(plot.left, plot.right, part)}px`,
              top: `${mixed(plot.bottom, plot.top, partAt(axes.y, height))}px`,
            }}
          >
            <i />
            <b>drag me</b>
          </span>
        )}
      </div>
    </section>
  );
  if (children)
    return (
      <>
        {children({ batch, price, bound })}
        {curve}
      </>
    );
  return (
    <>
      <div class={isStandIn.value || notice.value ? "hero behind" : "hero"} aria-busy={isBusy.value || undefined}>
        <Priced text={price} isOver={isOver} />
        <div>
          <Asked
            batch={{
              count: batch,
              most: Math.max(1, Math.floor(high)),
              part,
              least: Math.abs(partAt(axis, batch + 1) - part),
              slide,
            }}
            outcome={outcome}
          />
          {bill && bound && (
            <Paying bound={bound} batch={batch} said={spoken(bill)}>
              {isOver && <Mended last={last} />}
            </Paying>
          )}
        </div>
      </div>
      {curve}
    </>
  );
}

/** The question with its price, and on a phone how many claims fail. */
export function Priced({ text, isOver = false }: { text: string; isOver?: boolean }) {
  return (
    <>
      <h1>{QUESTION}</h1>
      <p class={isOver ? "price overfull" : "price"}>
        <b>{text}</b>
        {isNarrow.value && <Failing />}
      </p>
    </>
  );
}

/** How many of his claims fail. */
export function Failing() {
  const { claims = [] } = shelf.value ?? {};
  if (!claims.length) return null;
  return (
    <PageLink class="failing" to="?claims=fails" go={() => visitLedger("fails")}>
      <b>{counted(claims).fails}</b>
      <span>of {claims.length} claims do not reproduce</span>
    </PageLink>
  );
}

interface Paid {
  bound: Binds;
  /** Null until it is known. */
  batch: number | null;
  /** The bill in words. */
  said?: string;
  children?: ComponentChildren;
}

/** What is paid for, in a line and as one step of a chip. */
export function Paying({ bound, batch, said = "", children }: Paid) {
  return (
    <>
      <p class="binds" style={{ color: `var(--${bound.colour})` }}>
        <b>{bound.head}:</b> {bound.rest} {children}
      </p>
      {/* A phone has the height for one picture: the curve. */}
      {!isNarrow.value && <Step batch={batch} said={said} />}
    </>
  );
}
