// Where a slider must stand for a mark to lie at a place, found from places that are known.

import { at, clamp, mixed } from "../chart/numbers";

interface Point {
  /** Of the slider's length. */
  part: number;
  /** Of the mark along its axis, in even steps. */
  place: number;
}

/** Of the slider's length: as near to where a mark is lost it stays. */
const FINE = 1e-3;

export class Search {
  private points: Point[] = [];
  /** Parts of the slider where there is no mark: it has left the picture. */
  private readonly empty = new Set<number>();

  constructor(
    /** Of the slider's length, for a step along the axis: where nothing nearer is known. */
    private readonly slope: number,
    /** Of the slider's length, at most so far beyond what is known: what is not straight is walked, not jumped. */
    private readonly reach: number,
  ) {}

  /** Where a mark lies with the slider there; null where there is none. */
  learn(part: number, place: number | null): void {
    if (place === null) this.empty.add(part);
    else if (Number.isFinite(place)) this.points = [...this.points.filter((point) => point.part !== part), { part, place }];
  }

  /** Where to stand for a target: where a known place lies so near to it, there; else where what is known leads. */
  part(target: number, near = 0): number {
    // Where a mark counts, one place has many parts: of these the one on the target's side, or what was tried is tried again.
    const ahead = ({ part, place }: Point) => (place > target ? -1 : 1) * Math.sign(this.slope) * part;
    const known = [...this.points].sort(
      (one, other) => Math.abs(one.place - target) - Math.abs(other.place - target) || ahead(other) - ahead(one),
    );
    if (!known.length) return Number.NaN;
    const nearest = at(known, 0);
    return Math.abs(nearest.place - target) < near ? nearest.part : this.before(nearest.part, this.led(target, known));
  }

  /** Between the nearest places on both sides it is never beyond either; else it is drawn on from the nearest. */
  private led(target: number, known: readonly Point[]): number {
    const [under, over] = [known.find(({ place }) => place <= target), known.find(({ place }) => place > target)];
    if (under && over) return clamp(mixed(under.part, over.part, (target - under.place) / (over.place - under.place)));
    const first = at(known, 0);
    const second = known.find(({ place }) => place !== first.place);
    const found = second ? (first.part - second.part) / (first.place - second.place) : this.slope;
    const step = (target - first.place) * (found * this.slope > 0 ? found : this.slope);
    return clamp(first.part + clamp(step, -this.reach, this.reach));
  }

  /** On a way to where there may be no mark: half of the way to the first place where there is none, as far as that is anywhere else. */
  private before(from: number, to: number): number {
    const way = Math.sign(to - from);
    const ends = [...this.empty].filter((part) => way * (part - from) > 0 && way * (to - part) > -FINE);
    const [end] = ends.sort((one, other) => way * (one - other));
    if (end === undefined) return to;
    return Math.abs(end - from) < FINE ? from : (from + end) / 2;
  }
}
