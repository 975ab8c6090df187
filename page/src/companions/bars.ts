// Bars at one scale, in groups, each with its name before it and its length in words behind it; of a group the pale ones do
// not decide.

import { FONT, SMALL } from "../chart/measure";
import { at } from "../chart/numbers";
import { element, matched, part, put, say, tenth } from "../chart/svg";
import type { Bar, BarGroup, Bars } from "../documents";
import { box } from "../machine/places";
import type { Drawn, Given } from "./played";
import type { Accompanied } from "./read";
import { write } from "./words";

/** Height of the line of words above all, and of those above each group; between two groups. */
const HEAD = 22;
const NAME = 17;
/** Below the last bar, whose words are higher than it is; of words below their line. */
const FOOT = 3;
const DESCENT = 4;
const BETWEEN = 6;
/** Of a bar: its height at most, the part of its place that it fills, and the least length that is seen. */
const MOST_HIGH = 20;
const FILLED = 0.78;
const LEAST = 1.5;
const GAP = 8;
/** Height for each bar that lines with groups' names above them leave at least; else these names stand before the bars. */
const LOW = 12;
/** Height for each bar, without such lines, in which its own name has room beside that of its group. */
const LOWEST = 11.5;
/** Of the width, names of groups before their bars have so much at most, where a shorter one says the same. */
const NAMES = 0.3;
/** Of the width, what is written behind the longest bar has so much at most. */
const BEHIND = 1 / 3;

function sum({ parts }: Bar): number {
  return parts.reduce((all, { length }) => all + length, 0);
}

/** Whether nothing of it is known as long as something is asked. */
function isUnknown({ bars }: BarGroup, asked: string): boolean {
  return asked !== "" && bars.every(({ answers }) => answers);
}

function isAnswer({ answers }: Bar, asked: string): boolean {
  return asked !== "" && answers === true;
}

export function saidOfBars({ companion, asked }: Accompanied): string {
  const { groups, text } = companion as Bars;
  const known = groups.filter((one) => !isUnknown(one, asked));
  const said = known.map(({ names, bars }) => {
    const each = bars.map((bar) => `${bar.name} ${isAnswer(bar, asked) ? "?" : bar.ends[0]}`.trim()).join(", ");
    return names.length ? `${names[0]}: ${each}` : each;
  });
  return [text, ...said].join(". ");
}

export class BarsDrawing implements Drawn {
  readonly svg = element("svg", { "aria-hidden": "true" });
  private readonly what = part(this.svg, "text");
  private readonly groups = part(this.svg, "g");
  private readonly limit = part(this.svg, "path", { class: "was" });
  private readonly asked = part(this.svg, "text", { class: "asked", "text-anchor": "middle" });
  seconds(): number {
    return 0;
  }

  draw(given: Given): void {
    const { width, height, measure } = given;
    const { companion, whose, asked } = given.shown;
    const { groups, heads, limit = 0 } = companion as Bars;
    const all = groups.flatMap(({ bars }) => bars);
    const named = groups.filter(({ names }) => names.length).length;
    const free = height - HEAD - FOOT - BETWEEN * (groups.length - 1);
    // With little room groups are named before their bars; with very little their bars' colours alone tell these apart.
    const isLow = (free - NAME * named) / all.length < LOW;
    const heading = isLow ? 0 : NAME;
    const lane = (free - heading * named) / all.length;
    const widest = (names: readonly string[]) => Math.max(0, ...names.map((name) => measure(name, SMALL))) + GAP;
    // All of them the longer, or all a shorter one.
    const short = (shorter: number) => groups.map(({ names }) => names[shorter] ?? names.at(-1) ?? "");
    const lasts = groups.map(({ names }) => names.length - 1);
    let shorter = 0;
    while (shorter < Math.max(...lasts) && widest(short(shorter)) > width * NAMES) shorter += 1;
    const inner = isLow && named ? widest(short(shorter)) : 0;
    const own = widest(all.map(({ name }) => name));
    const isNamed = !inner || (lane > LOWEST && inner + own < width / 2);
    const left = inner + (isNamed ? own : 0);
    const most = Math.max(limit, ...all.map(sum));
    // What is written at the end of the longest bar has its room.
    const wide = (text: string, { is_strong }: Bar) => (is_strong ? measure(text, FONT, 600) : measure(text, SMALL));
    const ends = all.map((bar) => {
      return bar.ends.find((text) => wide(text, bar) < width * BEHIND) ?? at(bar.ends, bar.ends.length - 1);
    });
    const behind = Math.max(...ends.map((text, nth) => wide(text, at(all, nth))));
    const across = (length: number) => ((width - left - 2 * GAP - behind) * length) / most;
    const thick = Math.min(MOST_HIGH, lane * FILLED);
    write(
      this.what,
      heads.flatMap((head) => (whose ? [`${head}, ${whose}`, head] : [head])),
      { x: 0, y: 14, room: width - 4 },
      given,
      heads.at(-1),
    );
    const held = limit ? left + across(limit) : 0;
    // One mark for all groups of which nothing is known: how many they are may be what is asked.
    const unknown = groups.findIndex((one) => isUnknown(one, asked));
    const below = HEAD + (unknown / groups.length) * (height - HEAD);
    put(this.asked, { x: tenth(width / 2), y: tenth((below + height) / 2 + 8) });
    say(this.asked, unknown >= 0 ? "?" : "");
    let top = HEAD;
    let nth = 0;
    matched(this.groups, groups.length, group).forEach((one, place) => {
      const { names, bars } = at(groups, place);
      put(one, { visibility: isUnknown(at(groups, place), asked) ? "hidden" : "inherit" });
      const [name, drawn] = [...one.children] as [SVGElement, SVGElement];
      put(name, { class: isLow ? "muted" : "strong" });
      if (isLow) {
        put(name, { x: 0, y: tenth(top + (lane * bars.length) / 2 + 4.5) });
        say(name, at(short(shorter), place));
      } else write(name, names, { x: 0, y: top + 12, room: width }, given, names.at(-1));
      top += names.length ? heading : 0;
      matched(drawn, bars.length, row).forEach((lanes, which) => {
        const bar = at(bars, which);
        const [parts, what, after] = [...lanes.children] as [SVGElement, SVGElement, SVGElement];
        // Where all is known but which bar decides, none is told apart.
        const isStrong = bar.is_strong && (!asked || !which || unknown >= 0);
        const y = top + (lane - thick) / 2;
        let from = left;
        const isHidden = isAnswer(bar, asked);
        put(parts, { opacity: isStrong ? 1 : 0.45, visibility: isHidden ? "hidden" : "inherit" });
        matched(parts, bar.parts.length, () => element("path")).forEach((path, number) => {
          const { colour, length } = at(bar.parts, number);
          const long = length > 0 ? Math.max(LEAST, across(length) - (number < bar.parts.length - 1 ? 1 : 0)) : 0;
          put(path, { "data-colour": colour, d: box(from, y, long, thick) });
          from += across(length);
        });
        const base = tenth(Math.min(y + thick / 2 + 4.5, height - DESCENT));
        put(what, { x: tenth(inner), y: tenth(y + thick / 2 + 4.5) });
        say(what, isNamed ? bar.name : "");
        const end = isHidden ? "?" : at(ends, nth);
        if (isHidden) from = left;
        // No text lies on the limit.
        const isAcross = from < held && held < from + GAP + wide(end, bar);
        put(after, { x: tenth((isAcross ? held : from) + GAP), y: base, class: isStrong ? "strong" : "muted" });
        say(after, end);
        nth += 1;
        top += lane;
      });
      top += BETWEEN;
    });
    put(this.limit, { d: limit ? `M${tenth(held)} ${HEAD}V${tenth(height)}` : "" });
  }
}

function group(): SVGGElement {
  return element("g", {}, element("text", { class: "strong" }), element("g"));
}

/** Its parts, its name and its length in words. */
function row(): SVGGElement {
  return element("g", {}, element("g"), element("text", { class: "muted" }), element("text"));
}
