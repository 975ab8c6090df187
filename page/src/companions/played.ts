// What plays a drawing once when it comes into sight, and then rests.

import { type Measure, measure } from "../chart/measure";
import { isStill } from "../chart/motion";
import { clamp } from "../chart/numbers";
import { put } from "../chart/svg";
import type { Accompanied } from "./read";

/** A frame that comes late moves on by no more. */
const MOST_S = 0.1;

/** What is drawn, where it is read, and in which room. */
export interface Given {
  shown: Accompanied;
  x: number;
  width: number;
  height: number;
  measure: Measure;
}

/** Where a hand takes its time, in pixels, what that is called, and the time in words. */
export interface Clock {
  readonly name: string;
  left: number;
  top: number;
  width: number;
  height: number;
  text: string;
}

export interface Drawn {
  readonly svg: SVGSVGElement;
  /** Of one whose time runs from left to right. */
  readonly clock?: Clock;
  /** How long it plays; 0 where it stands still. */
  seconds(shown: Accompanied): number;
  /** Whether it is seen first where it is read, and plays once it is asked to. */
  readonly isAtRest?: boolean;
  /** The part of its time at which it comes to rest before it is asked to play on; else the end. */
  rests?(shown: Accompanied): number;
  /** Where on its clock the time lies that was at a part of the clock before; of one whose times are the same in every picture. */
  kept?(moment: number, before: Accompanied, shown: Accompanied): number;
  /** At a part of its time, after so many seconds of play. */
  draw(given: Given, moment: number, seconds: number): void;
}

/** Whether two say the same: who comes back to a board sees its last answer, until the same is answered again. */
function saysAs(before: Accompanied | undefined, shown: Accompanied): boolean {
  return JSON.stringify(before) === JSON.stringify(shown);
}

export class Played {
  /** Of its host, in pixels, which is asked once all is laid out. */
  private size = { width: 0, height: 0 };
  /** Null before anything is shown. */
  private begun: number | null = null;
  /** Whether it was asked to play to its end. */
  private isAsked = false;
  private frame = 0;
  private last = 0;
  private seconds = 0;
  private isSeen = false;
  private read: { shown: Accompanied; x: number } | null = null;

  constructor(
    private readonly host: HTMLElement,
    private readonly drawing: Drawn,
    /** Told whether it plays. */
    private readonly plays: (plays: boolean) => void,
    /** Told the part of its time, once it is drawn. */
    private readonly moved: (moment: number) => void,
  ) {
    host.append(drawing.svg);
    document.fonts?.addEventListener("loadingdone", this.fit);
  }

  destroy(): void {
    cancelAnimationFrame(this.frame);
    document.fonts?.removeEventListener("loadingdone", this.fit);
    this.drawing.svg.remove();
  }

  private get moment(): number {
    return this.begun ?? (isStill() || this.drawing.isAtRest ? this.end : 0);
  }

  private set moment(moment: number) {
    this.begun = moment;
  }

  /** The part of its time up to which it plays. */
  private get end(): number {
    return this.isAsked || !this.read ? 1 : (this.drawing.rests?.(this.read.shown) ?? 1);
  }

  readonly fit = (): void => {
    const { clientWidth: width, clientHeight: height } = this.host;
    this.size = { width, height };
    put(this.drawing.svg, { width, height, viewBox: `0 0 ${width} ${height}` });
    this.draw();
  };

  /** Once it shows something else all of it is seen; where a hand has stopped it at a time, that stays. */
  show(shown: Accompanied, x: number): void {
    const before = this.read?.shown;
    const isStopped = !this.frame && this.begun !== null && this.begun !== this.end;
    const goesOn = this.moment < this.end && x === this.read?.x && saysAs(before, shown);
    this.read = { shown, x };
    if (before && !goesOn) {
      this.stop();
      const kept = isStopped ? this.drawing.kept?.(this.moment, before, shown) : undefined;
      this.moment = kept ?? this.end;
    }
    this.draw();
  }

  private draw(): void {
    if (!this.size.width || !this.size.height || !this.read) return;
    this.drawing.draw({ ...this.read, ...this.size, measure }, this.moment, this.seconds);
    this.moved(this.moment);
  }

  /** It begins once it is seen. */
  seen(isSeen: boolean): void {
    this.isSeen = isSeen;
    if (isSeen && this.moment < this.end) this.run();
    else if (!isSeen) this.stop();
  }

  /** A hand has taken its time. */
  seek(moment: number): void {
    this.stop();
    this.moment = moment;
    this.draw();
  }

  toggle(): void {
    if (this.frame) {
      this.stop();
      return;
    }
    this.isAsked = true;
    if (this.moment >= 1) this.moment = 0;
    this.isSeen = true;
    this.run();
  }

  private stop(): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.plays(false);
  }

  private run(): void {
    const all = this.read ? this.drawing.seconds(this.read.shown) : 0;
    if (!this.isSeen || !all || this.frame) return;
    this.plays(true);
    this.last = performance.now();
    const next = (now: number) => {
      const passed = clamp((now - this.last) / 1000, 0, MOST_S);
      this.last = now;
      this.seconds += passed;
      this.moment = Math.min(this.end, this.moment + passed / all);
      this.draw();
      if (this.moment < this.end) this.frame = requestAnimationFrame(next);
      else this.stop();
    };
    this.frame = requestAnimationFrame(next);
  }
}
