// A prompt's arithmetic as areas: columns of its tokens from the first to the last, as high as what each is multiplied
// with, the parameters, and above them what it computes with all tokens before it.

import { SMALL } from "../chart/measure";
import { element, part, put, say, tenth } from "../chart/svg";
import type { Pairs } from "../documents";
import { box } from "../machine/places";
import { format } from "../state/quantity";
import type { Drawn, Given } from "./played";
import { type Accompanied, costOf } from "./read";
import { write } from "./words";

/** Height of the words above, and of those below; of the names at the left, and of a picture that has none. */
const HEAD = 21;
const FOOT = 18;
const NAMES = 86;
const NARROW = 600;
/** Columns at most; over the parameters, the least height of what is drawn; and of a guess that is not made. */
const COLUMNS = 40;
const SHOWN = 2;
const UNKNOWN = 4;

/** The parameters' cost, and attention's over it; null where that is asked. */
function costsOf({ curves, companion, asked, guess }: Accompanied, x: number) {
  const { by_parameters: parameters, with_attention: all } = companion as Pairs;
  const cost = costOf(curves, parameters, x) ?? 0;
  const over = (whole: number | null | undefined) => (whole == null ? null : Math.max(0, whole / cost - 1));
  const isAsked = asked === all;
  return { cost, attention: isAsked ? null : over(costOf(curves, all, x)), guessed: isAsked ? over(guess) : null };
}

function words(shown: Accompanied, x: number): string[] {
  const { cost, attention, guessed } = costsOf(shown, x);
  const usd = (times: number) => format(cost * times, shown.axes.y.dimension);
  const prompt = `prompt of ${format(x, "count")} tokens`;
  const whose = shown.whose && `, ${shown.whose}`;
  const over = attention ?? guessed;
  const says = over === null ? "?" : `${attention === null ? "you " : ""}${usd(over)}`;
  const all = `${prompt}: parameters ${usd(1)}, attention ${says}`;
  // As the answer says it: of both together, over the parameters alone.
  const times = over === null ? "" : `, together ${format(1 + over, "count", 2)} times the parameters`;
  return [all + times + whose, all + times, all, `parameters ${usd(1)}, attention ${says}`];
}

export function saidOfPairs(shown: Accompanied, x: number): string {
  return `${shown.companion.text}. ${words(shown, x)[0]}`;
}

export class PairsDrawing implements Drawn {
  readonly svg = element("svg", { "aria-hidden": "true" });
  private readonly parameters = part(this.svg, "path", { "data-colour": "compute" });
  private readonly attention = part(this.svg, "path", { "data-colour": "ink" });
  private readonly seams = part(this.svg, "path", { class: "between" });
  private readonly guess = part(this.svg, "path", { class: "guess" });
  private readonly asked = part(this.svg, "text", { class: "asked", "text-anchor": "middle" });
  private readonly what = part(this.svg, "text");
  private readonly names = [0, 1, 2, 3].map((place) =>
    part(this.svg, "text", { class: "muted", "text-anchor": place === 3 ? "end" : "start" }),
  );

  seconds(): number {
    return 0;
  }

  draw(given: Given): void {
    const { shown, x, width, height } = given;
    const { attention, guessed } = costsOf(shown, x);
    const left = width < NARROW ? 0 : NAMES;
    const bottom = height - FOOT;
    // On the average a token has half of the others before it, and the last one all of them.
    const highest = 2 * (attention ?? guessed ?? UNKNOWN);
    const level = (bottom - HEAD) / Math.max(SHOWN, 1 + highest);
    const columns = Math.max(1, Math.min(COLUMNS, Math.round(x)));
    const wide = (width - left) / columns;
    const all = Array.from({ length: columns }, (_, nth) => nth);
    const own = Math.max(1, level);
    put(this.parameters, { d: box(left, bottom - own, width - left, own) });
    const over = (nth: number) => ((highest * (nth + 0.5)) / columns) * level;
    const column = (nth: number) => box(left + nth * wide, bottom - own - over(nth), wide, over(nth));
    put(this.attention, { d: attention === null ? "" : all.map(column).join("") });
    put(this.seams, {
      d: all.map((nth) => `M${tenth(left + nth * wide)} ${tenth(bottom - own - over(nth))}V${tenth(bottom)}`).join(""),
    });
    const slope = `M${tenth(left)} ${tenth(bottom - own)}L${tenth(width - 1)} ${tenth(bottom - own - highest * level)}V${tenth(bottom - own)}`;
    put(this.guess, { d: attention === null ? slope : "" });
    put(this.asked, { x: tenth(left + (width - left) * 0.8), y: tenth(bottom - own - 14) });
    say(this.asked, attention === null && guessed === null ? "?" : "");
    write(this.what, words(shown, x), { x: 0, y: 14, room: width }, given);
    const named = { x: 0, room: left, size: SMALL };
    const [upper, lower, first, last] = this.names as unknown as [Element, Element, Element, Element];
    write(
      upper,
      attention === 0 ? [] : ["attention"],
      { ...named, y: Math.min(bottom - own - 5, HEAD + 12 + (bottom - HEAD) / 2) },
      given,
    );
    write(lower, ["parameters"], { ...named, y: Math.min(bottom, bottom - own / 2 + 8) }, given);
    const half = (width - left) / 2;
    write(first, ["first token"], { x: left, y: height - 4, room: half, size: SMALL }, given);
    const end = { x: width, y: height - 4, room: half, size: SMALL };
    write(last, ["last token, which attends to all before it", "last token"], end, given);
  }
}
