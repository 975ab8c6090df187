// What the chart is asked to show: the view, and of it what the walk or an exercise has come to.

import type { Shown } from "../chart/chart";
import type { Curves, CurvesView, Mode, View } from "../documents";
import { isScene } from "../scenes/views";
import { format } from "../state/quantity";
import { isRevealed, place, step } from "../state/store";
import { predicted } from "../walk/guess";

export function shownChart(view: Shown["view"], modes: Mode[], past: View | null): Shown {
  const predict = predicted.value;
  return {
    view: predict?.isOpen ? kept(view) : place.value ? fixed(view) : view,
    modes,
    lines: lines(),
    predict,
    past: past && !isScene(past) ? past : null,
    units: format,
  };
}

/** Names of the lines that are seen by now; null for all. */
function lines(): string[] | null {
  if (place.value) return isRevealed.value ? null : place.value.lines;
  return step.value?.lines.length ? step.value.lines : null;
}

/** An exercise is about its own numbers: no hand moves its marks. */
function fixed(view: Shown["view"]): Shown["view"] {
  if (view.kind !== "curves") return view;
  return each(view, (picture) => ({ ...picture, marks: picture.marks.map((mark) => ({ ...mark, is_fixed: true })) }));
}

/** Without what would tell an answer: what is marked along the asked axis, and of an exercise all marks and dots. */
function kept(view: Shown["view"]): Shown["view"] {
  const isAlong = predicted.value?.axis === "x";
  if (view.kind !== "curves" || (!place.value && !isAlong)) return view;
  const without = (picture: Curves): Curves => ({
    ...picture,
    marks: [],
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
