// What one user pays in two modes, as bars to one scale: its own KV read, as much in both, and its share of the read of
// the weights, which all sequences of a batch split.

import { SMALL } from "../chart/measure";
import { at } from "../chart/numbers";
import { element, part, put, say, tenth } from "../chart/svg";
import type { TwoModes } from "../documents";
import { box } from "../machine/places";
import { format } from "../state/quantity";
import type { Drawn, Given } from "./played";
import { type Accompanied, costOf } from "./read";
import { write } from "./words";

/** Height of the words above a bar, and of those below both; and the least price that reaches all along. */
const HEAD = 20;
const FOOT = 19;
const SHOWN = 5;
/** Batches that differ by less are one. */
const SAME = 0.005;
/** A bar is seen at any scale, in pixels. */
const LEAST = 4;

interface Mode {
  /** Of its batch, over the regular one's. */
  batch: number;
  price: number;
  /** Of the price, what a sequence pays for itself, its context and its arithmetic. */
  own: number;
}

/** The regular mode, and the one that is read; null while its price is asked and not guessed. */
function modesOf({ curves, companion, asked, guess }: Accompanied, x: number): [Mode, Mode | null] {
  const { price: line, alone } = companion as TwoModes;
  const own = costOf(curves, alone, x) ?? 0;
  const price = asked === line ? (guess ?? null) : costOf(curves, line, x);
  return [{ batch: 1, price: 1, own }, price === null ? null : { batch: 1 / (price * x), price, own: Math.min(own, price) }];
}

const count = (value: number) => format(value, "count");

function wordsOf(shown: Accompanied, x: number): [string[], string[]] {
  const [, other] = modesOf(shown, x);
  const whose = shown.whose && `, ${shown.whose}`;
  const regular = "regular: all sequences of a batch share a read of the weights, each pays 1";
  const speed = `${count(x)} times the speed`;
  const isGuess = shown.asked !== "";
  const pays = other === null ? "each pays ?" : `${isGuess ? "you say each pays" : "each pays"} ${count(other.price)}`;
  const { batch = 1 } = other ?? {};
  const size = batch < 1 ? `${count(1 / batch)} times smaller` : `${count(batch)} times as large`;
  const part = Math.abs(batch - 1) < SAME ? "the same batch" : `a batch ${size}`;
  const share = other === null ? "" : `${part}, `;
  return [
    [regular + whose, regular, "regular: all share, each pays 1", "regular: 1"],
    [`${speed}: ${share}${pays}`, `${speed}: ${pays}`, `speed ${count(x)}: ${pays}`],
  ];
}

export function saidOfModes(shown: Accompanied, x: number): string {
  const [regular, other] = wordsOf(shown, x);
  return [shown.companion.text, at(regular, 0), at(other, 0)].join(". ");
}

/** From nothing to its own part, and on to all that it pays, in pixels; of the regular mode, and of the one that is read. */
export function barsOf(shown: Accompanied, x: number, width: number): { own: number; all: number }[] {
  const [regular, other] = modesOf(shown, x);
  const unit = width / Math.max(SHOWN, other?.price ?? 0);
  return [regular, ...(other ? [other] : [])].map(({ price, own }) => {
    const all = Math.max(LEAST, price * unit);
    return { own: (all * own) / price, all };
  });
}

export class TwoModesDrawing implements Drawn {
  readonly svg = element("svg", { "aria-hidden": "true" });
  private readonly weights = part(this.svg, "path", { "data-colour": "weights" });
  private readonly own = part(this.svg, "path", { "data-colour": "kv" });
  private readonly guess = part(this.svg, "path", { class: "guess" });
  private readonly asked = part(this.svg, "text", { class: "asked" });
  private readonly names = [0, 1].map(() => part(this.svg, "text", { class: "strong" }));
  private readonly below = part(this.svg, "text", { class: "muted" });

  seconds(): number {
    return 0;
  }

  draw(given: Given): void {
    const { shown, x, width, height } = given;
    const bars = barsOf(shown, x, width - 2);
    const isGuess = shown.asked !== "";
    const each = (height - FOOT) / 2;
    const high = each - HEAD - 4;
    const drawn = { weights: "", own: "", guess: "" };
    bars.forEach(({ own, all }, which) => {
      const top = which * each + HEAD;
      if (which && isGuess) drawn.guess = box(1, top, all, high);
      else {
        drawn.own += box(0, top, own, high);
        drawn.weights += box(own, top, all - own, high);
      }
    });
    put(this.weights, { d: drawn.weights });
    put(this.own, { d: drawn.own });
    put(this.guess, { d: drawn.guess });
    put(this.asked, { x: 2, y: tenth(each + HEAD + high / 2 + 8) });
    say(this.asked, bars.length > 1 ? "" : "?");
    wordsOf(shown, x).forEach((words, which) => {
      write(at(this.names, which), words, { x: 0, y: which * each + 14, room: width }, given);
    });
    const parts = [
      "what each pays: left, reading its own KV, as much in both; right, its share of reading the weights",
      "left: reading its own KV; right: its share of the weights",
      "left: own KV; right: weights",
    ];
    write(this.below, parts, { x: 0, y: height - 4, size: SMALL, weight: 400, room: width }, given);
  }
}
