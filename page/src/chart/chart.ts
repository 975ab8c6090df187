import type { Prediction as Asked, Colour, Mark, Mode, View } from "../documents";
export type Prediction = Pick<Asked, "line" | "x" | "prompt" | "tolerance_ratio">;
export interface Shown {
  view: View;
  modes: Mode[];
  lines: string[] | null;
  predict: Prediction | null;
}
export interface Handles {
  drag?: (mark: Mark, mode: Mode, x: number, y: number, phase: "start" | "move" | "end") => void;
  hover?: (colour: Colour | null) => void;
  guess?: (x: number, y: number) => void;
}
export class Chart {
  constructor(
    readonly host: HTMLElement,
    readonly handles: Handles,
  ) {}
  show(_: Shown): void {}
  hold(): void {}
  release(): void {}
  clearGhost(): void {}
  light(_: Colour | null): void {}
  get frame(): { x: [number, number]; y: [number, number] } {
    return { x: [0, 1], y: [0, 1] };
  }
  resize(): void {}
  destroy(): void {}
  picture(): SVGSVGElement {
    return document.createElementNS("http://www.w3.org/2000/svg", "svg");
  }
}
