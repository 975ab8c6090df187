// Points of a line in pixels, without those that the eye would not miss.

import { area, line } from "d3-shape";

import { at } from "./numbers";

/** In pixels: less than can be seen. */
const UNSEEN = 0.12;

/** Points that are added from left to right; those that lie on the way between others are left out. */
export class Trace {
  readonly x: number[] = [];
  readonly y: number[] = [];
  readonly high: number[] = [];
  private last: [number, number] | null = null;
  /** Slopes from the point kept last within which all since then lie. */
  private low = -Infinity;
  private top = Infinity;

  constructor(private readonly isBand: boolean) {}

  add(x: number, y: number, high = 0): void {
    if (!Number.isFinite(y)) return;
    const before = this.x.length - 1;
    if (this.isBand || before < 0) {
      this.keep(x, y, high);
      return;
    }
    const wide = x - at(this.x, before);
    const slope = (y - at(this.y, before)) / wide;
    if (this.last && !(wide > 0 && slope >= this.low && slope <= this.top)) {
      this.keep(...this.last, high);
      this.last = null;
      this.add(x, y, high);
      return;
    }
    if (!(wide > 0)) {
      this.keep(x, y, high);
      return;
    }
    this.last = [x, y];
    this.low = Math.max(this.low, slope - UNSEEN / wide);
    this.top = Math.min(this.top, slope + UNSEEN / wide);
  }

  private keep(x: number, y: number, high: number): void {
    this.x.push(x);
    this.y.push(y);
    if (this.isBand) this.high.push(high);
    this.low = -Infinity;
    this.top = Infinity;
  }

  private finish(): number[] {
    if (this.last) this.keep(...this.last, 0);
    this.last = null;
    return this.x.map((_, place) => place);
  }

  path(): string {
    const through = line<number>(
      (place) => at(this.x, place),
      (place) => at(this.y, place),
    );
    return through.digits(1)(this.finish()) ?? "";
  }

  band(): string {
    if (!this.isBand) return "";
    const between = area<number>(
      (place) => at(this.x, place),
      (place) => at(this.y, place),
      (place) => at(this.high, place),
    );
    return between.digits(1)(this.finish()) ?? "";
  }
}
