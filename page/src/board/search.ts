// Where a slider must stand for a mark to lie at a place, found from places that are known.

import { at, clamp } from "../chart/numbers";

interface Point {
  /** Of the slider's length. */
  part: number;
  /** Of the mark along its axis, in even steps. */
  place: number;
}

export class Search {
  private points: Point[] = [];

  constructor(
    /** Of the slider's length, for a step along the axis: where nothing nearer is known. */
    private readonly slope: number,
    /** Of the slider's length, at most so far beyond what is known: what is not straight is walked, not jumped. */
    private readonly reach: number,
  ) {}

  learn(part: number, place: number): void {
    if (!Number.isFinite(place)) return;
    this.points = [...this.points.filter((point) => point.part !== part), { part, place }];
  }

  /** Between the nearest places on both sides it is never beyond either; else it is drawn on from the nearest. */
  part(target: number): number {
    // Where a mark counts, one place has many parts: of these the one on the target's side, or what was tried is tried again.
    const ahead = ({ part, place }: Point) => (place > target ? -1 : 1) * Math.sign(this.slope) * part;
    const near = [...this.points].sort(
      (one, other) => Math.abs(one.place - target) - Math.abs(other.place - target) || ahead(other) - ahead(one),
    );
    const [under, over] = [near.find(({ place }) => place <= target), near.find(({ place }) => place > target)];
    if (under && over) {
      const way = (target - under.place) / (over.place - under.place);
      return clamp(under.part + way * (over.part - under.part));
    }
    if (!near.length) return Number.NaN;
    const first = at(near, 0);
    const second = near.find(({ place }) => place !== first.place);
    const found = second ? (first.part - second.part) / (first.place - second.place) : this.slope;
    const step = (target - first.place) * (found * this.slope > 0 ? found : this.slope);
    return clamp(first.part + clamp(step, -this.reach, this.reach));
  }
}
