// What the chart is asked to show: the view, and of it what the walk or an exercise has come to.

import type { Shown } from "../chart/chart";
import type { Curves, CurvesView, Line, Mark, Mode, Sketch, View } from "../documents";
import { isScene } from "../scenes/views";
import { isNarrow } from "../state/narrow";
import { format } from "../state/quantity";
import { isKept, isRevealed, place, sketch, step, view, walk } from "../state/store";
import { predicted } from "../walk/guess";

export function shownChart(view: Shown["view"], modes: Mode[], past: View | null): Shown {
  const predict = predicted.value;
  const whole = place.value ? fixed(view) : told(view);
  return {
    view: predict?.isOpen ? kept(view) : sketch.value ? sketched(whole, sketch.value) : whole,
    modes,
    lines: lines() ?? few(view, modes),
    predict,
    sketch: sketch.value,
    past: past && !isScene(past) ? past : null,
    isKept: isKept.value,
    units: format,
    isWorded: isWorded(whole),
    isDrawn: step.value !== null,
  };
}

/** Names of the lines that are seen by now; null for all. */
function lines(): string[] | null {
  if (place.value) return isRevealed.value ? null : place.value.lines;
  return step.value?.lines.length ? step.value.lines : null;
}

/** Of a phone's frame, lines of each of two modes that can be told apart. */
const MOST_OF_TWO = 3;

/** Of two modes on the walk's phone the bold lines, and those that both have, where there are many; null for all. */
function few(view: Shown["view"], modes: Mode[]): string[] | null {
  if (!isNarrow.value || !step.value || modes.length < 2 || view.kind !== "curves") return null;
  const drawn = modes.map((mode) => view.pictures[mode]?.lines ?? []);
  const all = drawn.flat();
  if (!all.some(({ is_bold }) => is_bold) || all.length <= MOST_OF_TWO * modes.length) return null;
  // Between marks of its own each is drawn at places of its own: the same from end to end.
  const said = ({ name, y }: Line) => `${name} ${y[0]} ${y.at(-1)}`;
  const isOfBoth = (one: Line) => drawn.every((lines) => lines.some((other) => said(other) === said(one)));
  return all.filter((one) => one.is_bold || isOfBoth(one)).map(({ name }) => name);
}

/** Part of a place along by which a mark may be off and still stand there. */
const HERE = 1e-6;

/** An exercise is about its own numbers: no hand moves its marks. */
function fixed(view: Shown["view"]): Shown["view"] {
  if (view.kind !== "curves") return view;
  return each(view, (picture) => ({ ...picture, marks: picture.marks.map((mark) => ({ ...mark, is_fixed: true })) }));
}

/** A step's picture, on which each mark that its text speaks of has its words; without a mark that another step's handle follows, which here has none. */
function told(shown: Shown["view"]): Shown["view"] {
  if (shown.kind !== "curves" || !step.value || step.value.view !== view.value) return shown;
  const spoken = step.value.ties.map(({ mark }) => mark);
  const { board, read_mark } = step.value;
  const others = (walk.value?.steps ?? []).filter((one) => one.board === board && one.read_mark !== read_mark);
  const isHere = ({ name, is_quiet }: Mark) =>
    !is_quiet || spoken.includes(name) || !others.some((one) => one.read_mark === name);
  // A phone has no room for their words.
  const said = (mark: Mark) => (!isNarrow.value && spoken.includes(mark.name) ? { ...mark, is_quiet: false } : mark);
  return each(shown, (picture) => ({ ...picture, marks: picture.marks.filter(isHere).map(said) }));
}

/** Whether any mark has words: one of them may stand above the plot, in another mode or once an answer is told. */
function isWorded(view: Shown["view"]): boolean {
  return view.kind === "curves" && Object.values(view.pictures).some(({ marks }) => marks.some((mark) => !mark.is_quiet));
}

/**
 * Without what would tell an answer, or be taken for one: marks along the asked axis or where it is asked, of an exercise
 * all, and dots; of a step those of which one lies there. No hand moves a mark while a dot is to be put.
 */
function kept(view: Shown["view"]): Shown["view"] {
  const { axis, x: asked } = predicted.value ?? {};
  if (view.kind !== "curves") return view;
  const isNone = place.value !== null || axis === "x";
  const isThere = (x: number) => asked != null && Math.abs(x / asked - 1) < HERE;
  const without = (picture: Curves): Curves => ({
    ...picture,
    marks: isNone ? [] : picture.marks.filter(({ x }) => !isThere(x)),
    dots: picture.dots.filter(({ x }) => (place.value ? place.value.has_dots : !x.some(isThere))),
  });
  return fixed(each(view, without));
}

/** With the marks and dots of a sketch alone. */
function sketched(view: Shown["view"], { lines, marks, dots, until }: Sketch): Shown["view"] {
  if (view.kind !== "curves") return view;
  const end = until ?? Infinity;
  return each(view, (picture) => ({
    ...picture,
    marks: picture.marks.filter(({ name }) => marks.includes(name)),
    dots: picture.dots.map((group) => {
      const isKnown = (place: number) => lines.includes(group.name) || dots.includes(group.names?.[place] ?? "");
      const seen = group.x.map((x, place) => x <= end && isKnown(place));
      const of = <Thing>(all: Thing[]) => all.filter((_, place) => seen[place]);
      const { names } = group;
      return { ...group, x: of(group.x), y: of(group.y), labels: of(group.labels), ...(names && { names: of(names) }) };
    }),
  }));
}

function each(view: CurvesView, change: (picture: Curves) => Curves): CurvesView {
  const pictures: CurvesView["pictures"] = {};
  for (const mode of ["lecture", "careful"] as const) {
    const picture = view.pictures[mode];
    if (picture) pictures[mode] = change(picture);
  }
  return { ...view, pictures };
}
