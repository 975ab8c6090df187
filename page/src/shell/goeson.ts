// What a phone's first screen has no room for: what goes on below its foot fades there, and a formula makes way for its picture.

import { effect } from "@preact/signals";

import { crowded, isNarrow, isOnItsSide, isShortest } from "../state/narrow";
import { address, answer, step } from "../state/signals";

/** In pixels: less is the edge of what a thumb hits, and nothing that one could miss. */
const NOTHING = 10;
/** Height in which curves can be told apart, in pixels. */
const LEAST_PLOT = 96;

/** What lies over the foot: on its side the way on, upright what turns the picture. */
const COVERS = { steps: "#walk .steps", controls: "#controls" };

/** On its side all that stands beside the picture goes on, upright the picture does. */
function look(): void {
  const { dataset, scrollHeight } = document.documentElement;
  const name = isOnItsSide.value ? "steps" : "controls";
  const [end, cover] = ["#views", COVERS[name]].map((one) => document.querySelector(one)?.getBoundingClientRect());
  const goesOn = isOnItsSide.value
    ? scrollY + innerHeight < scrollHeight - NOTHING
    : end !== undefined && cover !== undefined && end.top < cover.top && end.bottom > cover.top + NOTHING;
  dataset.goesOn = isNarrow.value && goesOn ? name : "";
}

/** Once the picture is drawn in the room that it has: on the lowest phones a formula that leaves it too little comes later. */
function judge(): void {
  look();
  const plots = [...document.querySelectorAll("#views[aria-busy=false] #canvas > .chart clipPath rect")];
  const high = Math.max(...plots.map((one) => Number(one.getAttribute("height"))));
  if (isShortest.value && plots.length && high < LEAST_PLOT) crowded.value = step.value?.id ?? "";
}

/** For as long as the page is there. */
export function watchFoot(): void {
  const later = () => requestAnimationFrame(() => requestAnimationFrame(judge));
  addEventListener("scroll", look, { passive: true });
  document.fonts?.addEventListener("loadingdone", later);
  new ResizeObserver(look).observe(document.body);
  effect(() => {
    void [address.value, answer.value];
    later();
  });
}
