// A step of two modes as piles of sequences: all of a pile share one read of the weights. Height is the batch, width what
// a sequence pays, and so area is the step's time: that of the weights is the same in both.

import { SMALL } from "../chart/measure";
import { at } from "../chart/numbers";
import { element, part, put, say, tenth } from "../chart/svg";
import type { TwoModes } from "../documents";
import { box } from "../machine/places";
import { format } from "../state/quantity";
import type { Drawn, Given } from "./played";
import { type Accompanied, costOf } from "./read";
import { write } from "./words";

/** Height of the words above, and of those below; between the piles; and the least width that is seen of the second, in prices. */
const HEAD = 21;
const FOOT = 19;
const APART = 28;
const SHOWN = 5;
/** Lower rows are not told apart. */
const LEAST_HIGH = 3;

interface Mode {
  rows: number;
  price: number;
  /** Of the price, what a sequence pays for itself, its context and its arithmetic. */
  own: number;
}

/** The regular mode, and the one that is read; null while its price is asked and not guessed. */
function modesOf({ curves, companion, asked, guess }: Accompanied, x: number): [Mode, Mode | null] {
  const { price: line, alone, regular_rows: rows } = companion as TwoModes;
  const own = costOf(curves, alone, x) ?? 0;
  const price = asked === line ? (guess ?? null) : costOf(curves, line, x);
  return [{ rows, price: 1, own }, price === null ? null : { rows: rows / (price * x), price, own: Math.min(own, price) }];
}

const count = (value: number) => format(value, "count");

function wordsOf(shown: Accompanied, x: number): [string[], string[]] {
  const [{ rows }, other] = modesOf(shown, x);
  const whose = shown.whose && `, ${shown.whose}`;
  const regular = `regular: ${count(rows)} sequences share a read of the weights, each pays 1`;
  const speed = `${count(x)} times the speed`;
  const isGuess = shown.asked !== "";
  const pays = other === null ? "each pays ?" : `${isGuess ? "you say each pays" : "each pays"} ${count(other.price)}`;
  const batch = (other?.rows ?? 0) / rows;
  const part = batch < 1 ? `1/${count(1 / batch)} of the batch` : `${count(batch)} times the batch`;
  const share = other === null ? "" : `${part}, `;
  return [
    [regular + whose, regular, `regular: ${count(rows)} share, pay 1`, "regular: 1"],
    [`${speed}: ${share}${pays}`, `${speed}: ${pays}`, `speed ${count(x)}: ${pays}`],
  ];
}

export function saidOfModes(shown: Accompanied, x: number): string {
  const [regular, other] = wordsOf(shown, x);
  return [shown.companion.text, at(regular, 0), at(other, 0)].join(". ");
}

export class TwoModesDrawing implements Drawn {
  readonly svg = element("svg", { "aria-hidden": "true" });
  private readonly weights = part(this.svg, "path", { "data-colour": "weights" });
  private readonly own = part(this.svg, "path", { "data-colour": "kv" });
  private readonly seams = part(this.svg, "path", { class: "between" });
  private readonly guess = part(this.svg, "path", { class: "guess" });
  private readonly asked = part(this.svg, "text", { class: "asked", "text-anchor": "middle" });
  private readonly names = [0, 1].map(() => part(this.svg, "text", { class: "strong" }));
  private readonly below = [0, 1].map(() => part(this.svg, "text", { class: "muted" }));

  seconds(): number {
    return 0;
  }

  draw(given: Given): void {
    const { shown, x, width, height } = given;
    const [regular, other] = modesOf(shown, x);
    const isGuess = shown.asked !== "";
    const unit = (width - APART) / (1 + Math.max(SHOWN, other?.price ?? 0));
    const bottom = height - FOOT;
    const row = (bottom - HEAD) / Math.max(regular.rows, other?.rows ?? 0);
    const second = unit + APART;
    const drawn = { weights: "", own: "", seams: "", guess: "" };
    const pile = ({ rows, price, own }: Mode, left: number) => {
      const [shared, right, high] = [left + (price - own) * unit, left + price * unit, Math.max(1, rows * row)];
      drawn.weights += box(left, bottom - high, shared - left, high);
      drawn.own += box(shared, bottom - high, right - shared, high);
      const lines = row < LEAST_HIGH ? 0 : Math.ceil(rows - 1e-6) - 1;
      for (let nth = 1; nth <= lines; nth += 1) drawn.seams += `M${tenth(shared)} ${tenth(bottom - nth * row)}H${tenth(right)}`;
    };
    pile(regular, 0);
    if (other && !isGuess) pile(other, second);
    if (other && isGuess) {
      const high = Math.max(2, other.rows * row);
      drawn.guess = box(second, bottom - high, other.price * unit, high);
    }
    for (const [path, d] of [
      [this.weights, drawn.weights],
      [this.own, drawn.own],
      [this.seams, drawn.seams],
      [this.guess, drawn.guess],
    ] as const)
      put(path, { d });
    put(this.asked, { x: tenth((second + width) / 2), y: tenth((HEAD + bottom) / 2) });
    say(this.asked, other ? "" : "?");
    const [first, then] = wordsOf(shown, x);
    // Words of a narrow pile reach over the gap, and those of the other begin behind them.
    const begins = Math.max(second, (width - APART) / 2);
    write(at(this.names, 0), first, { x: 0, y: 14, room: begins - 12 }, given);
    write(at(this.names, 1), then, { x: begins, y: 14, room: width - begins }, given);
    const long = `${count(1 / x)} times as long`;
    const time = { y: height - 4, size: SMALL };
    const regularly = [
      "area: time of a step; brown: reading the weights, as large in both",
      "area: time of a step",
      "area: time",
    ];
    write(at(this.below, 0), regularly, { ...time, x: 0, room: begins - 12 }, given);
    write(at(this.below, 1), [`area: a step takes ${long}`, long], { ...time, x: begins, room: width - begins }, given);
  }
}
