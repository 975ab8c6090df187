// The formula: each term in the colour of the lines that it makes; its letters say their numbers and can be scrubbed.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

import type { Board, Control, Letter, Piece } from "../documents";
import { useEdges } from "../shell/edges";
import { isNarrow } from "../state/narrow";
import { format } from "../state/quantity";
import { answer, foretold, isAsked, isFixed, lettered, lit, step, turn, view } from "../state/store";
import { typeset } from "../state/typesetter";
import { take } from "./chosen";
import { fitting } from "./fit";
import { partOf, textAt } from "./knob";
import { Letters } from "./Letters";
import { ranged } from "./ranged";
import { isNew, scrub } from "./scrub";
import { withControls } from "./tex";
import { type Equation as Equated, formulaOf, nameOf, toCome } from "./together";

export function Formula({ board }: { board: Board }) {
  const place = useRef<HTMLDivElement>(null);
  const letter = board.controls.find(({ name }) => name === lettered.value) ?? null;
  const [isNear, come] = useState(false);
  const formula = formulaOf(board, step.value);
  const told = step.value?.terms ?? Number.POSITIVE_INFINITY;
  const terms = (isAsked.value ? (step.value?.question ?? step.value?.choice)?.terms : null) ?? told;
  // Of a board's those that the picture draws.
  const drawn = step.value ? formula : ending(formula.filter((_, which) => isDrawn(board, which)));
  // A finger that taps a letter is told what it stands for.
  const carded = (isNarrow.value && step.value?.letters) || NONE;
  const row = useRef<HTMLDivElement>(null);
  const isCut = useEdges(row);
  // What the step before had not: it comes into being under one's eyes.
  const seen = useRef({ step: "", formula: "", terms: 0, from: 0 });
  const [id, name] = [step.value?.id ?? "", nameOf(formula)];
  if (seen.current.step !== id || seen.current.formula !== name || seen.current.terms !== terms) {
    const from = seen.current.formula === name ? seen.current.terms : 0;
    seen.current = { step: id, formula: name, terms, from: id ? from : terms };
  }
  useLayoutEffect(() => {
    return place.current ? scrubbing(place.current, board.controls) : undefined;
  }, [board]);
  // After its terms have their letters, which they get before this.
  useLayoutEffect(() => (place.current ? fitting(place.current) : undefined), [board, step.value, view.value, terms]);
  // Where the row is longer than a phone is wide, it is read from its beginning; once it has its size, else all of the
  // page is laid out for another one first.
  useLayoutEffect(() => {
    if (row.current) row.current.scrollLeft = 0;
  }, [board, id]);
  return (
    <div
      id="formula"
      class={isFixed.value ? "fixed" : ""}
      ref={place}
      onPointerEnter={() => come(true)}
      onPointerLeave={() => come(false)}
    >
      <div class="terms" ref={row} {...stopOf(isCut)}>
        {drawn.map((equation) => (
          <Equation key={nameOf([equation])} isBegun={equation.some(({ place }) => place < terms)}>
            {equation
              .filter(({ place }) => place < terms)
              .map((piece) => (
                <Term
                  key={`${piece.place} ${piece.tex}`}
                  {...piece}
                  controls={board.controls}
                  carded={carded}
                  stage={piece.place >= seen.current.from ? "fresh" : ""}
                />
              ))}
            <ToCome tex={toCome(equation, terms, terms < told ? "?" : undefined)} />
            {equation
              .filter(({ place }) => place >= terms)
              .map((piece) => (
                <Term
                  key={`${piece.place} ${piece.tex}`}
                  {...piece}
                  controls={board.controls}
                  carded={carded}
                  stage={piece.place < told ? "awaited" : "later"}
                />
              ))}
          </Equation>
        ))}
      </div>
      <Letters place={place} controls={board.controls} terms={terms} isNear={isNear} />
      {!step.value && <p class="tip">{letter ? numberOf(letter) : hint()}</p>}
    </div>
  );
}

/** Whether the picture of a board draws an equation of it. */
function isDrawn(board: Board, which: number): boolean {
  return board.drawn[view.value]?.equations.includes(which) ?? true;
}

/** Equations without the comma after the last, which leads to others. */
function ending(equations: readonly Equated[]): readonly Equated[] {
  const last = equations.at(-1);
  const end = last?.at(-1);
  if (!last || !end) return equations;
  return [...equations.slice(0, -1), [...last.slice(0, -1), { ...end, tex: end.tex.replace(COMMA, "") }]];
}

const COMMA = /,\s*$/;

/** A board's other equations, smaller and to be read alone: the pictures that draw them have them large. */
export function OtherEquations({ board }: { board: Board }) {
  const equations = ending(board.formula.filter((_, which) => !isDrawn(board, which)));
  if (!equations.length) return null;
  return (
    <details class="equations">
      <summary>
        {equations.length} more {equations.length > 1 ? "formulas" : "formula"}
      </summary>
      {equations.map((equation) => (
        <Equation key={nameOf([equation])} isBegun>
          {equation.map((piece) => (
            <Term key={`${piece.place} ${piece.tex}`} {...piece} controls={[]} carded={NONE} stage="" />
          ))}
        </Equation>
      ))}
    </details>
  );
}

/** Whoever came new to the page has its place kept: nothing moves up when a hand has learnt it. */
const hasPlace = isNew.peek();

/** On a phone letters stand over the slider, too. */
export function hint(): ComponentChildren {
  const isSeen = isNew.value && !isFixed.value;
  return (
    hasPlace &&
    !isNarrow.value && (
      <span class="hint" style={isSeen ? {} : { visibility: "hidden" }}>
        Drag a letter to change its number
      </span>
    )
  );
}

/** One that is wider than its place is scrolled, by keys too. */
function Equation({ isBegun, children }: { isBegun: boolean; children: ComponentChildren }) {
  const place = useRef<HTMLSpanElement>(null);
  const [isCut, cut] = useState(false);
  useLayoutEffect(() => {
    const watch = new ResizeObserver(() => {
      if (place.current) cut(place.current.scrollWidth > place.current.clientWidth);
    });
    // Smaller letters need not change the place itself.
    if (place.current) for (const one of [place.current, ...place.current.children]) watch.observe(one);
    return () => watch.disconnect();
  }, []);
  return (
    <span class={isBegun ? "together" : "together unbegun"} ref={place} {...stopOf(isCut)}>
      {children}
    </span>
  );
}

/** Keys stop at what they scroll. */
function stopOf(isCut: boolean) {
  return isCut ? ({ tabIndex: 0, role: "group", "aria-label": "An equation wider than its place" } as const) : {};
}

const NONE: readonly Letter[] = [];

interface TermProps extends Piece {
  controls: Control[];
  /** Letters that have a card. */
  carded: readonly Letter[];
  /** Whether the walk has yet to come to it, comes to it with an answer, or has come to it with this step. */
  stage: "later" | "awaited" | "fresh" | "";
}

function Term({ tex, colour, controls, carded, stage, place }: TermProps) {
  const host = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (!host.current) return;
    typeset(`\\displaystyle ${withControls(tex, controls, carded)}`, host.current, {
      trust: ({ command }) => command === "\\htmlData",
    });
  }, [tex, controls, carded]);
  return (
    <span
      class={stage}
      data-term={place}
      data-colour={colour ?? undefined}
      onPointerEnter={() => {
        lit.value = colour;
      }}
      onPointerLeave={() => {
        lit.value = null;
      }}
      ref={host}
    />
  );
}

/** It takes no room where what it stands for keeps its own. */
function ToCome({ tex }: { tex: string }) {
  const host = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (host.current) typeset(tex, host.current, {});
  }, [tex]);
  return tex && <span class="to-come" ref={host} />;
}

/** What a letter stands for, and its number in each mode. */
function numberOf({ name, label, dimension }: Control): string {
  const standing = answer.value?.modes.map((mode) => answer.value?.controls[mode]?.[name]) ?? [];
  const texts = new Set(standing.filter((value) => value !== undefined).map((value) => format(value, dimension)));
  return `${label}: ${[...texts].join(" · ")}`;
}

/** A hand so near a letter, in pixels, is on it. */
const REACH = 14;

/** The letter under a hand, or the nearest one within its reach. */
function nearest(place: HTMLElement, { clientX, clientY }: PointerEvent): Element | null {
  const beyond = (at: number, from: number, to: number) => Math.max(from - at, at - to, 0);
  let found: { letter: Element; away: number } | null = null;
  for (const letter of place.querySelectorAll(".terms [data-control]")) {
    const { left, top, right, bottom } = letter.getBoundingClientRect();
    const away = Math.hypot(beyond(clientX, left, right), beyond(clientY, top, bottom));
    if (away <= (found?.away ?? REACH) && letter.checkVisibility({ visibilityProperty: true })) found = { letter, away };
  }
  return found?.letter ?? null;
}

/** A hand on the letters; what that does is undone by the function that comes back. */
function scrubbing(place: HTMLElement, controls: Control[]): () => void {
  const off = new AbortController();
  const controlOf = (target: EventTarget | null) => {
    const name = (target as Element | null)?.closest<HTMLElement>("[data-control]")?.dataset["control"];
    const found = controls.find((control) => control.name === name);
    return found ? ranged(found) : null;
  };
  const down = (event: PointerEvent) => {
    const letter = nearest(place, event);
    const control = isFixed.value ? null : controlOf(letter);
    const start = control && answer.value?.controls[answer.value.modes.at(-1) ?? "lecture"]?.[control.name];
    if (!letter || !control || start === undefined || start === null) return;
    event.preventDefault();
    const seek = (part: number, isFinal: boolean) => turn(control.name, textAt(control, part), isFinal);
    const { clientX, pointerId } = event;
    scrub({ target: letter, clientX, pointerId }, partOf(control, start), seek, () => take(control.name));
  };
  const point = (name = "") => {
    lettered.value = name;
    if (name) foretold.value?.approach(name);
    else foretold.value?.leave();
  };
  place.addEventListener("pointerover", ({ target }) => point(controlOf(target)?.name), off);
  place.addEventListener("pointerleave", () => point(), off);
  place.addEventListener("pointerdown", down, off);
  return () => off.abort();
}
