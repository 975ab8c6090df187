// What stands between the words of a step and its chart on an upright phone: the most that leaves the chart its height.

import { computed, signal } from "@preact/signals";

import { aroundPlot, type Between, between, isNarrow, isOnItsSide, isShort, isShortest } from "../state/narrow";
import { address, held, isAsked, shown, step } from "../state/signals";
import { best, FORMULA, type Heights, type Stands, WAYS } from "./ways";

/** Heights in which curves can be told apart, below what a lowest phone's step says and below a question, in pixels. */
const LEAST_PLOT = 96;
const GOOD_PLOT = 180;
/** The same on a low phone, where words and a drawing tell more than a higher plot. */
const LOW_PLOT = 145;
/** Of a screen's height: so much is the chart's before a guess, but on a low phone. */
const SHARE = 0.38;
/** What brings back a sentence's other words is at most so wide, in pixels. */
const BUTTON = 40;
/** Above and below a formula, and a drawing, in pixels. */
const GAPS = 6;
/**
 * Of a step, before or after its answer, in a window: what was turned as it came, the most that its chart had around its plot, and what had no room once it stood there.
 * In another height words of a chart take other rows, so that what is chosen by its height alone would come and go.
 */
let known = { of: "", turned: {}, around: 0, refused: [] as Stands[] };

/** What stands between words and chart of this step, before or after its answer; null until it is known. */
export const standing = computed(() =>
  between.value.of.startsWith(`${step.value?.id} ${isAsked.value} `) ? between.value : null,
);
/** Of what was read before an answer so many sentences are seen where it is brief. */
export const sentencesKept = signal(1);

/** Once a chart is laid out: how high it has to be, what stands above it, and how many sentences a brief one keeps. */
export function settle(): void {
  const [stage, canvas] = ["#board > .stage", "#canvas"].map((one) => document.querySelector<HTMLElement>(one));
  const { id, question, choice } = step.value ?? {};
  const around = aroundPlot.value;
  if (!id || around === null || !isNarrow.value || isOnItsSide.value || !stage || !canvas) {
    // Who comes back finds it laid out anew.
    known.of = "";
    return;
  }
  // Until fonts are there words have another size.
  const { turned, model, machine } = address.value;
  const of = [id, isAsked.value, shown.value, model, machine, innerWidth, innerHeight, document.fonts.status].join(" ");
  if (known.of !== of) known = { of, turned, around, refused: [] };
  known.around = Math.max(known.around, around);
  canvas.style.setProperty("--least", `${known.around + LEAST_PLOT}px`);
  const sentence = document.querySelector<HTMLElement>("#told .sentence");
  // Under a hand nothing else changes, nor once it has let go; words may become longer, and leave their room no more.
  const stays = held.value || turned !== known.turned;
  if (!stays) sentence?.style.removeProperty("--words");
  sentence?.style.setProperty("--words", `${sentence.getBoundingClientRect().height}px`);
  if (choice || stays) return;
  const kind = !question ? "told" : isAsked.value ? "asked" : isShort.value ? "low" : "answered";
  const now = between.value;
  const { scrollHeight = 0, offsetHeight = 0 } = sentence ?? {};
  const [least = scrollHeight, ...more] = sentence ? heightsOf(sentence) : [];
  // A low phone has what is known in the formula's place until a guess is given.
  const formula = isShort.value && isAsked.value ? 0 : heightOf("#formula");
  const picture = question ? heightOf("#board .machine") : 0;
  const good = isShort.value ? LOW_PLOT : GOOD_PLOT;
  const plot = canvas.offsetHeight - around - (question ? good : LEAST_PLOT);
  const spare = isAsked.value && !isShort.value ? Math.min(plot, canvas.offsetHeight - SHARE * innerHeight) : plot;
  const heights: Heights = {
    spare:
      spare -
      (stage.offsetHeight - Number.parseFloat(getComputedStyle(stage).minHeight)) +
      (document.querySelector(".stage #formula") ? formula : 0) +
      (document.querySelector(".stage > .machine") ? picture : 0) -
      (now.isBrief ? scrollHeight - offsetHeight : 0),
    formula,
    picture,
    rest: scrollHeight - least,
  };
  // All but the lowest phones have room for what asks for no dot.
  const ways = question || isShortest.value ? WAYS[kind] : [FORMULA];
  const tried = ways.filter((one) => !known.refused.includes(one));
  const { found, left } = best(tried, heights);
  // It loses no more sentences than it must, in whichever height its chart has the most around it.
  const room = least + left - (known.around - around);
  const kept = more.filter((one) => one <= room);
  sentencesKept.value = 1 + kept.length;
  stage.style.setProperty("--told", `${kept.at(-1) ?? least}px`);
  if (isSame(now, { of, ...found })) return;
  known.refused.push(...ways.filter((one) => isSame(now, { of, ...one }) && tried.indexOf(one) < tried.indexOf(found)));
  between.value = { of, ...found };
}

const isSame = (one: Between, other: Between) => JSON.stringify(one) === JSON.stringify(other);

/** Of a step's words, down to the end of each sentence, with the button that brings back the others behind it. */
function heightsOf(sentence: HTMLElement): number[] {
  const { top, right } = sentence.getBoundingClientRect();
  const line = Number.parseFloat(getComputedStyle(sentence).lineHeight);
  return [...sentence.querySelectorAll(".phrase")].slice(0, -1).flatMap((one) => {
    const last = [...one.getClientRects()].at(-1);
    if (!last) return [];
    const above = Math.round(((last.top + last.bottom) / 2 - top) / line + 0.5);
    return Math.ceil(line * (above + (last.right + BUTTON > right ? 1 : 0)));
  });
}

/** With what parts it from its neighbours, as it stands above a plot; none where it is not there. */
function heightOf(names: string): number {
  const one = document.querySelector<HTMLElement>(names);
  if (!one) return 0;
  // Below the first screen a drawing is higher, but for a clock alone.
  const isHigher = one.matches("#board > .machine:not(.folded)");
  const [rem, above] = [document.documentElement, one].map((which) => getComputedStyle(which));
  const opened = Number.parseFloat(above?.getPropertyValue("--opened") ?? "") * Number.parseFloat(rem?.fontSize ?? "");
  return GAPS + (isHigher && opened ? opened : one.offsetHeight);
}
