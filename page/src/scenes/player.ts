// A clock with a button and a scrubber: plays once when it comes into sight, then rests.

import { isStill } from "../chart/motion";
import { clamp } from "../chart/numbers";
import { element, say } from "../chart/svg";

const STEPS = 1000;
/** Part of the scene that has to be in sight before it starts. */
const IN_SIGHT = 0.35;

const PLAY = "M3 1.5v13l11-6.5z";
const PAUSE = "M3 2h4v12H3zM9 2h4v12H9z";
const AGAIN = "M8 2.5a5.5 5.5 0 1 1-5.2 3.7l1.7.6A3.7 3.7 0 1 0 8 4.3V7L3.8 3.4 8 0z";

/** What is played. */
interface Moves {
  /** How long it takes; 0 of what stands still. */
  seconds: () => number;
  /** The part of it at which it is first seen. */
  opens: () => number;
  draw: (fraction: number) => void;
  /** The moment in words. */
  now: (fraction: number) => string;
  /** Told that it plays. */
  played: () => void;
}

export class Player {
  readonly controls: HTMLDivElement;
  private readonly button = document.createElement("button");
  private readonly scrubber = document.createElement("input");
  private readonly said = document.createElement("output");
  private readonly icon = element("path");
  private readonly watch: IntersectionObserver;
  private fraction: number;
  private frame = 0;
  private last = 0;
  /** Whether it has yet to start by itself. */
  private waits: boolean;

  constructor(
    host: Element,
    private readonly moves: Moves,
  ) {
    this.fraction = isStill() ? 1 : 0;
    this.waits = !isStill();
    this.controls = document.createElement("div");
    this.controls.className = "scene-controls";
    this.button.type = "button";
    this.button.append(element("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, this.icon));
    this.button.addEventListener("click", () => (this.isPlaying ? this.pause() : this.play()));
    this.scrubber.type = "range";
    this.scrubber.min = "0";
    this.scrubber.max = String(STEPS);
    this.scrubber.setAttribute("aria-label", "Time of the scene");
    this.scrubber.addEventListener("input", () => {
      this.hold(Number(this.scrubber.value) / STEPS);
    });
    this.said.setAttribute("aria-hidden", "true"); // the scrubber says the same
    this.controls.append(this.button, this.scrubber, this.said);
    this.watch = new IntersectionObserver(
      (seen) => {
        if (!this.waits || !seen.some((one) => one.isIntersecting)) return;
        this.play();
      },
      { threshold: IN_SIGHT },
    );
    this.watch.observe(host);
    this.face();
  }

  private get isPlaying(): boolean {
    return this.frame !== 0;
  }

  private play(): void {
    this.waits = false;
    if (this.isPlaying || !this.moves.seconds()) return;
    if (this.fraction >= 1) this.seek(0);
    else if (!this.fraction) this.fraction = this.moves.opens();
    this.moves.played();
    this.last = performance.now();
    this.frame = requestAnimationFrame(this.tick);
    this.face();
  }

  pause(): void {
    this.waits = false;
    if (!this.isPlaying) return;
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.face();
  }

  /** Stand still at a moment. */
  hold(fraction: number): void {
    this.pause();
    this.seek(fraction);
  }

  private seek(fraction: number): void {
    this.waits = false;
    this.fraction = clamp(fraction);
    this.drawn();
    this.face();
  }

  /** Begin anew, as another scene does. */
  restart(): void {
    this.pause();
    this.seek(isStill() ? 1 : this.moves.opens());
    if (!isStill()) this.play();
  }

  /** Draw the present moment anew, of a picture that has changed. */
  drawn(): void {
    this.controls.hidden = !this.moves.seconds();
    this.moves.draw(this.moves.seconds() ? this.fraction : 1);
    const said = this.moves.now(this.fraction);
    this.scrubber.value = String(Math.round(this.fraction * STEPS));
    this.scrubber.style.setProperty("--done", `${this.fraction * 100}%`);
    this.scrubber.setAttribute("aria-valuetext", said);
    say(this.said, said);
  }

  destroy(): void {
    this.pause();
    this.watch.disconnect();
  }

  private readonly tick = (time: number): void => {
    // A frame that comes late, as of a tab in the background, moves on by no more than a few frames.
    const passed = Math.min(time - this.last, 100);
    this.last = time;
    this.fraction = Math.min(1, this.fraction + Math.max(0, passed) / 1000 / this.moves.seconds());
    this.frame = this.fraction < 1 ? requestAnimationFrame(this.tick) : 0;
    this.drawn();
    if (!this.frame) this.face();
  };

  private face(): void {
    const ended = this.fraction >= 1;
    this.icon.setAttribute("d", this.isPlaying ? PAUSE : ended ? AGAIN : PLAY);
    this.button.setAttribute("aria-label", this.isPlaying ? "Pause" : ended ? "Play again" : "Play");
  }
}
