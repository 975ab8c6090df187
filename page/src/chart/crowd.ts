// Where both modes have more lines than one looks at, his are there to be found and ask for nothing.

import type { Curves, CurvesView, Mark, Mode } from "../documents";

/** Lines that one looks at together; levels to compare with are not among them. */
const MOST = 6;

/** Whether that many lines are seen of both modes together. */
export function isCrowd(
  { pictures }: Pick<CurvesView, "pictures">,
  modes: readonly Mode[],
  isHidden: (line: string) => boolean,
): boolean {
  const lines = modes.flatMap((mode) => pictures[mode]?.lines ?? []);
  return modes.length > 1 && lines.filter(({ name, is_floor }) => !is_floor && !isHidden(name)).length > MOST;
}

/** Whether a mark stays behind in a crowd: one that waits for the pointer, and on a line that does. */
export function isBehind({ is_quiet, line }: Mark, mode: Mode, { lines }: Curves): boolean {
  return mode === "lecture" && is_quiet && lines.some(({ name, is_bold }) => name === line && !is_bold);
}
