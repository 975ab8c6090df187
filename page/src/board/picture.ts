// What the chart is asked to show: the view, and of it what the walk or an exercise has come to.

import type { Shown } from "../chart/chart";
import type { Curves, CurvesView, Mode, View } from "../documents";
import { isScene } from "../scenes/views";
import { format } from "../state/quantity";
import { isKept, isRevealed, place, step } from "../state/store";
import { predicted } from "../walk/guess";

export function shownChart(view: Shown["view"], modes: Mode[], past: View | null): Shown {
  const predict = predicted.value;
  return {
    view: predict?.isOpen ? kept(view) : place.value ? fixed(view) : view,
    modes,
    lines: lines(),
    predict,
    past: past && !isScene(past) ? past : null,
    isKept: isKept.value,
    units: format,
    isDrawn: step.value !== null,
  };
}

/** Names of the lines that are seen by now; null for all. */
function lines(): string[] | null {
  if (place.value) return isRevealed.value ? null : place.value.lines;
  return step.value?.lines.length ? step.value.lines : null;
}

/** Part of a place along by which a mark may be off and still stand there. */
const HERE = 1e-6;

/** An exercise is about its own numbers: no hand moves its marks. */
function fixed(view: Shown["view"]): Shown["view"] {
  if (view.kind !== "curves") return view;
  return each(view, (picture) => ({ ...picture, marks: picture.marks.map((mark) => ({ ...mark, is_fixed: true })) }));
}

/** Without what would tell an answer: marks along the asked axis or where it is asked, of an exercise all, and dots. */
function kept(view: Shown["view"]): Shown["view"] {
  const { axis, x: asked } = predicted.value ?? {};
  if (view.kind !== "curves") return view;
  const isNone = place.value !== null || axis === "x";
  const isThere = (x: number) => asked != null && Math.abs(x / asked - 1) < HERE;
  const without = (picture: Curves): Curves => ({
    ...picture,
    marks: isNone ? [] : picture.marks.filter(({ x }) => !isThere(x)),
    dots: place.value && !place.value.has_dots ? [] : picture.dots,
  });
  return each(view, without);
}

function each(view: CurvesView, change: (picture: Curves) => Curves): CurvesView {
  const pictures: CurvesView["pictures"] = {};
  for (const mode of ["lecture", "careful"] as const) {
    const picture = view.pictures[mode];
    if (picture) pictures[mode] = change(picture);
  }
  return { ...view, pictures };
}
