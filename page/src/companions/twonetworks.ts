// Racks whose traffic goes over two networks at once: wide links inside each, a narrow one between them, and on one clock
// when each is done. Links are as wide as they are fast.

import { FONT, SMALL } from "../chart/measure";
import { clamp } from "../chart/numbers";
import { element, matched, part, put, say, tenth } from "../chart/svg";
import type { TwoNetworks } from "../documents";
import { box } from "../machine/places";
import { format } from "../state/quantity";
import type { Clock, Drawn, Given } from "./played";
import type { Accompanied } from "./read";

const SECONDS = 6;
/** Of each network: its words, the bar of its time, and both of them. */
const NAME = 18;
const BAR = 8;
const ROW = 32;
/** Width of the links inside a rack; between two racks, and a rack's width at most; below racks, what joins them. */
const FAST = 14;
const GAP = 22;
const MOST = 380;
const BELOW = 14;
/** Chips of a row, of which a rack has more than can be told apart; a chip's height, its width at most and as a part of
 * its place; a rack's height at most. */
const CHIPS = 12;
const CHIP = 9;
const WIDE = 16;
const FILLED = 0.68;
const HIGH = 84;
/** Beside a bar; what a hand takes above and below the clock, as much as a thumb; and the end that it holds. */
const AIR = 9;
const REACH = 18;
const KNOB = 5;
/** Of the button at the right. */
const BUTTON = 34;
/** Of the slower one, after its time. */
const SO = ["times as long as all of it inside one rack", "times as long as in one rack", "times"];
/** In place of that time where it is as long; with no room for either its number stands there. */
const AS_LONG = SO.slice(0, 2).map((text) => text.replace("times ", ""));
/** Of what flows: pixels in all of the time. */
const FLOW = 700;

function lanesOf({ companion, whose }: Accompanied) {
  const { inside, between, inside_text, between_text } = companion as TwoNetworks;
  const mine = whose && `, ${whose}`;
  return [
    { takes: inside, text: `${inside_text}${mine}`, colour: "links" },
    { takes: between, text: between_text, colour: "away" },
  ];
}

export function saidOfNetworks(shown: Accompanied): string {
  const each = lanesOf(shown).map(({ takes, text }) => `${text}: ${shown.asked ? "?" : format(takes, "count")}`);
  return [(shown.companion as TwoNetworks).text, ...each].join(". ");
}

export class TwoNetworksDrawing implements Drawn {
  readonly svg = element("svg", { "aria-hidden": "true" });
  private readonly slow = ways(this.svg, "away");
  private readonly frames = part(this.svg, "path", { class: "cell" });
  private readonly fast = ways(this.svg, "links");
  private readonly chips = part(this.svg, "path", { "data-colour": "links" });
  private readonly lanes = part(this.svg, "g");
  private readonly knob = part(this.svg, "circle", { class: "hand", r: KNOB });
  clock: Clock = { name: "time", left: 0, top: 0, width: 0, height: 0, text: "" };

  /** What is asked stands still. */
  seconds({ asked }: Accompanied): number {
    return asked ? 0 : SECONDS;
  }

  draw(given: Given, moment: number): void {
    const { shown, width, height, measure } = given;
    const { racks, link_ratio: ratio } = shown.companion as TwoNetworks;
    const lanes = lanesOf(shown);
    const end = Math.max(...lanes.map(({ takes }) => takes));
    const now = moment * end;
    const foot = height - 2 * ROW;
    this.racks(racks, width - BUTTON, Math.min(HIGH, foot - BELOW - 6), FAST / ratio);
    [this.fast, this.slow].forEach(({ flow }, place) => {
      const isBusy = now < (lanes[place]?.takes ?? 0);
      put(flow, { "stroke-dashoffset": tenth(-moment * FLOW), opacity: isBusy && moment > 0 ? 1 : 0 });
    });
    // As long as the slower one takes with the most racks.
    const room = width - measure("0.000 times", FONT, 600) - 2 * AIR;
    const longest = Math.max(1, ratio);
    matched(this.lanes, 2, lane).forEach((group, place) => {
      const { takes, text, colour } = lanes[place] as (typeof lanes)[number];
      const [what, bar, number, then] = [...group.children] as [SVGElement, SVGElement, SVGElement, SVGElement];
      const y = foot + place * ROW;
      const took = shown.asked ? 0 : Math.min(now, takes);
      const long = (room * took) / longest;
      put(what, { x: 0, y: y + NAME - 7, "data-colour": colour });
      say(what, text);
      put(bar, { d: box(0, y + NAME, long, BAR), "data-colour": colour });
      put(number, { x: tenth(long + AIR), y: y + NAME + BAR });
      const told = shown.asked ? "?" : format(took, "count");
      const isSaid = !shown.asked && moment >= 1 && takes === end && racks > 1;
      const from = long + AIR + (told === "1" ? 0 : AIR + measure(told, FONT, 600));
      const all = told === "1" ? AS_LONG : SO;
      const so = (isSaid && all.find((text) => measure(text, SMALL) < width - from)) || "";
      put(then, { x: tenth(from), y: y + NAME + BAR });
      say(then, so);
      say(number, so && told === "1" ? "" : told);
    });
    const slower = lanes.findIndex(({ takes }) => takes === end);
    const y = foot + slower * ROW + NAME;
    const wide = (room * end) / longest;
    put(this.knob, { visibility: shown.asked ? "hidden" : "inherit", cx: tenth(wide * moment), cy: tenth(y + BAR / 2) });
    this.clock = { ...this.clock, left: 0, top: y - REACH, width: wide, height: BAR + 2 * REACH, text: format(now, "count") };
  }

  /** Racks beside one another, and what joins them below. */
  private racks(count: number, width: number, high: number, narrow: number): void {
    const wide = Math.min(MOST, (width - GAP * (count - 1)) / count);
    const lefts = Array.from({ length: count }, (_, rack) => rack * (wide + GAP));
    put(this.frames, { d: lefts.map((x) => box(x + 0.5, 0.5, wide - 1, high)).join("") });
    const pitch = wide / (CHIPS + 1);
    const chip = Math.min(WIDE, FILLED * pitch);
    const middle = high / 2;
    const rows = [middle - FAST / 2 - CHIP - 3, middle + FAST / 2 + 3].filter((y) => y >= 1);
    const chips = lefts.flatMap((x) =>
      rows.flatMap((y) => Array.from({ length: CHIPS }, (_, nth) => box(x + (nth + 1) * pitch - chip / 2, y, chip, CHIP))),
    );
    put(this.chips, { d: chips.join("") });
    const fast = lefts.map((x) => `M${tenth(x + pitch / 2)} ${tenth(middle)}h${tenth(wide - pitch)}`).join("");
    const thick = clamp(narrow, 1, FAST);
    const stubs = lefts.map((x) => `M${tenth(x + wide / 2)} ${tenth(high)}v${BELOW}`);
    const from = tenth((wide - thick) / 2);
    const along = `M${from} ${tenth(high + BELOW - thick / 2)}h${tenth((count - 1) * (wide + GAP) + thick)}`;
    const slow = count > 1 ? [...stubs, along].join("") : "";
    for (const path of [this.fast.bed, this.fast.flow]) put(path, { d: fast, "stroke-width": FAST });
    for (const path of [this.slow.bed, this.slow.flow]) put(path, { d: slow, "stroke-width": tenth(thick) });
  }
}

/** Links, and what flows over them. */
function ways(svg: SVGSVGElement, colour: string) {
  const drawn = { style: `fill: none; stroke: var(--${colour})` };
  return {
    bed: part(svg, "path", { ...drawn, "stroke-opacity": 0.45 }),
    flow: part(svg, "path", { ...drawn, "stroke-dasharray": "7 5" }),
  };
}

/** What goes over a network, its time as a bar and as a number, and what that is beside one rack's. */
function lane(): SVGGElement {
  return element(
    "g",
    {},
    element("text"),
    element("path"),
    element("text", { class: "strong" }),
    element("text", { class: "muted" }),
  );
}
