// The picture: one of a board's views at a time, large; both modes in one frame.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

import { BILLED, billed, GAP, useBills } from "../bill/Bills";
import { Chart, type ChartView, type Handles } from "../chart/chart";
import type { Plot } from "../chart/stage";
import { dotPointed, passing } from "../companions/read";
import { companionOf, isItemized, isReadBeside } from "../companions/shown";
import type { Board, Mode, Views } from "../documents";
import { machineOf, machineShown } from "../machine/shown";
import { canvas, fetchScenes, sourced } from "../scenes/fetched";
import { oneOf, useSingle } from "../scenes/single";
import { isOneAtATime, isScene } from "../scenes/views";
import { MODE_WORDS } from "../state/modes";
import { aroundPlot, hasMargin, isNarrow } from "../state/narrow";
import {
  address,
  answer,
  askAgain,
  board,
  view as chosen,
  go,
  held,
  isAsked,
  isBusy,
  isChoosing,
  isStandIn,
  lit,
  markOf,
  onScreen,
  past,
  place as placed,
  pointed,
  said,
  sketch,
  step,
  turn,
} from "../state/store";
import { giveUp, guessed, predicted, waiting } from "../walk/guess";
import { Head } from "./Head";
import { partOf, textAt } from "./knob";
import { shownChart } from "./picture";
import { State } from "./State";

export function Figure({ board }: { board: Board }) {
  const found = answer.value;
  const place = Math.min(chosen.value, Math.max(0, (found?.views.length ?? 1) - 1));
  const view = found?.views[place];
  const SceneCanvas = canvas.value;
  if (view && isScene(view)) void fetchScenes();
  return (
    <div id="views" aria-busy={isBusy.value} class={found ? "" : "empty"}>
      <Head board={board} views={found?.views ?? []} place={place} />
      <figure inert={isChoosing.value} class={sketch.value ? "sketched" : undefined}>
        {found && view && isScene(view) && !SceneCanvas && <div id="canvas" class="scene-host" />}
        {found && view && isScene(view) && SceneCanvas && (
          <SceneCanvas
            key={`${board.name} ${place} ${isChoosing.value}`}
            view={view}
            isAsked={isChoosing.value}
            modes={found.modes}
            handles={{ choose: go, turn: turnTo, say: tell }}
            taken={(scene) => {
              onScreen.value = scene && { picture: () => scene.picture(), frame: () => null, pastReach: () => null };
            }}
          />
        )}
        {found && view && !isScene(view) && <Canvas key={`${board.name} ${place}`} found={found} view={view} place={place} />}
        {/* A phone has its first screen for the picture. */}
        {found && !placed.value && !isNarrow.value && <State board={board} found={found} />}
        {Object.entries(found?.refused ?? {}).map(([mode, refusal]) => (
          <p key={mode} class="refused">
            {MODE_WORDS[mode as Mode]}: {refusal?.message}
          </p>
        ))}
      </figure>
      {!hasMargin.value && sourced.value && <sourced.value.Options key={step.value?.id} />}
    </div>
  );
}

/** Turn a control of the board to a number that a scene was dragged to. */
function turnTo(name: string, value: number, isFinal: boolean): void {
  const control = board.value?.controls.find((one) => one.name === name);
  if (control) turn(name, textAt(control, partOf(control, value)), isFinal);
}

function tell(text: string): void {
  said.value = text;
}

/** Where along the picture at a place a step's sentence is true, or what was asked lies, once it is told; of other numbers nobody knows it. */
function toldAlong(which: number, view: ChartView, mode: Mode | undefined): number | null {
  if (isChoosing.value && !sketch.value) return null;
  const asked = predicted.value;
  if (!asked && (!step.value || which === step.value.view)) return markRead(view, mode) ?? step.value?.read_at ?? null;
  if (!asked || asked.isOpen || which !== (placed.value ?? step.value)?.view) return null;
  if (asked.axis === "x") return !placed.value && Object.keys(address.value.turned).length ? null : asked.x;
  // What it is read at may be a number of the picture's own, which others stand elsewhere with.
  return (placed.value ? null : markRead(view, mode)) ?? asked.x;
}

/** From where to where along lines are known, of any of the modes. */
function reachOf(view: ChartView, modes: readonly Mode[]): [number, number] {
  const all = view.kind === "curves" ? modes.flatMap((mode) => view.pictures[mode]?.x ?? []) : [];
  return all.length ? [Math.min(...all), Math.max(...all)] : [-Infinity, Infinity];
}

/** Where the mark lies that the handle follows, in a mode; null where it follows none. */
function markRead(view: ChartView, mode: Mode | undefined): number | null {
  const name = markOf(view);
  const picture = view.kind === "curves" && mode ? view.pictures[mode] : undefined;
  return picture?.marks.find((one) => one.name === name)?.x ?? null;
}

function Canvas({ found, view, place }: { found: Views; view: ChartView; place: number }) {
  const host = useRef<HTMLDivElement>(null);
  const chart = useRef<Chart | null>(null);
  const isHeld = held.value !== "";
  const one = oneOf(found.modes);
  const isSwitched = one !== undefined && isOneAtATime(view, isNarrow.value);
  const modes = isSwitched ? [one] : found.modes;
  useSingle(isSwitched ? one : null);
  const [plot, setPlot] = useState<Plot | null>(null);
  const bills = isStandIn.value ? [] : billed(view, isNarrow.value && step.value ? modes.slice(-1) : modes);
  // A bill would tell what is asked; where there is room for it its place is kept, so that the picture stays when it comes.
  const isKept = isAsked.value;
  const paid = isKept ? [] : bills;
  const coming = isKept && !isNarrow.value ? bills : [];
  // The machine above it is read at the same place, and says what a bill would.
  const hasMachine = machineShown() !== null || isReadBeside();
  const awaitsMachine = isKept && !isNarrow.value && (machineOf() !== null || isReadBeside(companionOf()));
  const itemized = !isNarrow.value && isItemized(); // a phone has no room for the drawing
  const gap = paid.length || coming.length || hasMachine || awaitsMachine ? GAP : 0;
  const {
    track,
    rows,
    x: read,
  } = useBills({
    axes: view.axes,
    pictures: paid,
    plot,
    told: toldAlong(place, view, modes.at(-1)),
    reach: reachOf(view, modes),
    hasMachine,
  });
  useLayoutEffect(() => {
    if (!host.current) return;
    let drag: Handles["drag"];
    const made = new Chart(host.current, {
      hover: (colour) => {
        lit.value = colour;
      },
      dot: (dot) => {
        dotPointed.value = dot;
      },
      drag: (...moved) => {
        drag ??= sourced.value?.dragging(place);
        drag?.(...moved);
      },
      guess: guessed,
      giveUp,
      waits: (at) => {
        waiting.value = at;
      },
      say: (text) => {
        said.value = text;
      },
      placed: (plot) => {
        setPlot(plot);
        aroundPlot.value = Math.ceil(plot.around);
      },
      // After this answer: the hand may rest.
      lost: () => queueMicrotask(askAgain),
    });
    chart.current = made;
    onScreen.value = {
      picture: () => made.picture(),
      frame: () => made.frame?.x ?? null,
      pastReach: () => made.pastReach,
    };
    return () => {
      made.destroy();
      chart.current = onScreen.value = dotPointed.value = aroundPlot.value = null;
    };
  }, []);
  // What stood in for the picture becomes its ghost.
  useLayoutEffect(() => {
    if (!isStandIn.value) return;
    return () => {
      chart.current?.hold();
      chart.current?.release();
    };
  }, [isStandIn.value]);
  // Before the new picture: what is on the screen becomes the ghost.
  useLayoutEffect(() => {
    if (isHeld) chart.current?.hold();
    else chart.current?.release();
  }, [isHeld]);
  // Where it will be read is not yet said.
  const passed = sketch.value ? null : (passing.value ?? read);
  const plumb = () => chart.current?.plumb(passed);
  // A frame that follows a hand has room for the height that is read in the new picture, not in the old one.
  useLayoutEffect(() => void (isHeld && plumb()), [passed, isHeld]);
  useLayoutEffect(() => {
    chart.current?.show({ ...shownChart(view, modes, past.value?.views[place] ?? null), gap });
  }, [found, view, modes.join(), step.value, predicted.value, sourced.value, sketch.value, past.value, gap]);
  useLayoutEffect(plumb, [passed, view.kind]);
  useEffect(() => chart.current?.light(lit.value), [lit.value]);
  useEffect(() => chart.current?.point(pointed.value), [pointed.value]);
  useEffect(
    () => chart.current?.clearGhost(),
    [address.value.step, address.value.board, address.value.model, address.value.machine],
  );
  return (
    <>
      <div
        id="canvas"
        class={isStandIn.value ? "canvas stand-in" : "canvas"}
        ref={host}
        style={gap ? { "--high": `${gap - 8}px` } : {}}
      >
        {track}
      </div>
      {!itemized && rows}
      {coming.length > 0 && !awaitsMachine && !itemized && (
        <div class={`bills${BILLED[coming.length] ?? ""}`} aria-hidden="true">
          {coming.map(([mode]) => (
            <div key={mode} class="coming" />
          ))}
        </div>
      )}
    </>
  );
}
