// How exercises were answered so far, and which comes next.

import type { ShelfChapter, ShelfExercise } from "../documents";
import { kept } from "../state/kept";

export function score(ids: string[]): { right: number; all: number } {
  const { answers } = kept();
  return { right: ids.filter((id) => answers[id]).length, all: ids.length };
}

/** The next one that was not answered right: of its chapter, then of those after it; null where all were. */
export function nextOf(id: string, chapters: ShelfChapter[]): { chapter: ShelfChapter; exercise: ShelfExercise } | null {
  const { answers } = kept();
  const all = chapters.flatMap((chapter) => chapter.exercises.map((exercise) => ({ chapter, exercise })));
  const here = all.findIndex(({ exercise }) => exercise.exercise === id);
  const others = [...all.slice(here + 1), ...all.slice(0, Math.max(0, here))];
  const own = all[here]?.chapter;
  const open = others.filter(({ exercise }) => !answers[exercise.exercise]);
  return open.find(({ chapter }) => chapter === own) ?? open[0] ?? null;
}
