// The face of figures, for a picture that is shown where nobody has it.

import plain from "@fontsource/ibm-plex-sans/files/ibm-plex-sans-latin-400-normal.woff2?url";
import bold from "@fontsource/ibm-plex-sans/files/ibm-plex-sans-latin-600-normal.woff2?url";

const CHUNK = 0x8000;

/** Rules that carry the font itself, in the weights that are used; fetched once. */
let rules: Promise<string> | null = null;

export function fontRules(): Promise<string> {
  rules ??= Promise.all([ruleOf(400, plain), ruleOf(600, bold)]).then((all) => all.join(""));
  rules.catch(() => {
    rules = null;
  });
  return rules;
}

async function ruleOf(weight: number, address: string): Promise<string> {
  const answer = await fetch(address);
  if (!answer.ok)
    throw new Error(`The picture's font could not be loaded (status ${answer.status}); reload the page and try again`);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  let text = "";
  for (let from = 0; from < bytes.length; from += CHUNK) text += String.fromCharCode(...bytes.subarray(from, from + CHUNK));
  return `@font-face{font-family:"IBM Plex Sans";font-weight:${weight};src:url(data:font/woff2;base64,${btoa(text)}) format("woff2")}`;
}
