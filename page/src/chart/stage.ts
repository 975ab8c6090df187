// What a chart shows one kind of picture with.

import type { Colour, CurvesView, Mark, Mode, Prediction, SheetView, Sketch, TableView } from "../documents";
import type { Format } from "./axes";
import type { Ends, Room } from "./frame";

/** What a chart can show: all but scenes. */
export type ChartView = CurvesView | TableView | SheetView;

/** What a chart is asked to show. */
export interface Shown {
  view: ChartView;
  modes: Mode[];
  /** Names of the lines that are seen; all of them where it is null. */
  lines: string[] | null;
  predict: Predicted | null;
  /** What is drawn before an answer is chosen; null where none is to be chosen. */
  sketch?: Sketch | null;
  /** What the view was before a hand took hold, where the ghost on the screen does not reach far enough. */
  past?: ChartView | null;
  /** Whether the frame on the screen stays if the view is good in it, see `FrameKeeper`: a hand has let go of it. */
  isKept?: boolean;
  /** Between the axis along and its numbers, in pixels: for what lies there. */
  gap?: number;
  units: Format;
  /** Whether its frame leaves lines out: at rest, too, an arrow says where each goes. */
  isCut?: boolean;
  /** Whether there is a row for words above the plot in any case, which another mode or an answer may bring. */
  isWorded?: boolean;
  /** Whether lines that are seen for the first time are drawn from the left, as a hand would. */
  isDrawn?: boolean;
}

/** A question that is put on the chart, and a dot that answers it. */
export interface Predicted extends Pick<Prediction, "axis" | "prompt" | "tolerance_ratio"> {
  /** Of what is asked. */
  id: string;
  /** Name of the line that is left out until the answer; empty where nothing is. */
  line: string;
  /** From where to where along it is drawn all the same; null from its start, or to its end; both of one of which nothing is. */
  known: [from: number | null, to: number | null];
  /** Name of the line along which the dot slides, if it does. */
  on: string;
  /** Where along: of a height that is asked for, or (null until it is known) what is asked for. */
  x: number | null;
  /** What is right by the question's own numbers, on the asked axis; null where the line that is drawn tells it. */
  truth: number | null;
  /** Whose the line is in each mode where it runs elsewhere, in a word. */
  names: Record<Mode, string>;
  /** The guess that was given. */
  given: number | null;
  /** Whether it is still asked. */
  isOpen: boolean;
  /** What can be pressed there: it is given, or given up; none where both are pressed elsewhere. */
  hands: "both" | "check" | "none";
}

/** What a chart reports. */
export interface Handles {
  /** A hand moves a mark to a place. */
  drag?: (mark: Mark, mode: Mode, x: number, y: number, phase: "start" | "move" | "end") => void;
  /** What lies under the pointer is of a colour, or of none. */
  hover?: (colour: Colour | null) => void;
  /** The dot that a hand points at, or none. */
  dot?: (dot: { fullName: string; group: string; y: number } | null) => void;
  /** The frame that a hand has let go of shows no more what the board is about: another is wanted, see `Stage.frame`. */
  lost?: () => void;
  /** The plot now lies there, in pixels. */
  placed?: (plot: Plot) => void;
  /** Values were read by keys, in a sentence for whoever does not see them. */
  say?: (text: string) => void;
  /** The question's dot was placed. */
  guess?: (x: number, y: number) => void;
  /** Where it waits to be given, or (null) that none does. */
  waits?: (at: [number, number] | null) => void;
  /** The answer is wanted without a guess. */
  giveUp?: () => void;
}

/** Where a plot lies as drawn, and the values at its ends along, at rest. */
export interface Plot extends Room {
  along: [low: number, high: number];
  /** Height of all else of the picture, at rest. */
  around: number;
}

/** In pixels. */
export interface Size {
  width: number;
  height: number;
}

/** Where a picture is drawn, and who is told of it. */
export interface Ground {
  svg: SVGSVGElement;
  root: HTMLElement;
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
  /** Where the plot lies as drawn, of a picture that has one. */
  readonly plot?: Plot | null;
  /** Drop a line from the bold lines to the axis at a place along, or (null) none. */
  plumb?(x: number | null): void;
  /** From where to where along the ghost of what was before is known; null where there is none. */
  readonly pastReach: [number, number] | null;
  remove(): void;
}

/** Below it a picture is a phone's: names go under the plot. */
export const NARROW = 520;
