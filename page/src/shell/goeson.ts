// What a phone's first screen has no room for: what goes on below its foot fades there, and a formula makes way for its picture.

import { effect } from "@preact/signals";

import { type Between, between, crowded, isNarrow, isOnItsSide, isShort, isShortest, NOTHING_BETWEEN } from "../state/narrow";
import { address, answer, isAsked, shown, step } from "../state/signals";

/** In pixels: less is the edge of what a thumb hits, and nothing that one could miss. */
const NOTHING = 10;
/** Height in which curves can be told apart, in pixels. */
const LEAST_PLOT = 96;
/** The same below a drawing or a formula that need not stand above it. */
const GOOD_PLOT = 180;
/** Of a screen's height: so much is the chart's before a guess. */
const SHARE = 0.38;
/** Of a screen's height: no more is made the picture's. */
const MOST = 0.6;

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

/** Frames that were waited for, and how many are at most: no drawing is lower than it can be read. */
let waits = 0;
const MOST_WAITS = 20;

/** For which step, before or after its answer, the picture was made higher. */
let widened = "";
/** For which answer that was taken back, once, since what came beside it left more room. */
let narrowed = "";

/** Once the picture is drawn in the room that it has: on the lowest phones a formula that leaves it too little comes later, and where words alone do, its legend goes on below what turns it. */
function judge(): void {
  const { style } = document.documentElement;
  const id = step.value?.id ?? "";
  const state = `${id} ${isAsked.value}`;
  // Who comes back is given it anew.
  if (widened !== state) narrowed = "";
  if (widened !== state || !isShortest.value) style.removeProperty("--needs");
  look();
  // A desk has room for all of it, and whoever asks how high things are has them laid out once more.
  if (!isNarrow.value) return;
  const plots = [...document.querySelectorAll("#views[aria-busy=false] #canvas > .chart clipPath rect")];
  const high = Math.max(...plots.map((one) => Number(one.getAttribute("height"))));
  if (!plots.length) return;
  // It is drawn anew a frame after its place has changed.
  const [canvas, drawing] = ["#canvas", "#canvas > .chart svg:has(clipPath)"].map((one) =>
    document.querySelector<HTMLElement>(one),
  );
  const [room, drawn] = [canvas?.clientHeight ?? 0, Number(drawing?.getAttribute("height"))];
  if (Math.abs(drawn - room) > 1 && waits < MOST_WAITS) {
    waits += 1;
    later();
    return;
  }
  waits = 0;
  // What else it needs is seen once that is laid out.
  if (settle(high) || !isShortest.value) return;
  const isLow = high < LEAST_PLOT;
  if (!isAsked.value && widened === state && narrowed !== state && high > LEAST_PLOT + NOTHING) {
    narrowed = state;
    style.removeProperty("--needs");
    later();
    return;
  }
  if (isLow && crowded.value === id) {
    style.setProperty("--needs", `${Math.min(room + LEAST_PLOT - high, MOST * innerHeight)}px`);
    widened = state;
  }
  if (isLow) crowded.value = id;
}

/** How often in one place that was changed, and may be: while fonts, letters and drawings come. */
let moves = 0;
const MOST_MOVES = 6;
/** Above and below a formula, and a drawing, in pixels. */
const GAPS = 6;

/** In pixels, with what parts it from its neighbours, as it stands above a plot; none where it is not there. */
function heightOf(names: string): number {
  const one = document.querySelector<HTMLElement>(names);
  if (!one) return 0;
  // Below the first screen a drawing is higher, but for a clock alone.
  const isHigher = one.matches("#board > .machine:not(.folded)");
  const [rem, above] = [document.documentElement, one].map((which) => getComputedStyle(which));
  const opened = Number.parseFloat(above?.getPropertyValue("--opened") ?? "") * Number.parseFloat(rem?.fontSize ?? "");
  return GAPS + (isHigher && opened ? opened : one.offsetHeight);
}

/**
 * Of a question's formula and drawing what leaves its plot enough stands above that: before the answer the formula first,
 * after it the formula, too, then lines of a sentence that was read, of which two will do, then the drawing. Whether that changes anything.
 */
function settle(high: number): boolean {
  const stage = document.querySelector<HTMLElement>("#board > .stage");
  const canvas = document.querySelector<HTMLElement>("#canvas");
  if (!step.value?.question || !isNarrow.value || isOnItsSide.value || !stage || !canvas) return false;
  const of = `${step.value.id} ${isAsked.value} ${shown.value} ${innerWidth} ${innerHeight}`;
  const { hasFormula, hasPicture, isBrief } = between.value;
  // A low phone has what is known in the formula's place until a guess is given.
  const [formula, drawing] = [isShort.value && isAsked.value ? 0 : heightOf("#formula"), heightOf("#board .machine")];
  const sentence = document.querySelector<HTMLElement>("#told .sentence");
  const { scrollHeight = 0, offsetHeight = 0 } = sentence ?? {};
  const line = sentence ? Number.parseFloat(getComputedStyle(sentence).lineHeight) : 0;
  const beyond = stage.offsetHeight - Number.parseFloat(getComputedStyle(stage).minHeight);
  // What all of them and the plot have between them where the sentence is whole.
  const spare = Math.min(high - GOOD_PLOT, isAsked.value ? canvas.offsetHeight - SHARE * innerHeight : high);
  const held = spare - beyond + (hasFormula ? formula : 0) + (hasPicture ? drawing : 0);
  const whole = held - (isBrief ? scrollHeight - offsetHeight : 0);
  const brief = isAsked.value ? whole : whole + scrollHeight - 2 * line;
  const ways: Between[] = [
    { of, hasFormula: true, hasPicture: true, isBrief: false },
    { of, hasFormula: isAsked.value, hasPicture: !isAsked.value, isBrief: false },
    { of, hasFormula: isAsked.value, hasPicture: !isAsked.value, isBrief: true },
    { of, hasFormula: !isAsked.value, hasPicture: false, isBrief: false },
    { of, hasFormula: !isAsked.value, hasPicture: false, isBrief: true },
    { of, hasFormula: false, hasPicture: false, isBrief: false },
  ];
  const isRoom = (way: Between) =>
    (way.isBrief ? brief : whole) >= (way.hasFormula ? formula : 0) + (way.hasPicture ? drawing : 0);
  const found = ways.find((way) => isRoom(way) && !(way.isBrief && isAsked.value)) ?? {
    ...NOTHING_BETWEEN,
    of,
    isBrief: !isAsked.value,
  };
  // What is left beside a shortened sentence is its own: it loses no more lines than it must.
  const left = brief - (found.hasFormula ? formula : 0) - (found.hasPicture ? drawing : 0);
  stage.style.setProperty("--lines", String(2 + Math.max(0, Math.floor(left / line) || 0)));
  if (JSON.stringify(found) === JSON.stringify(between.value)) return false;
  // What would come and go for a pixel stays where it is.
  moves = between.value.of === of ? moves + 1 : 0;
  if (moves >= MOST_MOVES) return false;
  between.value = found;
  return true;
}

function later(): void {
  requestAnimationFrame(() => requestAnimationFrame(judge));
}

/** For as long as the page is there. */
export function watchFoot(): void {
  addEventListener("scroll", look, { passive: true });
  document.fonts?.addEventListener("loadingdone", later);
  new ResizeObserver(() => {
    look();
    later();
  }).observe(document.body);
  // What draws the first picture comes after its numbers.
  new MutationObserver(later).observe(document.body, { subtree: true, attributeFilter: ["aria-busy"] });
  effect(() => {
    void [address.value, answer.value, crowded.value, between.value, isAsked.value];
    later();
  });
}
