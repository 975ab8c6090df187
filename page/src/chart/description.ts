// A picture in words, for whoever does not see it.

import type { Curves, Mode } from "../documents";
import { MODE_WORDS } from "../state/modes";
import { isAmong } from "./identity";
import type { Shown } from "./stage";

export function described({ view, modes, units, lines, predict }: Shown): string {
  if (view.kind === "curves") {
    const { x, y } = view.axes;
    const over = `${view.heading || y.caption}, over ${x.caption}`;
    const isSeen = (name: string) => !(predict?.isOpen && isAmong([predict.line], name)) && (!lines || isAmong(lines, name));
    const of = (mode: Mode, { lines: all, marks }: Curves): string => {
      const named = all
        .map((line) => line.name)
        .filter(isSeen)
        .join(", ");
      const points = marks
        .filter((mark) => isSeen(mark.line))
        .map((mark) => `${mark.name}: ${units(mark.x, x.dimension)}, ${units(mark.y, y.dimension)}`)
        .join("; ");
      return `${modes.length > 1 ? `${MODE_WORDS[mode]} ` : ""}lines: ${named}.${points ? ` ${points}.` : ""}`;
    };
    return [over, ...modes.flatMap((mode) => (view.pictures[mode] ? [of(mode, view.pictures[mode])] : []))].join(". ");
  }
  const said = modes.flatMap((mode) => {
    const picture = view.pictures[mode];
    if (!picture) return [];
    const rows = "columns" in picture ? [picture.columns, ...picture.rows].map((row) => row.join(", ")).join("; ") : "";
    return [[modes.length > 1 ? `${MODE_WORDS[mode]}: ${picture.text}` : picture.text, rows].filter(Boolean).join(". ")];
  });
  return [view.heading, ...new Set(said)].filter(Boolean).join(". ");
}
