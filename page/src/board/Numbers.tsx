// A claim's numbers in a sentence: who says which, and what we compute.

import type { Note } from "../documents";

/** Words and numbers in turn, words first. */
export function Numbers({ note: { line } }: { note: Note }) {
  if (!line.length) return null;
  return <span class="numbers">{line.map((text, place) => (place % 2 ? <b key={place}>{text}</b> : text))}</span>;
}
