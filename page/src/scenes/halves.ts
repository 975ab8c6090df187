// Two halves through rounds and back: one passes through f and is added to the other, then they change places.

import type { Measure } from "../chart/measure";
import { at, clamp } from "../chart/numbers";
import { type Attributes, clipped, element, put, say, tenth } from "../chart/svg";
import type { Axes, Halves } from "../documents";
import { InputBits, STRIP } from "./bits";
import { type Drawing, eased, type Handles } from "./drawing";

const SECONDS_PER_ROUND = 1.1;
const SMALL = 13;
const FONT = 14;
const SIDE = 22;
const NAME = 20;
/** For the numbers above and below the rails, and the bits beside them. */
const NUMBERS = 30;
const GAP = 10;
/** Radius of a half on its way, and where rounds are narrow; numbers beside the rails stand clear of it. */
const BEAD = 13;
const SMALL_BEAD = 12;
const CLEAR = 16;
/** Height of a number. */
const UNDER = 9;
const LEAST_APART = 32;
const MOST_APART = 260;
/** Moments of a round, in parts of it: f is added, and the halves cross. */
const ADDED = 0.3;
const CROSS = 0.48;
const CROSSED = 0.92;
/** Widths of a round from which on f and every number is written. */
const ROOM_FOR_F = 40;
const ROOM_FOR_ALL = 26;
/** Between what is added and the number beside it. */
const BETWEEN = 4;
const COLOURS = ["var(--also)", "var(--ink)"] as const;

/** Of what is yet to come. */
const FAINT = 0.2;
/** So near a place, in pixels, the hand has reached it. */
const REACHED = 0.5;

/** One way, of rails that lie apart; and what stands along them, each with its place. */
interface Way {
  upper: number;
  clip: SVGRectElement;
  left: number[];
  right: number[];
  things: { x: number; group: SVGElement }[];
}

export class HalvesDrawing implements Drawing<Halves> {
  readonly svg = element("svg", { role: "img" });
  private picture: Halves | null = null;
  private ways: Way[] = [];
  private readonly beads = COLOURS.map((fill) => {
    const circle = element("circle", { r: BEAD, fill, stroke: "var(--background)", "stroke-width": 2 });
    const number = element("text", { y: 4, "font-size": SMALL - 1, "text-anchor": "middle", fill: "var(--background)" });
    return { group: element("g", {}, circle, number), circle, number };
  });
  private apart = 0;
  /** Where there are other bits, all of it is drawn anew, and played from the start. */
  readonly things = new InputBits(() => {
    this.fit(...this.given);
    this.handles.replay?.();
  });
  private given: [width: number, room: number, measure: Measure] = [0, 0, () => 0];
  /** Width of a round. */
  private wide = 0;
  /** Whether where f is added has its sign. */
  private isSigned = true;
  /** Whether what f adds is written beside it. */
  private isSummed = true;

  constructor(private readonly handles: Handles) {}

  seconds(): number {
    return 2 * SECONDS_PER_ROUND * this.rounds;
  }

  show(picture: Halves, _: Axes): void {
    this.picture = picture;
    this.things.show(picture);
  }

  fit(width: number, room: number, measure: Measure): number {
    const { picture } = this;
    if (!picture) return 0;
    this.given = [width, room, measure];
    const top = this.things.fit(width, COLOURS, measure);
    const fixed = NAME + 2 * NUMBERS;
    this.apart = clamp((room - top - 2 * fixed - GAP) / 2, LEAST_APART, MOST_APART);
    this.wide = (width - 2 * SIDE) / this.rounds;
    this.svg.replaceChildren(this.things.group);
    const { flip } = this.things;
    const { left, right } = flip ?? picture;
    // What comes back is what went in, whatever that was.
    const [left_back, right_back] = flip
      ? [[...left].reverse(), [...right].reverse()]
      : [picture.left_back, picture.right_back];
    const widest = (all: readonly (number | string)[]) => Math.max(...all.map((one) => measure(String(one), SMALL, 600)));
    const longest = widest([...left, ...right]);
    const sum = widest(picture.through.map((number) => `+ ${number}`));
    this.isSummed = !flip && ADDED * this.wide > (longest + sum) / 2 + BETWEEN;
    // Where a half that rests would lie over the sign beside it, a plain dot is enough: the way's name says what it does.
    this.isSigned = ADDED * this.wide > (longest + measure("+", FONT)) / 2;
    const step = fixed + this.apart + GAP;
    const modulo = ` (sums modulo ${picture.modulus})`;
    const there = "there: add f of one half, then swap";
    this.ways = [
      this.way(measure(there + modulo, FONT, 600) < width ? there + modulo : there, "+", top, left, right),
      this.way(
        "back: swap, then take the same f away",
        "\u2212",
        top + step,
        [...left_back].reverse(),
        [...right_back].reverse(),
      ),
    ];
    const isSmall = this.wide < ROOM_FOR_F;
    for (const { group, circle } of this.beads) {
      put(circle, { r: isSmall ? SMALL_BEAD : BEAD });
      this.svg.append(group);
    }
    return top + 2 * step - GAP;
  }

  draw(fraction: number): void {
    const { rounds, wide } = this;
    const isBack = fraction > 0.5;
    const along = rounds * (isBack ? 2 - 2 * fraction : 2 * fraction);
    const x = SIDE + along * wide;
    const [there, back] = [at(this.ways, 0), at(this.ways, 1)];
    const all = SIDE + rounds * wide + SIDE;
    put(there.clip, { x: 0, width: tenth(isBack ? all : x) });
    put(back.clip, { x: tenth(x), width: tenth(isBack ? all - x : 0) });
    // What is not reached is faint as a whole.
    for (const one of there.things) put(one.group, { opacity: isBack || one.x <= x + REACHED ? 1 : FAINT });
    for (const one of back.things) put(one.group, { opacity: isBack && one.x >= x - REACHED ? 1 : FAINT });
    const way = isBack ? back : there;
    this.beads.forEach(({ group, number }, which) => {
      put(group, { transform: `translate(${tenth(x)} ${tenth(this.height(way, which, along))})` });
      say(number, String(this.value(way, which, along)));
    });
  }

  now(fraction: number): string {
    const { rounds } = this;
    const along = rounds * (fraction > 0.5 ? 2 - 2 * fraction : 2 * fraction);
    const round = Math.min(Math.floor(along), rounds - 1) + 1;
    if (fraction >= 1) return "there and back";
    const { flip } = this.things;
    if (flip && fraction <= 0.5) return `round ${round}: ${at(flip.differing, round)} bits differ`;
    return `round ${round}${fraction > 0.5 ? ", back" : ""}`;
  }

  described(): string {
    const { picture } = this;
    if (!picture) return "";
    const halves = picture.left.map((left, place) => `${left} and ${at(picture.right, place)}`);
    return `${picture.text}. After each round: ${halves.join("; ")}`;
  }

  private get rounds(): number {
    return Math.max(1, this.picture?.through.length ?? 1);
  }

  /** Where one of the halves is: on the upper rail, the lower one, or between them. */
  private height({ upper }: Way, which: number, along: number): number {
    const round = Math.min(Math.floor(along), this.rounds - 1);
    const crossed = eased(along - round, CROSS, CROSSED);
    const isLower = (round + which) % 2;
    return upper + this.apart * (isLower ? 1 - crossed : crossed);
  }

  private value({ left, right }: Way, which: number, along: number): number {
    const round = Math.min(Math.floor(along), this.rounds - 1);
    if ((round + which) % 2 === 0) return at(left, round);
    return along - round < ADDED ? at(right, round) : at(left, round + 1);
  }

  private way(name: string, sign: string, top: number, left: number[], right: number[]): Way {
    const upper = top + NAME + NUMBERS;
    this.svg.append(element("text", { x: 0, y: top + 14, "font-size": FONT, "font-weight": 600, fill: "var(--ink)" }, name));
    const ahead = element("g", { opacity: FAINT });
    this.svg.append(ahead);
    const { clip, inside } = clipped(this.svg);
    put(clip, { y: top, height: NAME + 2 * NUMBERS + this.apart + GAP });
    const way: Way = { upper, clip, left, right, things: [] };
    for (const group of [ahead, inside])
      for (const which of [0, 1])
        group.append(
          element("path", { d: this.rail(way, which), fill: "none", stroke: at(COLOURS, which), "stroke-width": 4 }),
        );
    const stand = (place: number, elements: Element[]) => {
      const group = element("g", {}, ...elements);
      way.things.push({ x: SIDE + place * this.wide, group });
      this.svg.append(group);
    };
    for (let round = 0; round < this.rounds; round++) stand(round + ADDED, this.round(way, round, sign));
    for (let place = 0; place <= this.rounds; place++) stand(place, this.numbers(way, place));
    return way;
  }

  /** The way of one half through all rounds. */
  private rail(way: Way, which: number): string {
    const { wide } = this;
    const parts = [`M${SIDE} ${tenth(this.height(way, which, 0))}`];
    for (let round = 0; round < this.rounds; round++) {
      const [from, to] = [this.height(way, which, round), this.height(way, which, round + 1 - 1e-9)];
      const [start, end] = [SIDE + (round + CROSS) * wide, SIDE + (round + CROSSED) * wide];
      const middle = tenth((start + end) / 2);
      parts.push(`H${tenth(start)}C${middle} ${tenth(from)} ${middle} ${tenth(to)} ${tenth(end)} ${tenth(to)}`);
    }
    return `${parts.join("")}H${tenth(SIDE + this.rounds * wide)}`;
  }

  /** From the upper rail through f to the lower one. */
  private round(way: Way, round: number, sign: string): Element[] {
    const { wide, apart, picture } = this;
    const x = SIDE + (round + ADDED) * wide;
    const lower = way.upper + apart;
    const middle = way.upper + apart / 2;
    const style = { "font-size": FONT, "text-anchor": "middle" };
    const found: Element[] = [
      element("line", { x1: tenth(x), x2: tenth(x), y1: way.upper, y2: lower, stroke: "var(--compute)", "stroke-width": 1.5 }),
      element("circle", {
        cx: tenth(x),
        cy: lower,
        r: this.isSigned ? 7 : 3,
        fill: "var(--background)",
        stroke: "var(--compute)",
        "stroke-width": 1.5,
      }),
    ];
    if (this.isSigned) found.push(element("text", { ...style, x: tenth(x), y: lower + 4.5, fill: "var(--compute)" }, sign));
    if (wide < ROOM_FOR_F) return found;
    const [half, high] = [Math.min(22, wide * 0.27), 22];
    found.push(
      element("rect", {
        x: tenth(x - half),
        y: middle - high / 2,
        width: 2 * half,
        height: high,
        rx: 5,
        fill: "var(--compute)",
      }),
      power(picture?.function ?? "", { ...style, x: tenth(x), y: middle + 4.5, fill: "var(--background)" }),
    );
    if (this.isSummed)
      found.push(
        element(
          "text",
          { ...style, "font-size": SMALL, x: tenth(x), y: lower + CLEAR + UNDER, fill: "var(--compute)" },
          `${sign} ${at(picture?.through ?? [], round)}`,
        ),
      );
    return found;
  }

  /** Of both halves before a round, where there is room for them. */
  private numbers({ upper, left, right }: Way, place: number): Element[] {
    if (place % (this.wide < ROOM_FOR_ALL ? 2 : 1)) return [];
    const lower = upper + this.apart;
    const x = tenth(SIDE + place * this.wide);
    const ofUpper = { x, y: upper - CLEAR, "font-size": SMALL, "font-weight": 600, "text-anchor": "middle" };
    const [one, other] = [at(COLOURS, place % 2), at(COLOURS, (place + 1) % 2)];
    return [
      element("text", { ...ofUpper, fill: one }, String(at(left, place))),
      element("text", { ...ofUpper, y: lower + CLEAR + UNDER, fill: other }, String(at(right, place))),
      ...this.things.strip(true, place, x, upper - CLEAR - UNDER - STRIP - 1, this.wide - 6, one),
      ...this.things.strip(false, place, x, lower + CLEAR + UNDER + 5, this.wide - 6, other),
    ];
  }
}

/** A power with its exponent raised. */
function power(tex: string, attributes: Attributes): SVGTextElement {
  const [base = "", exponent = ""] = tex.split("^");
  return element("text", attributes, base, element("tspan", { dy: -5, "font-size": 12 }, exponent));
}
