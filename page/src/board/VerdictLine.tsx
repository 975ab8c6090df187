// What became of a claim, in a line that begins with a word: "No: 1.23 ms, because the weights fill only 6 %".

import type { Note } from "../documents";
import { meaningOf, OUTCOMES } from "./verdict";
import { Words } from "./Words";

export function VerdictLine({ note: { word, line, given }, of }: { note: Note; of: Parameters<typeof meaningOf>[0] }) {
  const outcome = OUTCOMES[of.verdict];
  return (
    <span class="verdict-line">
      <i class={`dot ${outcome}`} />{" "}
      <span class={`verdict ${outcome}`} title={meaningOf(of)}>
        {word}
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
