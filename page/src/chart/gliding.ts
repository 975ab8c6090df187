// The frame as it is drawn: on its way from some ends and a place to others.

import type { Axes } from "../documents";
import { type Ends, endsBetween, type Projection, project, type Room, roomBetween } from "./frame";
import { Glide } from "./motion";

interface Standing {
  ends: Ends;
  room: Room;
}

export class Gliding {
  private readonly glide = new Glide();
  private from: Standing | null = null;
  private to: Standing | null = null;

  /** Where it is asked to be; at once, or on a way from where it is now that takes so long. */
  ask(axes: Axes, ends: Ends, room: Room, isAtOnce: boolean, seconds?: number): void {
    const to = { ends, room };
    this.from = this.current(axes) ?? to;
    this.to = to;
    this.glide.restart(isAtOnce, seconds);
  }

  /** Whether it still moves. */
  step(seconds: number): boolean {
    return this.glide.step(seconds);
  }

  /** The part of the way that is behind. */
  get part(): number {
    return this.glide.part;
  }

  /** Ends at rest; null before the first. */
  get ends(): Ends | null {
    return this.to?.ends ?? null;
  }

  /** The place at rest. */
  get room(): Room | undefined {
    return this.to?.room;
  }

  /** As drawn now. */
  now(axes: Axes): Projection | null {
    const current = this.current(axes);
    return current && project(axes, current.ends, current.room);
  }

  /** As it will be at rest. */
  atRest(axes: Axes): Projection | null {
    return this.to && project(axes, this.to.ends, this.to.room);
  }

  private current(axes: Axes): Standing | null {
    if (!this.from || !this.to) return null;
    return {
      ends: endsBetween(axes, this.from.ends, this.to.ends, this.part),
      room: roomBetween(this.from.room, this.to.room, this.part),
    };
  }
}
