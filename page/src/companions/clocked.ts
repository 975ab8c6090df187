// Two tracks of trains in the time of two periods: some leave by a clock, the others as soon as the last one is back.

import { SMALL } from "../chart/measure";
import { at } from "../chart/numbers";
import { element, part, put, say, tenth } from "../chart/svg";
import type { Clocked } from "../documents";
import { box } from "../machine/places";
import { format } from "../state/quantity";
import type { Drawn, Given } from "./played";
import { type Accompanied, costOf } from "./read";
import { write } from "./words";

/** Height of the words above, of those above each track, and of the clock below. */
const HEAD = 20;
const NAME = 18;
const CLOCK = 20;
const PERIODS = 2;
/** Between two trains; and shorter ones are not told apart. */
const AIR = 2;
const LEAST_LONG = 4;

interface Track {
  name: string;
  /** Tokens a second, from one departure to the next, and how long a step takes, s. */
  rate: number;
  every_s: number;
  step_s: number;
}

/** Of the tokens a second: trains that differ by less are one. */
const SAME = 0.005;

/** By the clock, and at once; or one track where the clock is no longer than a step. */
function tracksOf({ curves, companion, asked }: Accompanied, x: number): Track[] {
  const { by_clock: clock, at_once: once } = companion as Clocked;
  const [rate, most] = [clock, once].map((line) => costOf(curves, line, x) ?? 0) as [number, number];
  const step_s = x / most;
  if (!asked && most - rate < SAME * most) return [{ name: "by the clock and at once", rate, every_s: step_s, step_s }];
  return [
    { name: "by the clock", rate, every_s: x / rate, step_s },
    { name: "at once", rate: most, every_s: step_s, step_s },
  ];
}

function said({ name, rate, every_s }: Track): string {
  return `${name}: a train every ${format(every_s, "s")}, ${format(rate, "count")} tokens a second`;
}

function words(shown: Accompanied, x: number): string[] {
  const step = `${format(x, "count")} sequences take a step of ${format(at(tracksOf(shown, x), 0).step_s, "s")}`;
  return [step + (shown.whose && `, ${shown.whose}`), step];
}

export function saidOfClocked(shown: Accompanied, x: number): string {
  const [clocked, once] = tracksOf(shown, x) as [Track, Track?];
  const asked = once && (shown.asked ? `${once.name} is asked` : said(once));
  return [shown.companion.text, shown.asked ? "" : words(shown, x)[0], said(clocked), asked].filter(Boolean).join(". ");
}

export class ClockedDrawing implements Drawn {
  readonly svg = element("svg", { "aria-hidden": "true" });
  private readonly what = part(this.svg, "text");
  private readonly rails = part(this.svg, "path", { class: "free" });
  private readonly trains = part(this.svg, "path", { "data-colour": "also" });
  private readonly marks = part(this.svg, "path", { class: "edge" });
  private readonly names = [0, 1].map(() => part(this.svg, "text", { class: "strong" }));
  private readonly times = ["start", "middle", "end"].map((anchor) =>
    part(this.svg, "text", { class: "muted", "text-anchor": anchor }),
  );

  seconds(): number {
    return 0;
  }

  draw(given: Given): void {
    const { shown, x, width, height } = given;
    const { period_s } = shown.companion as Clocked;
    const tracks = tracksOf(shown, x);
    // A step that is longer than the period is seen whole.
    const end = PERIODS * Math.max(period_s, at(tracks, 0).every_s);
    const across = (time: number) => (width * time) / end;
    const slot = (height - HEAD - CLOCK) / tracks.length;
    const high = slot - NAME - 4;
    const top = (nth: number) => HEAD + nth * slot + NAME;
    put(this.rails, { d: tracks.map((_, nth) => box(0, top(nth), width, high)).join("") });
    // Of one track there is nothing to compare with.
    if (tracks.length < this.names.length) say(at(this.names, 1), "");
    const trains = tracks.map(({ every_s, step_s }, nth) => {
      if (shown.asked && nth) return "";
      const [long, pitch] = [across(step_s), across(every_s)];
      // As one where there are too many to be counted.
      if (pitch < LEAST_LONG) return box(0, top(nth), width, high);
      const count = Math.ceil(end / every_s - 1e-9);
      return Array.from({ length: count }, (_, train) => {
        const left = train * pitch;
        return box(left, top(nth), Math.min(Math.max(1, long - AIR), width - left), high);
      }).join("");
    });
    put(this.trains, { d: trains.join("") });
    write(this.what, shown.asked ? [] : words(shown, x), { x: 0, y: 14, room: width }, given);
    tracks.forEach((track, nth) => {
      const short = `${track.name}: ${format(track.rate, "count")} tokens/s`;
      const texts = shown.asked && nth ? [`${track.name}: ?`] : [said(track), short];
      write(at(this.names, nth), texts, { x: 0, y: top(nth) - 5, room: width }, given);
    });
    const bottom = height - CLOCK;
    const marks = [0, end / 2, end];
    put(this.marks, {
      d: marks.map((time) => `M${tenth(Math.min(width - 1, across(time)))} ${HEAD + NAME}V${bottom + 4}`).join(""),
    });
    marks.forEach((time, nth) => {
      write(at(this.times, nth), [format(time, "s")], { x: across(time), y: height - 3, room: width / 3, size: SMALL }, given);
    });
  }
}
