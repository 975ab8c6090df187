// Parts of one lasting picture: made once, then only told what changed.

export type Attributes = Record<string, string | number>;

/** Around words over which a line may pass, so wide on both sides together. */
export function halo(width = 4): Attributes {
  return { "paint-order": "stroke", stroke: "var(--background)", "stroke-width": width };
}

/** A new element of SVG, in no picture yet. */
export function element<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): SVGElementTagNameMap[Name] {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

/** A new part at the end of another. */
export function part<Name extends keyof SVGElementTagNameMap>(
  parent: Element,
  name: Name,
  attributes: Attributes = {},
): SVGElementTagNameMap[Name] {
  const made = element(name, attributes);
  parent.append(made);
  return made;
}

let clips = 0;

/** A group in which nothing is seen outside a rectangle, which comes with it. */
export function clipped(parent: Element): { clip: SVGRectElement; inside: SVGGElement } {
  clips += 1;
  const id = `clip-${clips}`;
  const clip = part(part(part(parent, "defs"), "clipPath", { id }), "rect");
  return { clip, inside: part(parent, "g", { "clip-path": `url(#${id})` }) };
}

/** A rectangle over a place, larger by so much on every side. */
export function fit(
  rect: SVGRectElement,
  { left, right, top, bottom }: { left: number; right: number; top: number; bottom: number },
  by: number,
): void {
  const size = { width: Math.max(0, right - left + 2 * by), height: Math.max(0, bottom - top + 2 * by) };
  put(rect, { x: left - by, y: top - by, ...size });
}

/** Set what is not so already: the browser paints what is written, changed or not. */
export function put(part: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    const text = String(value);
    if (part.getAttribute(name) !== text) part.setAttribute(name, text);
  }
}

/** The words of a text; as `put` does, only where they are others. */
export function say(part: Element, text: string): void {
  if (part.textContent !== text) part.textContent = text;
}

/** Where a part lies in its parent. */
export function move(part: Element, x: number, y: number): void {
  put(part, { transform: `translate(${tenth(x)},${tenth(y)})` });
}

/** Finer than a screen shows, and short. */
export function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Words below one another, as one text each, from the first baseline down. */
export function write(parent: Element, words: readonly string[], line: number, attributes: Attributes): void {
  while (parent.childElementCount > words.length) parent.lastElementChild?.remove();
  words.forEach((word, place) => {
    const text = parent.children[place] ?? part(parent, "text");
    put(text, { ...attributes, y: place * line });
    say(text, word);
  });
}

/** As many parts as there are things, in their order; what is there already is kept. */
export function matched<Made extends Element>(parent: Element, count: number, make: () => Made): Made[] {
  while (parent.childElementCount > count) parent.lastElementChild?.remove();
  while (parent.childElementCount < count) parent.append(make());
  return [...parent.children] as Made[];
}

/** The page's variable for a colour of the documents. */
export function colourOf(name: string): string {
  return `var(--${name})`;
}
