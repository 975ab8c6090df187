// In a row of a phone's step: how his claims come out, and whose numbers are drawn.

import { inOrder, OUTCOMES, WORDS } from "../board/verdict";
import { Whose } from "../board/Whose";
import type { Board, Claim, Note } from "../documents";
import { isAsked, step } from "../state/store";

export function Judged({ board }: { board: Board }) {
  const here = inOrder(
    board.claims.filter(({ id }) => step.value?.claims.includes(id)),
    "",
  );
  const [worst] = here;
  if (isAsked.value) return null;
  return (
    <>
      {worst ? (
        <button type="button" onClick={() => open(worst.id)}>
          <span class="in-row">
            {here.map(({ id, verdict }) => (
              <i key={id} class={`dot ${OUTCOMES[verdict]}`} />
            ))}
            {OUTCOMES[worst.verdict] === "fails" ? <Failed note={worst.note} /> : <Words claims={here} />}
          </span>
        </button>
      ) : (
        <span />
      )}
      <Whose board={board} />
    </>
  );
}

/** "No: 5,440, not 2,400": what he says where it is of the same unit, and where there is room. */
function Failed({ note: { word, line, his } }: { note: Note }) {
  const [found = "", said = ""] = [line[1] ?? "", his].map((text) => text.replace(/minutes?$/, "min"));
  return (
    <>
      <b class="verdict fails">{word}:</b> <span>{found}</span>
      {said && unitOf(found) === unitOf(said) && <span>, not {said}</span>}
    </>
  );
}

/** "2 claims: conditional, holds": as many of these words as there is room for. */
function Words({ claims }: { claims: readonly Claim[] }) {
  return (
    <>
      <span>{claims.length > 1 ? `${claims.length} claims` : "Claim"}</span>
      {claims.map(({ id, verdict }, place) => (
        <span key={id} class="how-many">
          {place ? ", " : ": "}
          {WORDS[OUTCOMES[verdict]]}
        </span>
      ))}
    </>
  );
}

/** What is left of a number without its digits, and of hours without their s. */
function unitOf(text: string): string {
  return text.replace(/[\d.,\s]|[mbtr]+illion|s$/g, "");
}

/** The claim below the picture, and what it is folded in. */
function open(id: string): void {
  const note = document.getElementById(`claim-${id}`);
  for (let fold = note?.closest("details"); fold; fold = fold.parentElement?.closest("details")) fold.open = true;
  note?.scrollIntoView();
  note?.querySelector("summary")?.focus({ preventScroll: true });
}
