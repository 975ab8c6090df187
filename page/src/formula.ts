// The board's formula: each term in the colour of the lines that it makes, and lit with them.

import katex from "katex";

import type { Board, Colour } from "./api";
import { element } from "./dom";

export function drawFormula(place: HTMLElement, board: Board, light: (colour: Colour | null) => void): void {
  const tex = board.formula
    .map(({ tex, colour }) => (colour ? `\\htmlData{colour=${colour}}{${tex}}` : tex))
    .join(" ");
  katex.render(tex, place, { displayMode: true, throwOnError: false, trust: ({ command }) => command === "\\htmlData", strict: false });
  for (const term of place.querySelectorAll<HTMLElement>("[data-colour]")) {
    term.addEventListener("pointerenter", () => light(term.dataset["colour"] as Colour));
    term.addEventListener("pointerleave", () => light(null));
    term.tabIndex = 0;
    term.addEventListener("focus", () => light(term.dataset["colour"] as Colour));
    term.addEventListener("blur", () => light(null));
  }
}

/** The formula's letters that no control explains. */
export function letters(board: Board): HTMLElement[] {
  return board.symbols.map(({ tex, meaning }) => {
    const place = element("span", { class: "symbol" });
    katex.render(tex, place, { throwOnError: false, strict: false });
    return element("li", {}, place, ` ${meaning}`);
  });
}
