// Racks that read the same weights on one clock: each chip its share, all at once. Widths are bytes, so what is read of
// each share grows as fast as a chip reads.

import { FONT } from "../chart/measure";
import { at, clamp } from "../chart/numbers";
import { element, matched, part, put, say, tenth } from "../chart/svg";
import type { Reader, SharedReading } from "../documents";
import { box } from "../machine/places";
import { format } from "../state/quantity";
import type { Clock, Drawn, Given } from "./played";
import type { Accompanied } from "./read";
import { cellsOf } from "./stacks";

const SECONDS = 6;
/** Height of a rack's words, and of its time below its chips; of its chips at most, and of the bar of its time. */
const NAME = 19;
const TIME = 22;
const MOST = 40;
const BAR = 8;
/** Beside a bar; what a hand takes above and below the clock, as much as a thumb; and the end that it holds. */
const AIR = 9;
const REACH = 18;
const KNOB = 5;

/** Those of which nothing is asked. */
function seenOf({ companion, asked }: Accompanied): Reader[] {
  return (companion as SharedReading).readers.filter(({ line }) => line !== asked);
}

/** When the last of them is done. */
function endOf(shown: Accompanied): number {
  return Math.max(...seenOf(shown).map(({ read_s }) => read_s));
}

export function saidOfReading(shown: Accompanied): string {
  const each = seenOf(shown).map((one) =>
    [words(one, shown)[1], format(one.read_s, "s"), one.so_text].filter(Boolean).join(", "),
  );
  return [(shown.companion as SharedReading).text, ...each].join(". ");
}

function words({ chips, name, share_text: share, rate_text: rate }: Reader, shown: Accompanied): string[] {
  const weights = (shown.companion as SharedReading).weights_text;
  const long = `${chips} ${name}: each chip reads 1/${chips} of ${weights}, ${share} at ${rate}`;
  const of = `${chips} ${name}: 1/${chips} each`;
  return [shown.whose ? `${long}, ${shown.whose}` : long, long, `${of}, ${share} at ${rate}`, `${of}, ${share}`, of];
}

export class SharedReadingDrawing implements Drawn {
  readonly svg = element("svg", { "aria-hidden": "true" });
  private readonly racks = part(this.svg, "g");
  private readonly knob = part(this.svg, "circle", { class: "hand", r: KNOB });
  clock: Clock = { name: "time", left: 0, top: 0, width: 0, height: 0, text: "" };

  seconds(): number {
    return SECONDS;
  }

  draw({ shown, width, height, measure }: Given, moment: number): void {
    const { readers } = shown.companion as SharedReading;
    const end = endOf(shown);
    const now = moment * end;
    const high = height / readers.length;
    const thick = Math.min(MOST, high - NAME - TIME);
    const room = width - measure(format(end, "s"), FONT, 600) - 2 * AIR;
    const barOf = (place: number) => place * high + NAME + thick + 5;
    matched(this.racks, readers.length, rack).forEach((drawn, place) => {
      const reader = at(readers, place);
      const { chips, read_s: ends, so_text: so } = reader;
      // Of what is asked the chips are seen, and no time.
      const isAsked = reader.line === shown.asked;
      const read = isAsked ? 0 : clamp(now / ends);
      const [what, shares, done, told, time, number, then] = [...drawn.children] as Parts;
      const write = (text: SVGElement, x: number, y: number, said: string) => {
        put(text, { x: tenth(x), y: tenth(y) });
        say(text, said);
      };
      const top = place * high + NAME;
      write(what, 0, top - 6, words(reader, shown).find((text) => measure(text, FONT) < width - 28) ?? "");
      const cells = cellsOf(chips, 0, width);
      const rects = (part: number) =>
        Array.from({ length: chips }, (_, chip) => box(cells.x(chip), top, cells.wide * part, thick)).join("");
      put(shares, { d: rects(1) });
      put(done, { d: rects(read) });
      const share = `1/${chips}`;
      const isTold = measure(share, FONT) + 2 * AIR < cells.wide;
      matched(told, isTold ? chips : 0, () => element("text", { "text-anchor": "middle" })).forEach((text, chip) => {
        write(text, cells.x(chip) + cells.wide / 2, top + thick / 2 + 4.5, share);
        put(text, { style: `fill: var(--${read < 0.5 ? "ink" : "background"})` });
      });
      const [y, took] = [barOf(place), Math.min(now, ends)];
      const long = isAsked ? 0 : (room * took) / end;
      put(time, { d: isAsked ? "" : box(0, y, Math.max(1, long), BAR) });
      const passed = isAsked ? "in ?" : format(took, "s");
      write(number, isAsked ? 0 : long + AIR, y + BAR, passed);
      const from = long + 2 * AIR + measure(passed, FONT, 600);
      write(then, from, y + BAR, read === 1 && measure(so, FONT) < width - from ? so : "");
    });
    // The one that takes longest is the clock.
    const y = barOf(readers.findIndex(({ line, read_s }) => line !== shown.asked && read_s === end));
    put(this.knob, { cx: tenth(room * moment), cy: tenth(y + BAR / 2) });
    this.clock = { ...this.clock, top: y - REACH, width: room, height: BAR + 2 * REACH, text: format(now, "s") };
  }
}

type Parts = [SVGElement, SVGElement, SVGElement, SVGElement, SVGElement, SVGElement, SVGElement];

/** What it does, its chips' shares, what is read of them, what each is of all, its time as a bar and in words, and what follows. */
function rack(): SVGGElement {
  const weights = (name: string) => element("path", { class: name, "data-colour": "weights" });
  return element(
    "g",
    {},
    element("text"),
    weights("dim"),
    weights(""),
    element("g"),
    weights(""),
    element("text", { class: "strong" }),
    element("text", { class: "muted" }),
  );
}
