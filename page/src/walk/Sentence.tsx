// What he argues: words that name a line or a term have its colour, and light it; words of the field are explained.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { explained, Words } from "../board/Words";
import type { Colour, LiveNumber, Step } from "../documents";
import { defined } from "../state/defined";
import { isShortest } from "../state/narrow";
import { isAsked, isChoosing, lit } from "../state/store";
import { sentencesKept, standing } from "./above";
import { isOtherAlone, live, other } from "./live";
import { renewed } from "./renewed";
import { Tied } from "./Tied";

export function Sentence({ step: { sentence, named, ties, choice, question } }: { step: Step }) {
  const isTold = choice !== null && !isChoosing.value;
  const [isUnfolded, unfold] = useState(false);
  // Each answer is read from where it begins.
  useEffect(() => unfold(false), [isTold, isAsked.value]);
  // Where the button was: who is at it stays there, and has the words read out.
  const whole = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (isUnfolded) whole.current?.focus({ preventScroll: true });
  }, [isUnfolded]);
  if (isOtherAlone.value) return null;
  // What answers a question waits for the answer.
  const end = choice && isChoosing.value ? choice.told : sentence.length;
  const words = defined.value.get(sentence) ?? [];
  const now = live.value;
  const [numbers, overturned] = [now?.numbers ?? [], now?.overturned ?? []];
  // Words that hold no more light nothing; a number among words that are named lights what those name.
  const found = [...overturned, ...named, ...ties, ...numbers];
  const places = found
    .filter((one, at) => one.end <= end && !found.slice(0, at).some((other) => isWithin(one, other)))
    .sort((a, b) => a.start - b.start);
  // What an answer adds, after a space, is one part; words in its place may begin before it.
  const told = choice && end > choice.told ? choice.told + 1 : end;
  const cut = places.find(({ start, end }) => start < told && told < end)?.start ?? told;
  const written = (from: number, to: number) => {
    const parts: ComponentChildren[] = [];
    let past = from;
    for (const one of places.filter(({ start }) => start >= from && start < to)) {
      const { start, end } = one;
      const inside = words.find((word) => word.start < end && word.end > start);
      const text = <Now sentence={sentence} place={one} numbers={numbers} />;
      parts.push(
        <Words text={sentence} from={past} to={start} />,
        "colour" in one ? (
          <Name key={start} words={text} colour={one.colour} which={inside?.which} />
        ) : "control" in one ? (
          <Tied key={start} tie={one} x={numbers.find((here) => here.start === start)?.x ?? one.x} text={text} />
        ) : "x" in one ? (
          text
        ) : one.text ? (
          <Instead was={sentence.slice(start, end)} now={one.text} />
        ) : (
          <del>{text}</del>
        ),
      );
      past = end;
    }
    if (past < to) parts.push(<Words text={sentence} from={past} to={to} />);
    return parts;
  };
  // A low phone has room for what the answer adds; what was read before it is a tap away.
  const isFolded = cut < end && isShortest.value && !isUnfolded;
  // What was read before a guess makes way for what came of it: its first sentences are left, each whole.
  const isBrief = question !== null && standing.value?.isBrief === true && !isUnfolded;
  const begins = (question ? beginnings(sentence) : []).filter(
    (at) => !places.some(({ start, end }) => start < at && at < end),
  );
  const first = begins.map((at, place) => (
    <span key={at} class={isBrief && place >= sentencesKept.value ? "phrase over" : "phrase"}>
      {written(at, begins[place + 1] ?? cut)}
    </span>
  ));
  if (isBrief)
    first.splice(
      sentencesKept.value,
      0,
      <button key="rest" type="button" class="unfold" aria-label="Show the words after it" onClick={() => unfold(true)} />,
    );
  return (
    <p class={isBrief ? "sentence short" : "sentence"} ref={whole} tabIndex={isUnfolded ? -1 : undefined}>
      {isFolded ? (
        <button type="button" class="unfold" aria-label="Show the words before it" onClick={() => unfold(true)} />
      ) : question ? (
        first
      ) : (
        written(0, cut)
      )}
      {cut < end && <span class="added">{written(cut, end)}</span>}
    </p>
  );
}

/** What is said of the numbers that the step does not begin with; words that were others, unturned, stand out. */
export function Other({ step: { mode } }: { step: Step }) {
  if (!other.value) return null;
  const { text, was } = other.value;
  const [words, before] = [text.split(" "), was.split(" ")];
  const parts: ComponentChildren[] = [];
  let [from, at] = [0, 0];
  for (const [place, word] of words.entries()) {
    const end = at + word.length;
    if (words.length === before.length && word !== before[place]) {
      parts.push(
        <Words text={text} from={from} to={at} />,
        <span key={at} class="live">
          {word}
        </span>,
      );
      from = end;
    }
    at = end + 1;
  }
  parts.push(<Words text={text} from={from} />);
  if (isOtherAlone.value) return <p class="sentence">{parts}</p>;
  return (
    <p class="sentence">
      <span class="also">
        <b>{mode === "lecture" ? "Sourced" : "Pope's numbers"}:</b> {parts}
      </span>
    </p>
  );
}

/** Where each of its sentences begins. */
const beginnings = (text: string) => [0, ...[...text.matchAll(/[.?!] /g)].map(({ index }) => index + 2)];

/** From one character of the sentence to another. */
type Place = { start: number; end: number };

const isWithin = (one: Place, other: Place) => other.start < one.end && other.end > one.start;

/** Words that hold in place of others: the new ones stand out and say, pointed at, what stood there. */
function Instead({ was, now }: { was: string; now: string }) {
  const [same, fresh] = renewed(was, now);
  return (
    <>
      {same}
      <ins title={was}>{fresh}</ins>
    </>
  );
}

/** Words of the sentence, in which a number that was turned is what it is now; pointed at it says what it was. */
function Now({ sentence, place, numbers }: { sentence: string; place: Place; numbers: LiveNumber[] }) {
  const parts: ComponentChildren[] = [];
  let from = place.start;
  for (const { start, end, text } of numbers.filter((one) => isWithin(one, place))) {
    const was = sentence.slice(start, end);
    parts.push(
      sentence.slice(from, start),
      <span key={start} class="live" title={`${was} as the step begins`}>
        {text}
      </span>,
    );
    from = end;
  }
  return (
    <>
      {parts}
      {sentence.slice(from, place.end)}
    </>
  );
}

function Name({ words, colour, which }: { words: ComponentChildren; colour: Colour; which: number | undefined }) {
  const light = (isOn: boolean) => {
    lit.value = isOn ? colour : null;
  };
  const isLit = lit.value === colour;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a button does not break across lines as words do
    <span
      class="name"
      role="button"
      tabIndex={0}
      {...explained(which)}
      data-colour={colour}
      aria-pressed={isLit}
      onPointerEnter={({ pointerType }) => pointerType === "mouse" && light(true)}
      onPointerLeave={({ pointerType }) => pointerType === "mouse" && light(false)}
      // A finger lights it until the next tap, keys for as long as they are on it.
      onPointerUp={({ pointerType }) => pointerType !== "mouse" && light(!isLit)}
      onFocus={({ currentTarget }) => currentTarget.matches(":focus-visible") && light(true)}
      onBlur={() => light(false)}
      onKeyDown={(event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        light(!isLit);
      }}
    >
      {words}
    </span>
  );
}
