// A scene among the board's pictures: one mode at a time, since two that move are two too many.

import "./scenes.css";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";

import { clamp } from "../chart/numbers";
import type { Mode } from "../documents";
import { isNarrow, isOnItsSide } from "../state/narrow";
import { step } from "../state/signals";
import { beforehand } from "./beforehand";
import type { Handles } from "./drawing";
import { Scene } from "./scene";
import { oneOf, useSingle } from "./single";
import type { SceneView } from "./views";

interface Shown {
  view: SceneView;
  modes: Mode[];
  handles: Handles;
  /** Whether an answer is chosen first, and what is known before it is seen alone. */
  isAsked: boolean;
  /** Told of the scene that is on the screen. */
  taken: (scene: Scene | null) => void;
}

/** Parts of the screen's height: no less is the scene's where its controls are many, and on a phone no more. */
const LEAST = 0.36;
const MOST_OF_PHONE = 0.55;
/** In pixels: on a phone it goes on below the slider rather than being lower, at a step or on a board, where the largest drawing has to fit. */
const LEAST_OF_STEP = 230;
const LEAST_OF_BOARD = 360;
/** The least below the controls, in pixels; and the height of a screen up to which whose numbers they are lies below it. */
const FOOT = 20;
const LOW = 800;

/** All that leaves the controls on the same screen, and whose numbers it is of, below what stands above the scene. */
function roomOf(host: HTMLElement): number {
  const views = host.closest("#views");
  // Nothing lies below it there, and it stays while the rest is scrolled.
  if (isOnItsSide.value && views) return views.getBoundingClientRect().bottom - host.getBoundingClientRect().top - FOOT;
  const above = host.getBoundingClientRect().top - document.body.getBoundingClientRect().top;
  // On a phone the way on covers the lower edge.
  const last = isNarrow.value ? "#walk .steps" : innerHeight > LOW ? "#sources" : null;
  const state = document.querySelector("#views .state");
  // On the walk they may stand beside it; before an answer a low phone has those to choose from in their place.
  const turned = heightOf(document.querySelector(".stage #controls")) || heightOf(document.querySelector("#views > .options"));
  const below = [heightOf(state), turned, heightOf(last && document.querySelector(last))];
  const most = isNarrow.value ? MOST_OF_PHONE * innerHeight : Number.POSITIVE_INFINITY;
  const foot = Math.max(FOOT, margin(host.closest("figure"), "marginBottom") + margin(host.closest(".stage"), "paddingBottom"));
  const least = isNarrow.value ? Math.min(step.value ? LEAST_OF_STEP : LEAST_OF_BOARD, most) : LEAST * innerHeight;
  return clamp(innerHeight - above - below.reduce((sum, one) => sum + one, 0) - foot, least, most);
}

/** Of a phone's board: where fewer parts are drawn lower, nothing below moves. */
function keepRoom(host: HTMLElement): void {
  host.style.minHeight = isNarrow.value && !isOnItsSide.value && !step.value ? `${roomOf(host)}px` : "";
}

/** Around the sheet on which the scene lies, and below all. */
function margin(element: Element | null, side: "marginBottom" | "paddingBottom"): number {
  return element ? Number.parseFloat(getComputedStyle(element)[side]) : 0;
}

function heightOf(element: Element | null): number {
  return element?.getBoundingClientRect().height ?? 0;
}

export function SceneCanvas({ view, modes, handles, isAsked, taken }: Shown) {
  const host = useRef<HTMLDivElement>(null);
  const scene = useRef<Scene | null>(null);
  const lookAgain = useRef(() => {});
  const mode = oneOf(modes);
  const whole = mode && view.pictures[mode];
  const before = useMemo(() => (isAsked && whole ? beforehand(whole) : null), [isAsked, whole]);
  const picture = before?.picture ?? whole;
  useLayoutEffect(() => {
    if (!host.current) return;
    const place = host.current;
    const made = new Scene(place, handles, () => roomOf(place));
    scene.current = made;
    taken(made);
    const watch = new ResizeObserver(() => {
      made.resize();
      keepRoom(place);
    });
    // Who is observed anew is told once all is laid out.
    lookAgain.current = () => {
      watch.unobserve(place);
      watch.observe(place);
    };
    lookAgain.current();
    return () => {
      watch.disconnect();
      made.destroy();
      taken(null);
    };
  }, []);
  useSingle(mode ?? null);
  useLayoutEffect(() => {
    if (picture) scene.current?.show(picture, view.axes, before !== null);
    if (before) scene.current?.stand(before.moment);
    lookAgain.current();
  }, [picture, view]);
  return <div id="canvas" class={before ? "scene-host sketched" : "scene-host"} ref={host} />;
}
