// Pictures that are no lines: one of each mode beside the other, or one alone where both are alike.

import type { Mode } from "../documents";
import { MODE_WORDS } from "../state/modes";
import { LINE, measure, SMALL, wrapped } from "./measure";
import { at } from "./numbers";
import { Readout } from "./readout";
import type { ChartView, Ground, Shown, Size, Stage } from "./stage";
import { part, put, write } from "./svg";

/** Draws pictures of one kind into a group, again and again, keeping what it has. */
export interface Painter<Picture> {
  paint(picture: Picture, size: Size, shown: Shown): void;
  /** Width over height of a picture that keeps its shape; null of one that fills what it gets. */
  shape(picture: Picture): number | null;
  /** Move on by seconds; whether there is more to come. */
  step(seconds: number): boolean;
  /** What lies at a place, in words. */
  at(x: number, y: number): string | null;
}

type PictureOf<Kind extends ChartView["kind"]> = NonNullable<Extract<ChartView, { kind: Kind }>["pictures"][Mode]>;
/** What pictures of all these kinds have. */
type Any = { text: string };

interface Panel {
  mode: Mode;
  group: SVGGElement;
  heading: SVGGElement;
  body: SVGGElement;
  painter: Painter<Any>;
  place: { x: number; y: number } & Size;
}

const BETWEEN = 26;
/** Below it two pictures lie below one another. */
const LEAST_BESIDE = 760;

type MakePainter<Kind extends ChartView["kind"]> = (body: SVGGElement) => Painter<PictureOf<Kind>>;

export class Panels<Kind extends Exclude<ChartView["kind"], "curves">> implements Stage {
  readonly frame = null;
  readonly pastReach = null;
  private readonly group: SVGGElement;
  private readonly readout: Readout;
  private readonly stop = new AbortController();
  private panels: Panel[] = [];
  private size: Size = { width: 0, height: 0 };

  constructor(
    private readonly ground: Ground,
    private readonly make: MakePainter<Kind>,
  ) {
    this.group = part(ground.svg, "g", { "aria-hidden": "true", "font-size": SMALL });
    this.readout = new Readout(ground.root);
    const { signal } = this.stop;
    ground.root.addEventListener("pointermove", (event) => this.moved(event), { signal });
    ground.root.addEventListener("pointerdown", (event) => this.moved(event), { signal });
    ground.root.addEventListener("pointerleave", () => this.left(), { signal });
  }

  show(shown: Shown, size: Size): void {
    this.size = size;
    const pictures = shown.view.pictures as Partial<Record<Mode, Any>>;
    const there = shown.modes.filter((mode) => pictures[mode]);
    const isAlike = new Set(there.map((mode) => JSON.stringify(pictures[mode]))).size === 1;
    const modes = isAlike ? there.slice(0, 1) : there;
    if (modes.join() !== this.panels.map((panel) => panel.mode).join()) this.rebuild(modes);
    const isBeside = modes.length > 1 && this.fitsBeside(modes.map((mode) => pictures[mode] as Any));
    const width = isBeside ? (size.width - BETWEEN) / modes.length : size.width;
    const headings = modes.map((mode) => {
      const { text } = pictures[mode] as Any;
      return wrapped(modes.length > 1 ? `${MODE_WORDS[mode]}: ${text}` : text, width, (words) => measure(words, SMALL));
    });
    const heads = headings.map((lines) => lines.length * LINE + 6);
    const tallest = Math.max(...heads);
    const gaps = BETWEEN * 0.6 * (modes.length - 1);
    let top = 0;
    this.panels.forEach((panel, place) => {
      const head = isBeside ? tallest : at(heads, place);
      const height = isBeside
        ? size.height - tallest
        : (size.height - heads.reduce((sum, each) => sum + each, 0) - gaps) / modes.length;
      panel.place = {
        x: isBeside ? place * (width + BETWEEN) : 0,
        y: (isBeside ? 0 : top) + head,
        width,
        height: Math.max(40, height),
      };
      write(panel.heading, at(headings, place), LINE, { fill: "var(--muted)" });
      put(panel.heading, { transform: `translate(${panel.place.x},${panel.place.y - head + SMALL})` });
      put(panel.body, { transform: `translate(${panel.place.x},${panel.place.y})` });
      panel.painter.paint(pictures[panel.mode] as Any, panel.place, shown);
      top += head + height + BETWEEN * 0.6;
    });
  }

  /** Whether pictures are larger beside each other than below. */
  private fitsBeside(pictures: readonly Any[]): boolean {
    if (this.size.width < LEAST_BESIDE) return false;
    const { width, height } = this.size;
    const count = pictures.length;
    const scale = (wide: number, high: number) =>
      Math.min(
        ...pictures.map((picture, place) =>
          Math.min(wide / (at(this.panels, place).painter.shape(picture) ?? wide / high), high),
        ),
      );
    return scale(width / count, height) >= scale(width, height / count);
  }

  private rebuild(modes: readonly Mode[]): void {
    for (const panel of this.panels) panel.group.remove();
    this.panels = modes.map((mode) => {
      const group = part(this.group, "g");
      const [heading, body] = [part(group, "g"), part(group, "g")];
      const painter = this.make(body) as Painter<Any>;
      return { mode, group, heading, body, painter, place: { x: 0, y: 0, width: 0, height: 0 } };
    });
  }

  step(seconds: number): boolean {
    return this.panels.map(({ painter }) => painter.step(seconds)).some(Boolean);
  }

  hold(): void {}

  clearGhost(): void {}

  private moved(event: PointerEvent): void {
    const box = this.ground.root.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const said = this.panels.map(({ painter, place }) => painter.at(x - place.x, y - place.y)).find((words) => words);
    if (!said) {
      this.readout.hide();
      return;
    }
    const { width, height } = this.size;
    const room = { left: 0, right: width, top: 0, bottom: height };
    this.readout.show({ title: said, columns: [], rows: [] }, { x, y, room, size: this.size, things: () => [] });
  }

  private left(): void {
    this.readout.hide();
  }

  remove(): void {
    this.stop.abort();
    this.readout.remove();
    this.group.remove();
  }
}
