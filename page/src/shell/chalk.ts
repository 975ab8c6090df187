// By night the page is a blackboard: the grain of chalk, laid over what he says, in the colour of the board.

import "./chalk.css";

import { element, tenth } from "../chart/svg";

/** Pixels after which the grain repeats: longer than one sees it by. */
const TILE = 128;
/** Of each kind of grain: how wide it is, how many, and how dense. */
const GRAINS = [
  [0.7, 2200, 0.8],
  [1.2, 1150, 0.75],
  [1.7, 230, 0.65],
] as const;

/** Numbers that look like chance, and are the same on every visit (Numerical Recipes' generator). */
function chance(): () => number {
  let state = 7;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** What `url(#chalk)` fills with, once for the page. */
export function layGrain(): void {
  const next = chance();
  const near = (length: number) => tenth((next() - 0.5) * length);
  const grains = GRAINS.map(([width, count, density]) =>
    element("path", {
      d: Array.from({ length: count }, () => `M${tenth(next() * TILE)} ${tenth(next() * TILE)}l${near(1.4)} ${near(0.8)}`).join(
        "",
      ),
      "stroke-width": width,
      "stroke-opacity": density,
    }),
  );
  const tile = { id: "chalk", width: TILE, height: TILE, patternUnits: "userSpaceOnUse" };
  const look = { stroke: "var(--background)", "stroke-linecap": "round" };
  document.body.append(
    element(
      "svg",
      { class: "unseen", width: 0, height: 0, "aria-hidden": "true" },
      element("pattern", { ...tile, ...look }, ...grains),
    ),
  );
}
