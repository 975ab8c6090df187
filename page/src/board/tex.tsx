// TeX as elements; and a formula's letters found in it.

import { useLayoutEffect, useRef } from "preact/hooks";

import type { Control, Letter } from "../documents";
import { typeset } from "../state/typesetter";

export function Tex({ tex, class: name = "symbol" }: { tex: string; class?: string }) {
  const place = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (place.current) typeset(tex, place.current, {});
  }, [tex]);
  return <span class={name} ref={place} />;
}

// A command or a letter with its index, or any other sign.
const PIECES = /(?:\\(?:[a-zA-Z]+|.)|[A-Za-z])(?:\^\{\*\})?(?:_(?:\{[^{}]*\}|\w))?(?:\^\{\*\})?|[\s\S]/g;
/** Commands whose braces hold words. */
const WORDS = /\\(?:mathrm|text|operatorname|bar|hat)\s*\{[^}]*\}|\\(?:bar|hat)\s+\w/g;

/** A formula's part with each letter that a control turns, or that has a card, wrapped, so that it can be found again. */
export function withControls(tex: string, controls: readonly Control[], carded: readonly Letter[] = []): string {
  const names = new Map(carded.map((letter, place) => [plain(letter.tex), `word=letter-${place}`]));
  for (const { tex: letter, name } of controls) {
    const card = names.get(plain(letter));
    if (letter) names.set(plain(letter), `control=${name}${card ? `,${card}` : ""}`);
  }
  const wrapped = (text: string) =>
    text.replace(PIECES, (piece) => {
      const name = names.get(plain(piece));
      // In braces of its own: an exponent takes no command that has arguments.
      return name ? `{\\htmlData{${name}}{${piece}}}` : piece;
    });
  let [found, end] = ["", 0];
  for (const words of tex.matchAll(WORDS)) {
    found += wrapped(tex.slice(end, words.index)) + words[0];
    end = words.index + words[0].length;
  }
  return found + wrapped(tex.slice(end));
}

/** Names of the controls whose letters stand in it. */
export function lettersIn(tex: string, controls: readonly Control[]): string[] {
  return [...withControls(tex, controls).matchAll(/control=(\w+)/g)].map(([, name = ""]) => name);
}

function plain(tex: string): string {
  return tex.replace(/[{}\s]/g, "");
}
