// A chart as a picture of its own: nothing that only a page would know, but for its colours.

import { measure } from "./measure";

/** A copy. Each text keeps the width it has here, in whatever font it is shown. */
export function standing(svg: SVGSVGElement): SVGSVGElement {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  copy.setAttribute("font-family", getComputedStyle(svg).fontFamily);
  copy.removeAttribute("class");
  for (const passing of copy.querySelectorAll("[data-passing], .covered, [visibility=hidden]")) passing.remove();
  for (const element of copy.querySelectorAll("*"))
    for (const name of ["class", "data-key", "data-colour", "data-line"]) element.removeAttribute(name);
  for (const text of copy.querySelectorAll("text")) {
    const words = text.textContent ?? "";
    const size = Number(inherited(text, "font-size"));
    const weight = Number(inherited(text, "font-weight") ?? 400);
    if (words && size) text.setAttribute("textLength", measure(words, size, weight).toFixed(1));
  }
  return copy;
}

function inherited(element: Element, name: string): string | null {
  return element.closest(`[${name}]`)?.getAttribute(name) ?? null;
}
