// A train of the station, and the edges of the paper where it comes in and goes out.

import { element, tenth } from "../chart/svg";
import { carsOf, DOOR, type Layout, NOSE } from "./station";

const WHEEL = 5;
/** Of a wheel's middle from the end of its carriage. */
const AXLE = 20;

/** With its seats, into a group: a carriage behind another, the first one with the driver's window. */
export function carriage(group: SVGGElement, layout: Layout, seats: string): void {
  const { top, height } = layout.train;
  const outline = { fill: "var(--background)", stroke: "var(--ink)", "stroke-width": 1.5 };
  const cars = carsOf(layout);
  const bottom = top + height;
  const parts = cars.flatMap(([left, right], car) => {
    const wheels = [left + AXLE, left + AXLE + 2.6 * WHEEL, right - AXLE - 2.6 * WHEEL, right - AXLE].map((x) =>
      element("circle", { cx: tenth(x), cy: tenth(bottom + 4), r: WHEEL, ...outline }),
    );
    const coupling = car
      ? [
          element("line", {
            x1: tenth(right),
            x2: tenth(right + 10),
            y1: bottom - 9,
            y2: bottom - 9,
            ...outline,
            "stroke-width": 3,
          }),
        ]
      : [];
    return [
      ...coupling,
      ...wheels,
      element("path", { d: car ? hull(left, right, top, bottom) : front(left, right, top, bottom), ...outline }),
      door((left + right) / 2, bottom),
    ];
  });
  group.replaceChildren(...parts, element("path", { d: seats, fill: "var(--beyond)" }), driver(cars[0]?.[1] ?? 0, top, height));
}

/** Open towards the platform. */
function door(middle: number, bottom: number): SVGRectElement {
  return element("rect", { x: tenth(middle - DOOR / 2), y: bottom - 2, width: DOOR, height: 4, fill: "var(--background)" });
}

/** Rounded at its corners. */
function hull(left: number, right: number, top: number, bottom: number): string {
  return `M${tenth(left + 7)} ${tenth(top)}H${tenth(right - 7)}q7 0 7 7V${tenth(bottom - 7)}q0 7 -7 7H${tenth(left + 7)}q-7 0 -7 -7V${tenth(top + 7)}q0 -7 7 -7z`;
}

/** Before the seats a nose, which falls towards the rails. */
function front(left: number, right: number, top: number, bottom: number): string {
  const tip = right + NOSE;
  return `M${tenth(left + 7)} ${tenth(top)}H${tenth(right - 2)}C${tenth(right + NOSE * 0.55)} ${tenth(top)} ${tenth(tip)} ${tenth(top + (bottom - top) * 0.5)} ${tenth(tip)} ${tenth(bottom - 10)}q0 10 -10 10H${tenth(left + 7)}q-7 0 -7 -7V${tenth(top + 7)}q0 -7 7 -7z`;
}

/** The window in the nose, a little behind its outline. */
function driver(right: number, top: number, height: number): SVGPathElement {
  const outline = (part: number) => {
    const [rest, x] = [1 - part, right - 4];
    const across =
      x * rest ** 3 + 3 * (x + NOSE * 0.57) * rest ** 2 * part + 3 * (x + NOSE) * rest * part ** 2 + (x + NOSE) * part ** 3;
    const down = 3 * height * 0.5 * rest * part ** 2 + (height - 10) * part ** 3;
    return [across, top + down] as const;
  };
  const edge = [0.34, 0.42, 0.5, 0.58].map(outline);
  const [first, last] = [edge[0]?.[1] ?? top, edge[edge.length - 1]?.[1] ?? top];
  const along = edge.map(([x, y]) => `${tenth(x)} ${tenth(y)}`).join("L");
  return element("path", {
    d: `M${tenth(right)} ${tenth(first)}L${along}L${tenth(right)} ${tenth(last)}z`,
    fill: "var(--ink)",
  });
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
