// One chip of the racks: what it holds and who visits it; and where the visits of its own tokens go.

import type { Said } from "../chart/readout";
import { element, matched, put, tenth } from "../chart/svg";
import type { Racks } from "../documents";
import type { Profile } from "./profile";
import type { Box, Things } from "./things";
import { type Place, type Point, path, type Wiring } from "./wiring";

/** Experts of a chip that are told by their numbers. */
const MOST_TOLD = 8;
/** Width of a way that all visits would take, and of the thinnest, in pixels. */
const ALL_VISITS = 20;
const THINNEST = 0.5;
/** Of the dot where as much arrives as at a chip on the mean; and the largest, of a chip. */
const DOT = 3;
const MOST_OF_CHIP = 0.42;
const NEAR = "var(--links)";
const FAR = "var(--away)";

export class ChipTraffic implements Things {
  readonly group = element("g");
  private readonly ways = element("g", { fill: "none", "stroke-linejoin": "round", "stroke-opacity": 0.65 });
  private readonly dots = element("g");
  private readonly ring = element("rect", { fill: "none", stroke: "var(--ink)", "stroke-width": 2, rx: 3 });
  private readonly bar = element("path", { fill: "var(--ink)" });
  private picture: Racks | null = null;
  private wiring: Wiring | null = null;
  private profile: Profile | null = null;
  private all: Place[] = [];
  private pointed = -1;
  /** Number of the chip whose tokens' visits are shown. */
  private chip = -1;

  constructor(private readonly taken: () => void) {
    this.group.append(this.ways, this.dots, this.ring, this.bar);
  }

  get name(): string {
    return "Chips: arrows move between them, Enter shows where the visits of one's tokens go";
  }

  get count(): number {
    return this.all.length;
  }

  fit(picture: Racks, wiring: Wiring, profile: Profile): void {
    [this.picture, this.wiring, this.profile] = [picture, wiring, profile];
    this.all = [...wiring.places.values()];
    this.pointed = -1;
    this.show();
  }

  under(x: number, y: number): number {
    const chip = this.profile?.chipAt(x, y);
    return this.all.findIndex((one) => {
      if (chip !== undefined) return one.chip.number === chip;
      return x >= one.x && x < one.x + one.size && y >= one.y && y < one.y + one.size;
    });
  }

  box(thing: number): Box {
    const { x = 0, y = 0, size = 0 } = this.all[thing] ?? {};
    return { x, y, width: size, height: size };
  }

  said(thing: number): Said {
    const one = this.all[thing];
    const { picture } = this;
    if (!one || !picture) return { title: "", columns: [], rows: [] };
    const { load, experts, near_fraction, part_of_rack } = one.chip;
    const rows = [{ colour: null, name: "visits, times the mean", values: [load.toFixed(2)] }];
    const more = experts.length > MOST_TOLD ? ", …" : "";
    const numbers = experts.slice(0, MOST_TOLD).map((expert) => expert + 1);
    rows.push({ colour: null, name: experts.length > 1 ? "experts" : "expert", values: [`${numbers.join(", ")}${more}`] });
    if (picture.racks.length > 1)
      rows.push({ colour: null, name: "of its visits, from its own rack", values: [percent(near_fraction)] });
    const from = this.source;
    if (from)
      rows.push({ colour: null, name: `of ${this.nameOf(from)}'s visits`, values: [percent(part_of_rack[from.rack] ?? 0)] });
    return { title: this.nameOf(one), columns: [], rows };
  }

  point(thing: number): void {
    this.pointed = thing;
    this.mark();
  }

  take(thing: number): void {
    const number = this.all[thing]?.chip.number ?? -1;
    this.chip = number === this.chip ? -1 : number;
    if (this.chip >= 0) this.taken();
    this.show();
  }

  /** Whose visits are shown, in words; empty of none. */
  get shown(): string {
    const from = this.source;
    if (!from || !this.picture) return "";
    const leaving = this.picture.racks[from.rack]?.leaving_text;
    return `${this.nameOf(from)}: ${leaving || "where its tokens' visits go"}`;
  }

  private get source(): Place | null {
    return this.wiring?.places.get(this.chip) ?? null;
  }

  private nameOf({ chip, rack }: Place): string {
    const place = (this.picture?.racks[rack]?.chips.findIndex(({ number }) => number === chip.number) ?? 0) + 1;
    return (this.picture?.racks.length ?? 1) > 1 ? `chip ${place} of rack ${rack + 1}` : `chip ${place}`;
  }

  /** The chip under the hand, and its bar among the loads. */
  private mark(): void {
    const one = this.all[this.pointed] ?? this.source;
    const { x, y, size } = one ?? { x: 0, y: 0, size: 0 };
    put(this.ring, { x: x + 1, y: y + 1, width: Math.max(0, size - 2), height: Math.max(0, size - 2), opacity: one ? 1 : 0 });
    put(this.bar, { d: one && this.profile ? this.profile.bar(one.chip.number) : "" });
  }

  /** As wide as the part of the visits that takes a way: inside the rack to each chip, out of it together. */
  private show(): void {
    this.mark();
    const from = this.source;
    const { wiring } = this;
    if (!from || !wiring) {
      matched(this.ways, 0, () => element("path"));
      matched(this.dots, 0, () => element("circle"));
      return;
    }
    const part = ({ chip }: Place) => chip.part_of_rack[from.rack] ?? 0;
    const others = this.all.filter((one) => one !== from && part(one) > 0);
    const near = others.filter(({ rack }) => rack === from.rack);
    const racks = new Map<number, Place[]>();
    for (const one of others) if (one.rack !== from.rack) racks.set(one.rack, [...(racks.get(one.rack) ?? []), one]);
    const ways: [Point[], number, string][] = near.map((one) => [[middle(from), middle(one)], part(one), NEAR]);
    for (const [rack, chips] of racks) {
      const trunk = wiring.joined(from.rack, rack);
      const end = trunk[trunk.length - 1] as Point;
      ways.push([[middle(from), ...trunk], chips.reduce((sum, one) => sum + part(one), 0), FAR]);
      ways.push(...chips.map((one): [Point[], number, string] => [[end, middle(one)], part(one), FAR]));
    }
    matched(this.ways, ways.length, () => element("path")).forEach((way, place) => {
      const [points, wide, stroke] = ways[place] as [Point[], number, string];
      put(way, { d: path(points), stroke, "stroke-width": tenth(Math.max(THINNEST, wide * ALL_VISITS)) });
    });
    const ends = [from, ...others];
    matched(this.dots, ends.length, () => element("circle")).forEach((dot, place) => {
      const one = ends[place] as Place;
      const [cx, cy] = middle(one);
      // Its own, where they begin, is as large as any.
      const r =
        one === from
          ? MOST_OF_CHIP * one.size
          : Math.min(MOST_OF_CHIP * one.size, DOT * Math.sqrt(part(one) * this.all.length));
      put(dot, { cx: tenth(cx), cy: tenth(cy), r: tenth(r), fill: one.rack === from.rack ? NEAR : FAR });
    });
  }
}

function middle({ x, y, size }: Place): Point {
  return [x + size / 2, y + size / 2];
}

function percent(part: number): string {
  return `${Number((100 * part).toPrecision(2))} %`;
}
