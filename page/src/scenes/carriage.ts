// A train of the station, and the edges of the paper where it comes in and goes out.

import { element } from "../chart/svg";
import type { Box } from "./station";

/** With its seats, into a group. */
export function carriage(group: SVGGElement, { left, top, width, height }: Box, seats: string): void {
  const outline = { fill: "var(--background)", stroke: "var(--ink)", "stroke-width": 1.5 };
  const wheels = [0.12, 0.22, 0.78, 0.88].map((at) =>
    element("circle", { cx: left + width * at, cy: top + height + 4, r: 4.5, ...outline }),
  );
  group.replaceChildren(
    ...wheels,
    element("rect", { x: left, y: top, width, height, rx: 7, ...outline }),
    element("path", { d: seats, fill: "var(--beyond)" }),
  );
}

/** Where trains come in or go out: they are lost in the paper there, not cut. */
export function edge(svg: SVGSVGElement, side: "in" | "out"): SVGRectElement {
  const id = `trains-${side}`;
  const [first, last] = side === "in" ? [1, 0] : [0, 1];
  const stop = (offset: number, opacity: number) =>
    element("stop", { offset, "stop-color": "var(--background)", "stop-opacity": opacity });
  svg.append(element("defs", {}, element("linearGradient", { id }, stop(0, first), stop(1, last))));
  return element("rect", { fill: `url(#${id})` });
}
