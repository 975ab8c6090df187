// All chips of a machine, small: how full each memory is, and how far it is read.

import { part, put, say, tenth } from "../chart/svg";
import type { Done, Load } from "./load";
import { type Box, box, columnsOf, MOST_CHIPS, type Places } from "./places";

export class Rack {
  private readonly group;
  private readonly free;
  private readonly dim;
  private readonly lit;
  private readonly ring;
  private readonly bracket;
  private readonly title;
  private columns: Box[] = [];
  private load: Load | null = null;
  private laid = "";

  constructor(parent: SVGElement) {
    const group = part(parent, "g");
    this.group = group;
    this.bracket = part(group, "path", { class: "lens" });
    this.free = part(group, "path", { class: "free" });
    this.dim = [
      part(group, "path", { class: "dim", "data-colour": "weights" }),
      part(group, "path", { class: "dim", "data-colour": "kv" }),
    ];
    this.lit = [part(group, "path", { "data-colour": "weights" }), part(group, "path", { "data-colour": "kv" })];
    this.ring = part(group, "path", { class: "ring" });
    this.title = part(group, "text", { class: "muted" });
  }

  show(load: Load, { rack, chip }: Places, whose: string): void {
    put(this.group, { visibility: rack ? "visible" : "hidden" });
    this.load = rack && load;
    if (!rack) return;
    const laid = JSON.stringify([rack, Math.round(load.chips)]);
    if (laid !== this.laid) {
      this.laid = laid;
      this.columns = columnsOf(load.chips, rack);
      const [first] = this.columns;
      if (first) {
        put(this.ring, { d: box(first.left - 2, first.top - 2, first.right - first.left + 4, first.bottom - first.top + 4) });
        put(this.bracket, {
          d: `M${chip.right} ${chip.top}L${tenth(first.left - 2)} ${tenth(first.top - 2)}V${tenth(first.bottom + 2)}L${chip.right} ${chip.bottom}z`,
        });
      }
    }
    const count = Math.round(load.chips);
    const some = count > MOST_CHIPS ? `${MOST_CHIPS} of ` : "";
    const all = count === 1 ? "1 chip" : `${some}${count.toLocaleString("en-US")} chips, all alike, read at once`;
    put(this.title, { x: rack.left, y: rack.top - 10 });
    say(this.title, [all, whose].filter(Boolean).join(" · "));
    const whole = Math.max(load.hbm, load.weights + load.kv, 1);
    put(this.free, { d: this.levels(0, load.hbm / whole) });
    put(this.dim[0] as Element, { d: this.levels(0, load.weights / whole) });
    put(this.dim[1] as Element, { d: this.levels(load.weights / whole, (load.weights + load.kv) / whole) });
  }

  draw(done: Done): void {
    const load = this.load;
    if (!load) return;
    const whole = Math.max(load.hbm, load.weights + load.kv, 1);
    const [weights, kv] = [load.weights / whole, load.kv / whole];
    put(this.lit[0] as Element, { d: this.levels(0, weights * done.weights) });
    put(this.lit[1] as Element, { d: this.levels(weights, weights + kv * done.kv) });
  }

  /** From one part of each column's height to another. */
  private levels(from: number, to: number): string {
    return this.columns
      .map(({ left, right, top, bottom }) => {
        const high = bottom - top;
        return box(left, bottom - to * high, right - left, (to - from) * high);
      })
      .join("");
  }
}
