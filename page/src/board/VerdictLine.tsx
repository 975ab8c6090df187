// What became of a claim, in a line that begins with a word: "No: 1.23 ms, because the weights fill only 6 %". Of a brief
// one a few words stand alone, in the line's place, until the claim is opened.

import type { Note } from "../documents";
import { meaningOf, OUTCOMES, WORDS } from "./verdict";
import { Words } from "./Words";

interface Judged {
  note: Note;
  of: Parameters<typeof meaningOf>[0];
  isBrief?: boolean;
}

export function VerdictLine({ note: { word, line, given }, of, isBrief = false }: Judged) {
  const outcome = OUTCOMES[of.verdict];
  return (
    <span class="verdict-line">
      {/* The dot is never at another line's end than its word. */}
      <span class="unparted">
        <i class={`dot ${outcome}`} />{" "}
        <span class={`verdict ${outcome}`} title={meaningOf(of)}>
          {isBrief && <span class="alone">{WORDS[outcome]}</span>}
          <span class="first">{word}</span>
        </span>
      </span>
      <span class="found">
        {line.map((text, place) => (place % 2 ? <b key={place}>{text}</b> : <Words key={place} text={text} isInside />))}
        {given && (
          <small>
            {" "}
            (<Words text={given} isInside />)
          </small>
        )}
      </span>
    </span>
  );
}
