// The machine in a decode step: one chip opened, all others beside it, and a clock; it plays the step in slow motion.

import { measure } from "../chart/measure";
import { isStill } from "../chart/motion";
import { clamp } from "../chart/numbers";
import { element, part, put } from "../chart/svg";
import { Chip } from "./chip";
import { Clock } from "./clock";
import { doneAt, type Load, stepS } from "./load";
import { type Places, placesOf } from "./places";
import { Rack } from "./rack";

/** All of the clock takes so long; no step is over sooner than the second; then it rests. */
const SWEEP_S = 4.5;
const LEAST_S = 1.4;
const REST_S = 1.6;
/** A frame that comes late moves on by no more. */
const MOST_S = 0.1;

let drawings = 0;

export class Drawing {
  readonly svg = element("svg", { "aria-hidden": "true" });
  private readonly chip;
  private readonly rack;
  private readonly clock;
  private readonly ghost;
  private places: Places | null = null;
  private now: Load | null = null;
  private held: Load | null = null;
  /** Whose numbers they are, where that has to be said. */
  private whose = "";
  /** How much of the step has passed, and how long it rests once all has. */
  private moment = isStill() ? 1 : 0;
  private rest = 0;
  private seconds = 0;
  private frame = 0;
  private last = 0;
  private plays = !isStill();
  private isSeen = true;

  constructor(
    host: HTMLElement,
    private readonly isBeside: boolean,
    /** Width of the buttons beside the words above the clock. */
    private readonly buttons: number,
    /** Told how much of all the clock's time has passed. */
    private readonly moved: (part: number) => void,
    /** Told where the clock is. */
    private readonly laid: (places: Places) => void,
  ) {
    drawings += 1;
    const id = `machine-${drawings}`;
    const hatch = part(part(this.svg, "defs"), "pattern", {
      id: `${id}-idle`,
      patternUnits: "userSpaceOnUse",
      width: 5,
      height: 5,
      patternTransform: "rotate(45)",
    });
    part(hatch, "path", { class: "hatch", d: "M0 0V5" });
    this.rack = new Rack(this.svg);
    this.chip = new Chip(this.svg, id, measure);
    this.clock = new Clock(this.svg, id, measure, isBeside);
    this.ghost = part(this.svg, "path", { class: "was" });
    host.append(this.svg);
  }

  destroy(): void {
    cancelAnimationFrame(this.frame);
    this.svg.remove();
  }

  get isPlaying(): boolean {
    return this.plays;
  }

  play(plays: boolean): void {
    this.plays = plays;
    if (plays && this.moment >= 1) this.moment = 0;
    this.run();
  }

  /** Stand still at a part of the clock's time. */
  seek(part: number): void {
    this.plays = false;
    this.moment = this.now ? clamp((part * this.now.mostS) / stepS(this.now)) : 1;
    this.draw();
  }

  /** Out of sight nothing moves. */
  seen(isSeen: boolean): void {
    this.isSeen = isSeen;
    this.run();
  }

  fit(width: number, height: number): void {
    if (width <= 0 || height <= 0) return;
    put(this.svg, { viewBox: `0 0 ${width} ${height}`, width, height });
    this.places = placesOf(width, height, this.isBeside, this.buttons);
    this.laid(this.places);
    this.lay();
  }

  show(load: Load, whose: string, filledIn: string): void {
    this.whose = whose;
    this.chip.mark(filledIn.split(" "));
    this.now = load;
    this.lay();
  }

  /** While a hand holds a control, how long the step was before stays to be seen. */
  hold(isHeld: boolean): void {
    this.held = isHeld ? this.now : null;
    this.lay();
  }

  private lay(): void {
    const { now, places } = this;
    if (!now || !places) return;
    this.chip.show(now, places);
    this.rack.show(now, places, this.whose);
    this.clock.show(now, places, this.whose);
    const { clock } = places;
    const was = this.held && now.mostS > 0 ? clock.left + (stepS(this.held) / now.mostS) * (clock.right - clock.left) : null;
    put(this.ghost, { d: was !== null && was <= clock.right ? `M${was.toFixed(1)} ${clock.top - 5}V${clock.bottom + 5}` : "" });
    this.draw();
  }

  private draw(): void {
    if (!this.now) return;
    const done = doneAt(this.now, this.moment);
    this.chip.draw(done, this.seconds);
    this.rack.draw(done);
    this.clock.draw(this.moment);
    this.moved(this.now.mostS > 0 ? (this.moment * stepS(this.now)) / this.now.mostS : 0);
  }

  private run(): void {
    cancelAnimationFrame(this.frame);
    if (!this.isSeen) return;
    this.last = performance.now();
    const next = (now: number) => {
      const passed = clamp((now - this.last) / 1000, 0, MOST_S);
      this.last = now;
      this.pace(passed);
      this.frame = requestAnimationFrame(next);
    };
    if (this.plays) this.frame = requestAnimationFrame(next);
  }

  /** The hand goes on, as fast wherever it is; at the end of the step it rests, and begins anew. */
  private pace(passed: number): void {
    const { now } = this;
    if (!now) return;
    this.seconds += passed;
    if (this.moment < 1) {
      const takes = Math.max(LEAST_S, now.mostS > 0 ? (SWEEP_S * stepS(now)) / now.mostS : SWEEP_S);
      this.moment = Math.min(1, this.moment + passed / takes);
      this.rest = REST_S;
      this.draw();
    } else {
      this.rest -= passed;
      if (this.rest <= 0) this.moment = 0;
    }
  }
}
