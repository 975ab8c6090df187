// Elements in few words.

type Attributes = Record<string, string | number | boolean | EventListener>;

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const found = document.createElement(name);
  set(found, attributes);
  found.append(...children);
  return found;
}

export function drawn<Name extends keyof SVGElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): SVGElementTagNameMap[Name] {
  const found = document.createElementNS("http://www.w3.org/2000/svg", name);
  set(found, attributes);
  found.append(...children);
  return found;
}

function set(found: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") found.addEventListener(name, value);
    else if (value === true) found.setAttribute(name, "");
    else if (value !== false) found.setAttribute(name, String(value));
  }
}

export function byId<Found extends HTMLElement = HTMLElement>(id: string): Found {
  return document.getElementById(id) as Found;
}
