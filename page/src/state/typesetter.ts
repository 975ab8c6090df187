// KaTeX, which weighs as much as most of the page: fetched with its letters beside the answers that the first board waits for.

import type { KatexOptions } from "katex";

type Render = (tex: string, place: HTMLElement, options: KatexOptions) => void;

/** Its letters: those that came after a formula would move what stands below it. */
const FACES = ["1em KaTeX_Main", "italic 1em KaTeX_Math"];

let render: Render | null = null;
let fetched: Promise<void> | null = null;

/** What is to be waited for until formulas can be set; null where they can. */
export function typesetter(): Promise<void> | null {
  if (render) return null;
  // Without its own letters a formula is set in others.
  const faces = Promise.allSettled(FACES.map((face) => document.fonts?.load(face)));
  fetched ??= Promise.all([import("katex"), faces]).then(
    ([{ default: katex }]) => {
      render = katex.render;
    },
    (error: unknown) => {
      fetched = null;
      throw error;
    },
  );
  return fetched;
}

/** Set a formula in its place; what shows one has waited for the typesetter. */
export function typeset(tex: string, place: HTMLElement, options: KatexOptions): void {
  if (!render) throw new Error("a formula is set before typesetter() is awaited; await it where its board is opened");
  render(tex, place, { throwOnError: false, strict: false, ...options });
}
