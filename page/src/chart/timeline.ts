// Who does what when: blocks that move to where they are asked to be.

import { scaleLinear } from "d3-scale";

import type { Timeline as TimelineDocument } from "../documents";
import { tickText } from "./axes";
import { LINE, SMALL } from "./measure";
import { Approach, isStill } from "./motion";
import { at } from "./numbers";
import type { Painter } from "./panels";
import type { Ground, Shown, Size } from "./stage";
import { colourOf, matched, part, put, say, tenth } from "./svg";

const FOOT = 40;
const NAME_GAP = 8;
/** From one tick to the next, at least. */
const TICK_WIDTH = 90;
/** Modes that take longer than that of each other have scales of their own. */
const MOST_TIMES = 2.5;

/** A block's edges in pixels: asked for, and how far from there it was drawn. */
interface Edges {
  asked: [number, number];
  away: [number, number];
}

export class Timeline implements Painter<TimelineDocument> {
  private readonly lanes: SVGGElement;
  private readonly names: SVGGElement;
  private readonly blocks: SVGGElement;
  private readonly ticks: SVGGElement;
  private readonly caption: SVGTextElement;
  private readonly approach = new Approach();
  private readonly edges = new Map<Element, Edges>();
  private picture: TimelineDocument | null = null;
  private shown: Shown | null = null;
  private room = { left: 0, wide: 0, row: 0, end: 1 };

  constructor(
    body: SVGGElement,
    private readonly ground: Ground,
  ) {
    this.lanes = part(body, "g", { fill: "var(--beyond)" });
    this.names = part(body, "g", { fill: "var(--muted)", "text-anchor": "end" });
    this.blocks = part(body, "g");
    this.ticks = part(body, "g", { fill: "var(--muted)" });
    this.caption = part(body, "text", { fill: "var(--muted)", "text-anchor": "middle" });
  }

  paint(picture: TimelineDocument, size: Size, shown: Shown): void {
    const measure = this.ground.measure();
    const names = picture.rows.map((name) => name.split("\n"));
    const left = Math.ceil(Math.max(0, ...names.flat().map((word) => measure(word, SMALL))) + NAME_GAP);
    const wide = Math.max(20, size.width - left);
    const high = Math.max(20, size.height - FOOT);
    const row = high / Math.max(1, picture.rows.length);
    // Both modes on one scale of time: the shorter is seen to be so.
    const { view, modes } = shown;
    const ends = view.kind === "timeline" ? modes.map((mode) => endOf(view.pictures[mode])) : [];
    const own = endOf(picture) || 1;
    const longest = Math.max(own, ...ends);
    const end = longest <= MOST_TIMES * Math.min(own, ...ends) ? longest : own;
    const isNew = !this.picture;
    this.picture = picture;
    this.shown = shown;
    this.room = { left, wide, row, end };

    matched(this.lanes, picture.rows.length, () => part(this.lanes, "rect")).forEach((lane, place) => {
      put(lane, { x: left, y: tenth(place * row + 1), width: wide, height: tenth(Math.max(1, row - 2)) });
    });
    this.nameRows(names, left, row);
    this.ask(picture.blocks);
    this.rule(shown, size.width, high);
    this.approach.restart(isNew || isStill());
    this.draw();
  }

  /** Blocks for new places, each on its way from where it was drawn. */
  private ask(blocks: TimelineDocument["blocks"]): void {
    const { left, wide, row, end } = this.room;
    const { left: gone } = this.approach;
    const measure = this.ground.measure();
    matched(this.blocks, blocks.length, () => {
      const group = part(this.blocks, "g");
      part(group, "rect", { stroke: "var(--background)" });
      part(group, "text", { "text-anchor": "middle", fill: "var(--background)" });
      return group;
    }).forEach((group, place) => {
      const block = at(blocks, place);
      const asked: [number, number] = [left + (block.start / end) * wide, left + (block.end / end) * wide];
      const before = this.edges.get(group);
      const away: [number, number] = before
        ? [before.asked[0] + gone * before.away[0] - asked[0], before.asked[1] + gone * before.away[1] - asked[1]]
        : [0, 0];
      this.edges.set(group, { asked, away });
      put(group, { "data-colour": block.colour });
      const long = asked[1] - asked[0];
      put(at(group.children, 0), {
        y: tenth(block.row * row + 1),
        height: tenth(Math.max(1, row - 2)),
        fill: colourOf(block.colour),
        "stroke-width": tenth(Math.min(1, long / 8)),
      });
      const text = at(group.children, 1);
      const isWritten = block.text && measure(block.text, SMALL) < long - 2 && row > LINE;
      put(text, { y: tenth(block.row * row + row / 2 + 4) });
      say(text, isWritten ? block.text : "");
    });
    for (const group of this.edges.keys()) if (!group.isConnected) this.edges.delete(group);
  }

  /** The axis of time, under the rows. */
  private rule({ units, view }: Shown, width: number, high: number): void {
    const { left, wide, end } = this.room;
    const axis = view.axes.x;
    const measure = this.ground.measure();
    const across = scaleLinear([0, end], [left, left + wide]);
    const times = across.ticks(Math.max(2, Math.floor(wide / TICK_WIDTH)));
    matched(this.ticks, times.length, () => part(this.ticks, "text")).forEach((text, place) => {
      const time = at(times, place);
      const words = tickText(axis, time, units);
      const isCut = across(time) + measure(words, SMALL) / 2 > width;
      put(text, {
        x: tenth(isCut ? width : across(time)),
        y: high + SMALL + 4,
        "text-anchor": place === 0 ? "start" : isCut ? "end" : "middle",
      });
      say(text, words);
    });
    put(this.caption, { x: tenth(left + wide / 2), y: high + SMALL + 4 + LINE });
    say(this.caption, axis.caption);
  }

  /** As many names as there is room for below each other. */
  private nameRows(names: readonly string[][], left: number, row: number): void {
    const lines = names.flatMap((words, place) =>
      words.map((word, line) => ({ word, y: (place + 0.5) * row + (line - (words.length - 1) / 2) * LINE + 4, place })),
    );
    const tallest = Math.max(1, ...names.map((words) => words.length)) * LINE;
    const step = Math.ceil(tallest / Math.max(row, 1));
    const kept = row >= tallest ? lines : lines.filter(({ place }) => place % step === 0);
    matched(this.names, kept.length, () => part(this.names, "text")).forEach((text, which) => {
      const { word, y } = at(kept, which);
      put(text, { x: left - NAME_GAP, y: tenth(y) });
      say(text, word);
    });
  }

  private draw(): void {
    const { left } = this.approach;
    for (const [group, { asked, away }] of this.edges) {
      const [start, end] = [asked[0] + left * away[0], asked[1] + left * away[1]];
      const [rect, text] = [at(group.children, 0), at(group.children, 1)];
      put(rect, { x: tenth(start), width: tenth(Math.max(0, end - start)) });
      if (text.textContent) put(text, { x: tenth((start + end) / 2) });
    }
  }

  shape(): null {
    return null;
  }

  step(seconds: number): boolean {
    const moves = this.approach.step(seconds);
    if (moves) this.draw();
    return moves;
  }

  at(x: number, y: number): string | null {
    const [picture, shown] = [this.picture, this.shown];
    const { left, wide, row, end } = this.room;
    const [time, place] = [((x - left) / wide) * end, Math.floor(y / row)];
    const name = picture?.rows[place]?.replace("\n", ", ");
    if (!picture || !shown || name === undefined || time < 0 || time > end) return null;
    const unit = (value: number) => shown.units(value, shown.view.axes.x.dimension);
    const block = picture.blocks.find((one) => one.row === place && one.start <= time && time < one.end);
    return block ? `${name}: ${block.text || "busy"}, ${unit(block.start)} to ${unit(block.end)}` : `${name}: idle`;
  }
}

function endOf(picture: TimelineDocument | undefined): number {
  return Math.max(0, ...(picture?.blocks ?? []).map((block) => block.end));
}
