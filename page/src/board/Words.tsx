// A text whose words of the field have a card that explains them: under a pointer, with the focus, at a tap.

import type { ComponentChildren } from "preact";

import { defined } from "../state/defined";
import { shelf } from "../state/store";

interface Part {
  text: string;
  /** Of it the part that is shown; words that go beyond it are not explained. */
  from?: number;
  to?: number;
  /** Whether it stands in what is pressed as a whole, in which keys reach nothing: a pointer and a finger find its words. */
  isInside?: boolean;
}

export function Words({ text, from = 0, to = text.length, isInside }: Part) {
  const parts: ComponentChildren[] = [];
  let place = from;
  for (const { start, end, which } of defined.value.get(text) ?? []) {
    if (start < from || end > to) continue;
    parts.push(
      text.slice(place, start),
      <span
        key={start}
        class="word"
        {...(isInside ? { "data-word": which } : { role: "button", tabIndex: 0, ...explained(which) })}
      >
        {text.slice(start, end)}
      </span>,
    );
    place = end;
  }
  return (
    <>
      {parts}
      {text.slice(place, to)}
    </>
  );
}

/** Of a word what finds its card. */
export function explained(which: number | string | undefined) {
  return which === undefined ? {} : { "data-word": which, "aria-describedby": `word-${which}` };
}

/** What words of some texts mean, to read on: where keys do not reach these. */
export function Meanings({ texts }: { texts: readonly string[] }) {
  return (
    <>
      {texts
        .flatMap((text) => defined.value.get(text) ?? [])
        .map(({ which }) => {
          const { name, meaning } = shelf.value?.definitions[which] ?? {};
          return (
            <p key={which} class="why">
              <b>{name}</b>: {meaning}
            </p>
          );
        })}
    </>
  );
}

/** All cards; one at a time is shown. */
export function Cards() {
  return (
    <>
      {shelf.value?.definitions.map(({ name, meaning }, which) => (
        <p key={name} id={`word-${which}`} class="card-of-word" role="tooltip" popover="manual">
          <b>{name}</b> {meaning}
        </p>
      ))}
    </>
  );
}

/** From the word, and from the window's edges, in pixels. */
const GAP = 6;
const INSET = 10;
/** In milliseconds, until a card goes whose word a pointer has left: it may be on its way to the card. */
const STAYS = 250;

let shown: HTMLElement | null = null;
/** The word whose card is shown. */
let opener: HTMLElement | null = null;
let isTouched = false;
let going = 0;

function hide(): void {
  clearTimeout(going);
  shown?.hidePopover();
  shown = null;
}

function show(word: HTMLElement): void {
  const card = document.getElementById(`word-${word.dataset.word}`);
  clearTimeout(going);
  if (!card || card === shown) return;
  hide();
  shown = card;
  opener = word;
  card.showPopover();
  const { offsetWidth: width, offsetHeight: height } = card;
  // Of words on two lines it covers neither.
  const { top, bottom } = word.getBoundingClientRect();
  // Below a control's name lie sliders: its card lies above all of them.
  const controls = word.closest("#controls")?.getBoundingClientRect().top;
  // In a sentence the lines below are still to be read, those above are not.
  const isRead = word.closest(".sentence") !== null && top - GAP - height >= INSET;
  const isBelow = controls === undefined && !isRead && bottom + GAP + height <= innerHeight - INSET;
  const left = [...word.getClientRects()].at(isBelow ? -1 : 0)?.left ?? 0;
  card.style.left = `${Math.max(INSET, Math.min(innerWidth - width - INSET, left))}px`;
  card.style.top = `${isBelow ? bottom + GAP : Math.max(INSET, (controls ?? top) - GAP - height)}px`;
}

function wordOf({ target }: Event): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>("[data-word]") : null;
}

/** For words wherever they stand. */
export function explainWords(): void {
  addEventListener("pointerover", (event) => {
    if (event.pointerType !== "mouse") return;
    const word = wordOf(event);
    if (word) show(word);
    else if (shown?.contains(event.target as Node)) clearTimeout(going);
    else if (shown) {
      clearTimeout(going);
      going = window.setTimeout(hide, STAYS);
    }
  });
  addEventListener("pointerdown", ({ pointerType }) => {
    isTouched = pointerType !== "mouse";
  });
  addEventListener("focusin", (event) => {
    const word = wordOf(event);
    if (word?.matches(":focus-visible")) show(word);
    // A tap on a letter takes its slider, too.
    else if (!isInCard(event) && !isTouched) hide();
  });
  // Where the focus goes nowhere no other element says so.
  addEventListener("focusout", (event) => {
    if (wordOf(event) === opener && !shown?.contains(event.relatedTarget as Node | null) && !shown?.matches(":hover")) hide();
  });
  addEventListener("click", (event) => {
    const word = wordOf(event);
    if (!(word || isInCard(event))) hide();
    if (!word || !isTouched) return;
    // A claim in which it stands stays as it is.
    event.preventDefault();
    turn(word);
  });
  // In a picture with the focus Escape means something, too.
  addEventListener(
    "keydown",
    (event) => {
      const word = wordOf(event);
      if (word && (event.key === "Enter" || event.key === " ")) {
        event.preventDefault();
        // Where the focus has called it up, into its links.
        const link = isShown(word) && shown?.querySelector("a");
        if (link) link.focus();
        else turn(word);
      } else if (isInCard(event)) {
        // A card stands at the page's end: from its links back to the word, which then has none.
        if (event.key !== "Escape") return;
        event.preventDefault();
        event.stopPropagation();
        opener?.focus();
        hide();
      } else if (shown && event.key !== "Shift") {
        if (event.key === "Escape") event.stopPropagation();
        hide();
      }
    },
    { capture: true },
  );
  addEventListener("scroll", hide, { capture: true, passive: true });
}

function isInCard({ target }: Event): boolean {
  return shown?.contains(target as Node) ?? false;
}

function isShown(word: HTMLElement): boolean {
  return shown?.id === `word-${word.dataset.word}`;
}

function turn(word: HTMLElement): void {
  if (isShown(word)) hide();
  else show(word);
}
