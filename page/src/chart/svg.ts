// Parts of one lasting picture: made once, then only told what changed.

type Value = string | number;

/** A new part at the end of another. */
export function part<Name extends keyof SVGElementTagNameMap>(
  parent: Element,
  name: Name,
  attributes: Record<string, Value> = {},
): SVGElementTagNameMap[Name] {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  parent.append(made);
  return made;
}

/** Set what is not so already: the browser paints what is written, changed or not. */
export function put(element: Element, attributes: Record<string, Value>): void {
  for (const [name, value] of Object.entries(attributes)) {
    const text = String(value);
    if (element.getAttribute(name) !== text) element.setAttribute(name, text);
  }
}

export function say(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

export function move(element: Element, x: number, y: number): void {
  put(element, { transform: `translate(${tenth(x)},${tenth(y)})` });
}

/** Finer than a screen shows, and short. */
export function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Words below one another, as one text each, from the first baseline down. */
export function write(parent: Element, words: readonly string[], line: number, attributes: Record<string, Value>): void {
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

export function colourOf(name: string): string {
  return `var(--${name})`;
}
