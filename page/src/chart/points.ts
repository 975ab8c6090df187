// What stands in the rail above a plot: marks, and names of lines that leave through its top.

import type { Axes, CurvesView, Mark, Mode } from "../documents";
import { isBehind, isCrowd } from "./crowd";
import { type Ends, even, evenEnds, uneven } from "./frame";
import { isAmong } from "./identity";
import type { MarkOf } from "./mark";
import { at } from "./numbers";
import { ALIKE, compared } from "./ratio";
import type { Predicted, Shown } from "./stage";
import type { Stroke } from "./stroke";

/** Of an axis: nearer to each other marks of both modes are one. */
const ONE = { x: 0.006, y: 0.01 };
/** Of its place along: a mark that lies less far from the other mode's has only another height. */
const LEAST_ASIDE = 0.1;

/** Marks of both modes; those that lie within the ends alone, where nothing else is to be seen of them. */
export function pointsOf(
  { view: { pictures, axes }, modes }: Pick<Shown, "modes"> & { view: CurvesView },
  isHidden: (line: string) => boolean,
  ends: Ends,
  isWithin: boolean,
  isComing: (line: string) => boolean = () => false,
): MarkOf[] {
  const isMany = isCrowd({ pictures }, modes, isHidden);
  const isIn = (value: number, [low, high]: [number, number]) => value >= low && value <= high;
  const all = modes.flatMap((mode) => {
    const picture = pictures[mode];
    if (!picture) return [];
    return picture.marks
      .filter(({ line, crosses }) => [line, crosses].every((one) => !one || !isHidden(one) || isComing(one)))
      .filter((mark) => !(isMany && isBehind(mark, mode, picture)))
      .filter((mark) => !isWithin || (isIn(mark.x, ends.x) && isIn(mark.y, ends.y)))
      .map((mark) => ({ mark, mode, isBold: picture.lines.some((line) => line.is_bold && line.name === mark.line) }));
  });
  const [across, up] = evenEnds(axes, ends);
  const telling = apart(all, axes);
  return all.map(({ mark, mode, isBold }) => {
    const twin = all.find((one) => one.mode !== mode && one.mark.name === mark.name)?.mark;
    const isAlike =
      twin !== undefined &&
      twin.text === mark.text &&
      Math.abs(even(axes.x, twin.x) - even(axes.x, mark.x)) < ONE.x * (across[1] - across[0]) &&
      Math.abs(even(axes.y, twin.y) - even(axes.y, mark.y)) < ONE.y * (up[1] - up[0]);
    const isTold = twin !== undefined && !isAlike;
    const isLabelled = mark.text !== "" && !mark.is_quiet && (!isAlike || mode === "careful");
    const said = mark === telling?.mark ? telling : { ratio: "", axis: "x" as const };
    const isYetToCome = isHidden(mark.line) || (mark.crosses !== "" && isHidden(mark.crosses));
    const told = { isTold, isLabelled, isComing: isYetToCome, ratio: said.ratio, ratioAxis: said.axis };
    return { mark, mode, isBold, isName: false, ...told };
  });
}

/** Marks on the asked line where an answer stands say nothing: it says their number, or what lies there now says it. */
export function besideAnswer(
  points: MarkOf[],
  { view: { axes }, units }: Shown & { view: CurvesView },
  answer: Predicted | null,
) {
  if (!answer || answer.x === null) return points;
  const { axis, x, line, on, truth } = answer;
  const said = ({ mark }: MarkOf) => units(mark[axis], axes[axis].dimension);
  const isThere = ({ mark }: MarkOf) => mark.x === x && isAmong([on || line], mark.line);
  const isElsewhere = (one: MarkOf) => axis === "y" && truth !== null && said(one) !== units(truth, axes.y.dimension);
  const isSaid = (one: MarkOf) => one.mark.text.includes(said(one)) || isElsewhere(one);
  return points.map((one) => (isThere(one) && isSaid(one) ? { ...one, isLabelled: false } : one));
}

/** A mark that says how far it lies from the other mode's, and along which axis. */
interface Telling {
  mark: Mark;
  ratio: string;
  axis: "x" | "y";
}

/** The careful mark of the board's own line that lies farthest from his, along it or up; how far in words. */
export function apart(all: readonly { mark: Mark; mode: Mode; isBold: boolean }[], axes: Axes): Telling | null {
  const twins = all.flatMap(({ mark, mode, isBold }) => {
    const other = all.find((one) => one.mode === "lecture" && one.mark.name === mark.name)?.mark;
    return mode === "careful" && isBold && other ? [{ mark, x: mark.x / other.x, y: mark.y / other.y }] : [];
  });
  const size = (ratio: number) => (ratio > 0 && Number.isFinite(ratio) ? Math.abs(Math.log(ratio)) : 0);
  const found = twins.flatMap(({ mark, ...ratios }) =>
    (["x", "y"] as const).flatMap((axis) => {
      const far = size(ratios[axis]);
      const isFar = far > Math.log1p(axis === "x" ? LEAST_ASIDE : ALIKE);
      return isFar && !axes[axis].is_relative ? [{ mark, far, ratio: compared(ratios[axis], axes[axis]), axis }] : [];
    }),
  );
  return found.sort((one, two) => two.far - one.far)[0] ?? null;
}

/** Keys of the lines that leave through the top. */
export function leavingOf(named: readonly Stroke[], axes: Axes, ends: Ends): Set<string> {
  return new Set(named.filter((stroke) => stroke.exit(...evenEnds(axes, ends)) !== null).map(({ key }) => key));
}

/** Names of lines that leave, as points at the top of the plot; of one that has come back where it ends. */
export function namesAbove(named: readonly Stroke[], leaving: ReadonlySet<string>, axes: Axes, ends: Ends): MarkOf[] {
  const [across, up] = evenEnds(axes, ends);
  return named
    .filter((stroke) => leaving.has(stroke.key))
    .map((stroke) => {
      const { name, colour, is_bold: isBold } = stroke.line;
      const exit = stroke.exit(across, up);
      const x = exit ?? Math.min(across[1], at(stroke.course.x, stroke.course.x.length - 1));
      const y = exit === null ? stroke.drawnAt(x, 0) : up[1];
      const place = { x: uneven(axes.x, x), y: uneven(axes.y, y) };
      const words = { name: `name of ${stroke.key}`, line: name, text: name, colour };
      const mark = { ...words, ...place, is_fixed: true, is_quiet: false, crosses: "" };
      return {
        mark,
        mode: stroke.mode,
        isBold,
        isTold: false,
        isLabelled: true,
        isName: true,
        isComing: false,
        ratio: "",
        ratioAxis: "x",
      };
    });
}
