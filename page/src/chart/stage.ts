// What a chart shows one kind of picture with.

import type {
  Colour,
  CurvesView,
  Mark,
  Mode,
  Prediction,
  SchematicView,
  SheetView,
  TableView,
  TimelineView,
} from "../documents";
import type { Format } from "./axes";
import type { Ends } from "./frame";
import type { Measure } from "./measure";

/** What a chart can show: all but scenes. */
export type ChartView = CurvesView | TableView | TimelineView | SheetView | SchematicView;

/** What a chart is asked to show. */
export interface Shown {
  view: ChartView;
  modes: Mode[];
  /** Names of the lines that are seen; all of them where it is null. */
  lines: string[] | null;
  predict: Predicted | null;
  /** What the view was before a hand took hold, where the ghost on the screen does not reach far enough. */
  past?: ChartView | null;
  units: Format;
}

/** A question that is put on the chart. */
export type Predicted = Pick<Prediction, "line" | "x" | "prompt" | "tolerance_ratio">;

/** What a chart reports. */
export interface Handles {
  /** A hand moves a mark to a place. */
  drag?: (mark: Mark, mode: Mode, x: number, y: number, phase: "start" | "move" | "end") => void;
  /** What lies under the pointer is of a colour, or of none. */
  hover?: (colour: Colour | null) => void;
  /** The frame that a hand holds shows no more what the board is about: another is wanted, see `Stage.frame`. */
  lost?: () => void;
  /** Values were read by keys, in a sentence for whoever does not see them. */
  say?: (text: string) => void;
  /** The question's dot was placed. */
  guess?: (x: number, y: number) => void;
}

/** In pixels. */
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

/** What draws one kind of view; a chart hands on to it what it is asked. */
export interface Stage {
  show(shown: Shown, size: Size, isHeld: boolean): void;
  hold(): void;
  clearGhost(): void;
  /** Move on by seconds and draw; whether there is more to come. */
  step(seconds: number): boolean;
  readonly frame: Ends | null;
  /** From where to where along the ghost of what was before is known; null where there is none. */
  readonly pastReach: [number, number] | null;
  remove(): void;
}

/** Below it a picture is a phone's: names go under the plot. */
export const NARROW = 520;
