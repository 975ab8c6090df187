// A chart in a host: one lasting picture that is told what to show, and moves there.

import "./chart.css";

import type { Colour } from "../documents";
import { Curves } from "./curves";
import { described } from "./description";
import { standing } from "./export";
import type { Ends } from "./frame";
import { Panels } from "./panels";
import { Sheet } from "./sheet";
import type { ChartView, Ground, Handles, Shown, Size, Stage } from "./stage";
import { part, put } from "./svg";
import { Table } from "./table";

export type { ChartView, Handles, Predicted, Shown } from "./stage";

const LEAST: Size = { width: 240, height: 160 };
/** A frame that took longer than that is a pause: nothing leaps over it. */
const LONGEST_S = 0.05;

/** What keys do. */
const READING = "arrow keys read its values";
const WAYS = {
  x: "an arrow key puts a dot at the left end, left and right move it, Enter gives it as the answer",
  y: "an arrow key puts a dot at the low end, up and down move it, Enter gives it as the answer",
};

export class Chart {
  private readonly root: HTMLElement;
  private readonly svg: SVGSVGElement;
  private readonly watch: ResizeObserver;
  private size: Size = { width: 0, height: 0 };
  private shown: Shown | null = null;
  private stage: Stage | null = null;
  private kind: ChartView["kind"] | null = null;
  private isHeld = false;
  private readonly theme = new MutationObserver(() => this.renew());
  private readonly darkness = matchMedia("(prefers-color-scheme: dark)");
  private lit: Colour | null = null;
  private pointed: readonly string[] = [];
  private placed = "";
  private request = 0;
  private last = 0;

  constructor(
    host: HTMLElement,
    private readonly handles: Handles,
  ) {
    this.root = document.createElement("div");
    this.root.className = "chart";
    // What lies over it comes behind it.
    host.prepend(this.root);
    this.svg = part(this.root, "svg", { role: "img" });
    this.watch = new ResizeObserver(() => this.resize());
    this.watch.observe(this.root);
    document.fonts?.addEventListener("loadingdone", this.renew);
    this.theme.observe(document.documentElement, { attributeFilter: ["data-theme"] });
    this.darkness.addEventListener("change", this.renew);
  }

  /** A new target, to which what is drawn glides. */
  show(shown: Shown): void {
    this.shown = shown;
    if (!this.size.width) this.readSize();
    if (!this.stage || this.kind !== shown.view.kind) {
      this.stage?.remove();
      this.stage = this.stageOf(shown.view);
      this.kind = shown.view.kind;
    }
    this.takeKeys(shown);
    this.stage.show(shown, this.size, this.isHeld);
    // Words for whoever does not see it need not follow every step of a hand.
    if (!this.isHeld) put(this.svg, { "aria-label": described(shown) });
    if (this.lit) this.light(this.lit);
    if (this.pointed.length) this.point(this.pointed);
    this.wake();
  }

  /** Whether keys read the picture: what does not answer to them is no place to stop at. */
  private takeKeys({ view, predict }: Shown): void {
    const keys = predict?.isOpen ? WAYS[predict.axis] : READING;
    if (view.kind === "curves")
      put(this.root, { tabindex: 0, role: "group", "aria-label": `The picture: ${keys}`, "aria-describedby": "asked" });
    else for (const name of ["tabindex", "role", "aria-label", "aria-describedby"]) this.root.removeAttribute(name);
  }

  /** A hand drags: axes stay, what is drawn now stays behind as a grey ghost, and nothing is dimmed. */
  hold(): void {
    this.isHeld = true;
    this.light(null);
    this.stage?.hold();
    this.wake();
  }

  /** The hand lets go: axes glide to the newest ends. */
  release(): void {
    this.isHeld = false;
    if (this.shown) this.show(this.shown);
  }

  clearGhost(): void {
    this.stage?.clearGhost();
  }

  /** A line from the bold lines down to a place on the axis, or (null) none. */
  plumb(x: number | null): void {
    this.stage?.plumb?.(x);
    this.wake();
  }

  /** All but what is of a colour is dimmed; nothing is where it is null, or while a hand drags: what follows is looked at. */
  light(asked: Colour | null): void {
    const colour = this.isHeld ? null : asked;
    this.lit = colour;
    for (const element of this.svg.querySelectorAll<SVGElement>("[data-colour]"))
      element.classList.toggle("dim", colour !== null && element.dataset["colour"] !== colour);
  }

  /** Marks that something outside speaks of, by their keys. */
  point(keys: readonly string[]): void {
    this.pointed = keys;
    for (const element of this.svg.querySelectorAll<SVGElement>(".chart-mark"))
      element.classList.toggle("pointed", keys.includes(element.dataset["key"] ?? ""));
  }

  /** Ends of the axes at rest, which stay while they are held; null of a picture without. */
  get frame(): Ends | null {
    return this.stage?.frame ?? null;
  }

  /** From where to where along the ghost is known; null where there is none. */
  get pastReach(): [number, number] | null {
    return this.stage?.pastReach ?? null;
  }

  private resize(): void {
    const before = this.size;
    this.readSize();
    if (!this.shown || (before.width === this.size.width && before.height === this.size.height)) return;
    this.show(this.shown);
  }

  destroy(): void {
    cancelAnimationFrame(this.request);
    this.watch.disconnect();
    document.fonts?.removeEventListener("loadingdone", this.renew);
    this.theme.disconnect();
    this.darkness.removeEventListener("change", this.renew);
    this.stage?.remove();
    this.root.remove();
  }

  /** A copy that stands without the page; its colours are still the page's. */
  picture(): SVGSVGElement {
    return standing(this.svg);
  }

  private readSize(): void {
    this.size = {
      width: Math.max(LEAST.width, this.root.clientWidth),
      height: Math.max(LEAST.height, this.root.clientHeight),
    };
    const { width, height } = this.size;
    put(this.svg, { width, height, viewBox: `0 0 ${width} ${height}` });
  }

  private readonly renew = (): void => {
    if (this.shown) this.show(this.shown);
  };

  private stageOf(view: ChartView): Stage {
    const ground: Ground = {
      svg: this.svg,
      root: this.root,
      handles: this.handles,
      wake: () => this.wake(),
    };
    switch (view.kind) {
      case "curves":
        return new Curves(ground);
      case "table":
        return new Panels<"table">(ground, (body) => new Table(body));
      case "sheet":
        return new Panels<"sheet">(ground, (body) => new Sheet(body));
    }
  }

  private wake(): void {
    if (this.request) return;
    this.last = performance.now();
    this.request = requestAnimationFrame(this.tick);
  }

  /** Say where the plot is, if it is somewhere else than it was. */
  private place(): void {
    const plot = this.stage?.plot;
    const placed = plot ? [plot.left, plot.right, plot.top, plot.bottom, plot.around, ...plot.along].join() : this.placed;
    if (!plot || this.placed === placed) return;
    this.placed = placed;
    this.handles.placed?.(plot);
  }

  private readonly tick = (now: number): void => {
    const seconds = Math.min(LONGEST_S, Math.max(0, (now - this.last) / 1000));
    this.last = now;
    const goesOn = this.stage?.step(seconds) ?? false;
    this.place();
    this.request = goesOn ? requestAnimationFrame(this.tick) : 0;
  };
}
