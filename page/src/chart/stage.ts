// What a chart shows one kind of picture with.

import type { Colour, Mark, Mode, Prediction, View } from "../documents";
import type { SceneView } from "../scenes/views";
import type { Format } from "./axes";
import type { Ends } from "./frame";
import type { Measure } from "./measure";

/** All but what plays by itself. */
export type Still = Exclude<View, SceneView>;

/** What a chart is asked to show. */
export interface Shown {
  view: Still;
  modes: Mode[];
  /** Names of the lines that are seen; all of them where it is null. */
  lines: string[] | null;
  predict: Predicted | null;
  units: Format;
}

export type Predicted = Pick<Prediction, "line" | "x" | "prompt" | "tolerance_ratio">;

/** What a chart reports. */
export interface Handles {
  drag?: (mark: Mark, mode: Mode, x: number, y: number, phase: "start" | "move" | "end") => void;
  /** Whether a drag of a mark would do anything; of every mark where it is not given. */
  isDraggable?: (mark: Mark, mode: Mode) => boolean;
  hover?: (colour: Colour | null) => void;
  guess?: (x: number, y: number) => void;
}

export interface Size {
  width: number;
  height: number;
}

/** Where a picture is drawn and who measures its words. */
export interface Ground {
  svg: SVGSVGElement;
  root: HTMLElement;
  measure: () => Measure;
  handles: Handles;
  /** Asks for the next frame. */
  wake: () => void;
}

export interface Stage {
  show(shown: Shown, size: Size, isHeld: boolean): void;
  hold(): void;
  clearGhost(): void;
  /** Move on by seconds and draw; whether there is more to come. */
  step(seconds: number): boolean;
  play(fraction: number): void;
  readonly frame: Ends | null;
  remove(): void;
}

/** Below it a picture is a phone's: names go under the plot. */
export const NARROW = 520;
