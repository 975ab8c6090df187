// What he argues: words that name a line or a term have its colour, and light it; words of the field are explained.

import type { ComponentChildren } from "preact";

import { explained, Words } from "../board/Words";
import type { Colour, Step } from "../documents";
import { defined } from "../state/defined";
import { address, lit, shown } from "../state/store";
import { Tied } from "./Tied";

export function Sentence({ step: { sentence, named, ties, mode } }: { step: Step }) {
  const words = defined.value.get(sentence) ?? [];
  // By other numbers than those that it was written for.
  const isTurned = shown.value !== mode || Object.keys(address.value.turned).length > 0;
  const parts: ComponentChildren[] = [];
  let from = 0;
  // A number among words that are named lights what those name.
  const free = ties.filter((tie) => !named.some(({ start, end }) => start < tie.end && end > tie.start));
  for (const one of [...named, ...free].sort((a, b) => a.start - b.start)) {
    const { start, end } = one;
    const text = sentence.slice(start, end);
    const inside = words.find((word) => word.start < end && word.end > start);
    parts.push(
      <Words text={sentence} from={from} to={start} />,
      "colour" in one ? (
        <Name key={start} words={text} colour={one.colour} which={inside?.which} />
      ) : (
        <Tied key={start} tie={one} text={text} />
      ),
    );
    from = end;
  }
  return (
    <p class={isTurned ? "sentence turned" : "sentence"}>
      {parts}
      <Words text={sentence} from={from} />
    </p>
  );
}

function Name({ words, colour, which }: { words: string; colour: Colour; which: number | undefined }) {
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
