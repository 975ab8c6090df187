// What a scene's player asks of a drawing, and the few things that all drawings need.

import type { Axes } from "../documents";

export interface Handles {
  choose?: (facts: { model?: string; machine?: string }) => void;
}

export interface Drawing<Picture> {
  readonly svg: SVGSVGElement;
  /** How long it plays; 0 where it stands still. */
  seconds(): number;
  show(picture: Picture, axes: Axes): void;
  /** Lay out all parts in some width; returns the height that they take. */
  fit(width: number, room: number): number;
  /** Move all parts to where they are at a part of the time, from 0 to 1. */
  draw(fraction: number): void;
  /** The same moment in words. */
  now(fraction: number): string;
  /** All of it in words. */
  described(): string;
}

const SVG = "http://www.w3.org/2000/svg";

type Attributes = Record<string, string | number>;

export function part<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): SVGElementTagNameMap[Name] {
  const made = document.createElementNS(SVG, name);
  set(made, attributes);
  made.append(...children);
  return made;
}

export function set(node: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
}

export function write(node: Element, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}

/** As many children of one kind as are needed: those that are there are kept. */
export function kept<Name extends keyof SVGElementTagNameMap>(
  parent: Element,
  name: Name,
  count: number,
): SVGElementTagNameMap[Name][] {
  while (parent.childElementCount > count) parent.lastElementChild?.remove();
  while (parent.childElementCount < count) parent.append(part(name));
  return [...parent.children] as SVGElementTagNameMap[Name][];
}

let ruler: CanvasRenderingContext2D | null = null;

/** Width of a text in pixels. */
export function measured(text: string, size: number, weight = 400): number {
  ruler ??= document.createElement("canvas").getContext("2d");
  if (!ruler) return text.length * size * 0.6;
  const family = getComputedStyle(document.documentElement).getPropertyValue("--figures") || "sans-serif";
  ruler.font = `${weight} ${size}px ${family}`;
  return ruler.measureText(text).width;
}

export function clamped(value: number, low = 0, high = 1): number {
  return Math.min(high, Math.max(low, value));
}

/** How far along between two moments, slow at both ends. */
export function eased(value: number, start: number, end: number): number {
  const along = clamped((value - start) / (end - start));
  return along * along * (3 - 2 * along);
}

export function mixed(from: number, to: number, along: number): number {
  return from + (to - from) * along;
}

/** Place of the last of some rising numbers that is not above a value; -1 where all are. */
export function lastUpTo(rising: number[], value: number): number {
  let [low, high] = [0, rising.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rising[middle] as number) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
