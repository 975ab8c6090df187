// What a phone's first screen has no room for: what goes on below its foot fades there, and what stands above the picture makes way for it.

import { effect } from "@preact/signals";

import { aroundPlot, between, isNarrow, isOnItsSide } from "../state/narrow";
import { address, answer, isAsked, isBusy } from "../state/signals";
import { settle } from "../walk/above";

/** In pixels: less is the edge of what a thumb hits, and nothing that one could miss. */
const NOTHING = 10;

/** What lies over the foot: on its side the way on, upright what turns the picture, or the way on before a guess. */
const COVERS = { steps: "#walk .steps", controls: "#controls" };

/** On its side all that stands beside the picture goes on, upright the picture does. */
function look(): void {
  const { dataset } = document.documentElement;
  if (!isNarrow.value) {
    dataset.goesOn = "";
    return;
  }
  const isTurned = document.querySelector(COVERS.controls)?.checkVisibility({ visibilityProperty: true });
  const name = isOnItsSide.value || !isTurned ? "steps" : "controls";
  const [end, cover] = ["#views", COVERS[name]].map((one) => document.querySelector(one)?.getBoundingClientRect());
  const goesOn = isOnItsSide.value
    ? scrollY + innerHeight < document.documentElement.scrollHeight - NOTHING
    : end !== undefined && cover !== undefined && end.top < cover.top && end.bottom > cover.top + NOTHING;
  dataset.goesOn = goesOn ? name : "";
}

let isComing = false;

/** Once what has changed is laid out, and drawn in the room that it has. */
function later(): void {
  if (isComing) return;
  isComing = true;
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      isComing = false;
      if (!isBusy.value) settle();
      look();
    }),
  );
}

/** For as long as the page is there. */
export function watchFoot(): void {
  addEventListener("scroll", look, { passive: true });
  document.fonts?.addEventListener("loadingdone", later);
  new ResizeObserver(() => {
    look();
    later();
  }).observe(document.body);
  effect(() => {
    void [address.value, answer.value, aroundPlot.value, between.value, isAsked.value, isBusy.value];
    later();
  });
}
