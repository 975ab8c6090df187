// What a phone's first screen has no room for: what goes on below its foot fades there, and a formula makes way for its picture.

import { effect } from "@preact/signals";

import { crowded, isNarrow, isOnItsSide, isShortest } from "../state/narrow";
import { address, answer, step } from "../state/signals";

/** In pixels: less is the edge of what a thumb hits, and nothing that one could miss. */
const NOTHING = 10;
/** Height in which curves can be told apart, in pixels. */
const LEAST_PLOT = 96;
/** Of a screen's height: no more is made the picture's. */
const MOST = 0.6;

/** What lies over the foot: on its side the way on, upright what turns the picture. */
const COVERS = { steps: "#walk .steps", controls: "#controls" };

/** On its side all that stands beside the picture goes on, upright the picture does. */
function look(): void {
  const { dataset } = document.documentElement;
  if (!isNarrow.value) {
    dataset.goesOn = "";
    return;
  }
  const name = isOnItsSide.value ? "steps" : "controls";
  const [end, cover] = ["#views", COVERS[name]].map((one) => document.querySelector(one)?.getBoundingClientRect());
  const goesOn = isOnItsSide.value
    ? scrollY + innerHeight < document.documentElement.scrollHeight - NOTHING
    : end !== undefined && cover !== undefined && end.top < cover.top && end.bottom > cover.top + NOTHING;
  dataset.goesOn = goesOn ? name : "";
}

/** For which step the picture was made higher. */
let widened = "";

/** Once the picture is drawn in the room that it has: on the lowest phones a formula that leaves it too little comes later, and where words alone do, its legend goes on below what turns it. */
function judge(): void {
  const { style } = document.documentElement;
  const id = step.value?.id ?? "";
  if (widened !== id || !isShortest.value) style.removeProperty("--needs");
  look();
  if (!isShortest.value) return;
  const plots = [...document.querySelectorAll("#views[aria-busy=false] #canvas > .chart clipPath rect")];
  const high = Math.max(...plots.map((one) => Number(one.getAttribute("height"))));
  if (!plots.length || high >= LEAST_PLOT) return;
  if (crowded.value === id) {
    const whole = document.querySelector<HTMLElement>("#canvas")?.offsetHeight ?? 0;
    style.setProperty("--needs", `${Math.min(whole + LEAST_PLOT - high, MOST * innerHeight)}px`);
    widened = id;
  }
  crowded.value = id;
}

/** For as long as the page is there. */
export function watchFoot(): void {
  const later = () => requestAnimationFrame(() => requestAnimationFrame(judge));
  addEventListener("scroll", look, { passive: true });
  document.fonts?.addEventListener("loadingdone", later);
  new ResizeObserver(() => {
    look();
    later();
  }).observe(document.body);
  // What draws the first picture comes after its numbers.
  new MutationObserver(later).observe(document.body, { subtree: true, attributeFilter: ["aria-busy"] });
  effect(() => {
    void [address.value, answer.value, crowded.value];
    later();
  });
}
