// A chart as a picture of its own: colours and font written out, nothing that only a page would know.

import type { Measure } from "./measure";

const VARIABLE = /var\(--([a-z]+)(?:,[^)]*)?\)/g;

/** A copy on the page's ground. Each text keeps the width it has here, in whatever font it is shown. */
export function standing(svg: SVGSVGElement, measure: Measure): SVGSVGElement {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const styles = getComputedStyle(document.documentElement);
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("font-family", getComputedStyle(svg).fontFamily);
  copy.removeAttribute("class");
  for (const passing of copy.querySelectorAll("[data-passing], .covered, [visibility=hidden]")) passing.remove();
  for (const element of copy.querySelectorAll("*")) {
    for (const { name, value } of [...element.attributes])
      if (value.includes("var(--"))
        element.setAttribute(
          name,
          value.replace(VARIABLE, (_, variable: string) => styles.getPropertyValue(`--${variable}`).trim()),
        );
    for (const name of ["class", "data-key", "data-colour"]) element.removeAttribute(name);
  }
  for (const text of copy.querySelectorAll("text")) {
    const words = text.textContent ?? "";
    const size = Number(inherited(text, "font-size"));
    const weight = Number(inherited(text, "font-weight") ?? 400);
    if (words && size) text.setAttribute("textLength", measure(words, size, weight).toFixed(1));
  }
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of [
    ["width", "100%"],
    ["height", "100%"],
    ["fill", styles.getPropertyValue("--background").trim()],
  ] as const)
    ground.setAttribute(name, value);
  copy.prepend(ground);
  return copy;
}

function inherited(element: Element, name: string): string | null {
  return element.closest(`[${name}]`)?.getAttribute(name) ?? null;
}
