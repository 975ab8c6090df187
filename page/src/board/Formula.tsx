// The formula: each term in the colour of the lines that it makes; its letters say their numbers and can be scrubbed.

import katex from "katex";
import { useLayoutEffect, useRef } from "preact/hooks";

import type { Board, Colour, Control } from "../documents";
import { format } from "../state/quantity";
import { answer, lit, step, turn } from "../state/store";
import { partOf, textAt } from "./knob";
import { withControls } from "./tex";

/** Of a slider's length, for a pixel that a hand moves. */
const PART_PER_PIXEL = 1 / 400;
const LESS_THAN_A_DRAG = 3;

export function Formula({ board }: { board: Board }) {
  const place = useRef<HTMLDivElement>(null);
  const terms = step.value?.terms ?? board.formula.length;
  useLayoutEffect(() => {
    if (!place.current) return;
    const tex = board.formula.map(({ tex, colour }, which) => {
      const own = withControls(tex, board.controls);
      const part = which < terms ? own : `\\htmlClass{later}{${own}}`;
      return colour ? `\\htmlData{colour=${colour}}{${part}}` : part;
    });
    katex.render(tex.join(" "), place.current, {
      displayMode: true,
      throwOnError: false,
      strict: false,
      trust: ({ command }) => command === "\\htmlData" || command === "\\htmlClass",
    });
    return scrubbing(place.current, board.controls);
  }, [board, terms]);
  return <div id="formula" ref={place} />;
}

/** Pointer on the letters and terms; what it does is undone by the function that comes back. */
function scrubbing(place: HTMLElement, controls: Control[]): () => void {
  const off = new AbortController();
  const { signal } = off;
  const tip = document.createElement("div");
  tip.className = "tip";
  tip.hidden = true;
  place.append(tip);
  const controlOf = (target: EventTarget | null) => {
    const letter = (target as Element | null)?.closest<HTMLElement>("[data-control]");
    const control = controls.find(({ name }) => name === letter?.dataset["control"]);
    return letter && control ? { letter, control } : null;
  };
  const tell = (letter: HTMLElement, control: Control) => {
    const standing = answer.value?.modes.map((mode) => answer.value?.controls[mode]?.[control.name]);
    const texts = [...new Set(standing?.map((value) => (value === undefined ? "" : format(value, control.dimension))))];
    tip.textContent = `${control.label}: ${texts.join(" · ")}`;
    tip.hidden = false;
    const [box, all] = [letter.getBoundingClientRect(), place.getBoundingClientRect()];
    const left = box.left + box.width / 2 - all.left + place.scrollLeft;
    tip.style.left = `${Math.max(tip.offsetWidth / 2, Math.min(place.scrollWidth - tip.offsetWidth / 2, left))}px`;
  };
  place.addEventListener(
    "pointerover",
    ({ target }) => {
      const colour = (target as Element).closest<HTMLElement>("[data-colour]")?.dataset["colour"];
      lit.value = (colour as Colour | undefined) ?? null;
      const found = controlOf(target);
      if (found) tell(found.letter, found.control);
      else tip.hidden = true;
    },
    { signal },
  );
  place.addEventListener(
    "pointerleave",
    () => {
      lit.value = null;
      tip.hidden = true;
    },
    { signal },
  );
  place.addEventListener(
    "pointerdown",
    (down) => {
      const found = controlOf(down.target);
      const start = found && answer.value?.controls[answer.value.modes.at(-1) ?? "lecture"]?.[found.control.name];
      if (!found || start === undefined || start === null) return;
      down.preventDefault();
      const { letter, control } = found;
      const from = partOf(control, start);
      let text = "";
      letter.setPointerCapture(down.pointerId);
      const move = ({ clientX }: PointerEvent) => {
        if (!text && Math.abs(clientX - down.clientX) < LESS_THAN_A_DRAG) return;
        text = textAt(control, from + (clientX - down.clientX) * PART_PER_PIXEL);
        turn(control.name, text, false);
        tell(letter, control);
      };
      const up = () => {
        letter.removeEventListener("pointermove", move);
        if (text) turn(control.name, text, true);
      };
      letter.addEventListener("pointermove", move);
      letter.addEventListener("lostpointercapture", up, { once: true });
    },
    { signal },
  );
  return () => off.abort();
}
