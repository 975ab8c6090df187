// The ledger's rows on a board, as notes in the margin: the lecture's number and ours.

import { useEffect, useRef } from "preact/hooks";

import type { Claim, Origin } from "../documents";
import { address, isRevealed, step } from "../state/store";
import { OUTCOMES, WORDS } from "./verdict";

/** Who gives the lecture's number, by its origin. */
const GIVES: Record<Origin, string> = {
  said: "the lecture says",
  implied: "the lecture implies",
  "filled in": "filled in here",
};

export function Claims({ claims }: { claims: Claim[] }) {
  return (
    <section id="claims" aria-label="What the lecture says">
      <h2>What the lecture says</h2>
      {claims.map((claim) => (
        <Note key={claim.id} claim={claim} />
      ))}
    </section>
  );
}

function Note({ claim }: { claim: Claim }) {
  const note = useRef<HTMLDetailsElement>(null);
  const isAsked = address.value.claim === claim.id;
  const isLit = isAsked || (step.value?.claims.includes(claim.id) ?? false);
  useEffect(() => {
    if (!isAsked || !note.current) return;
    note.current.open = true;
    note.current.scrollIntoView({ block: "nearest" });
  }, [isAsked]);
  // Beside a question no number gives the answer away.
  const isAnswered = !step.value?.question || isRevealed.value;
  const outcome = OUTCOMES[claim.verdict];
  return (
    <details class={isLit ? "claim lit" : "claim"} id={`claim-${claim.id}`} ref={note}>
      <summary>
        <i class={`dot ${outcome}`} />
        <span class={`verdict ${outcome}`}>{WORDS[outcome]}</span> {claim.claim}
        {isAnswered && (
          <span class="numbers">
            <Numbers claim={claim} />
          </span>
        )}
      </summary>
      <p class="why">
        <b>{claim.id}</b>{" "}
        {claim.time_stamp && (
          <a href={claim.link} target="_blank" rel="noopener noreferrer">
            {claim.time_stamp}
          </a>
        )}{" "}
        {claim.verdict}. {claim.why}
      </p>
      {claim.lecture_number?.hedge && <p class="why">Hedged: {claim.lecture_number.hedge}</p>}
      {claim.contrast && <p class="why">Beside it, not instead of it: {claim.contrast}</p>}
      {claim.careful_of && <p class="why">Careful: {claim.careful_of}</p>}
      {claim.bridge.length > 1 && <Bridge claim={claim} />}
      {claim.ambiguities.map(({ number, text }) => (
        <p class="why" key={number}>
          Left open: {text}
        </p>
      ))}
    </details>
  );
}

function Numbers({ claim }: { claim: Claim }) {
  const given = [
    { name: "lecture", says: GIVES[claim.lecture_number?.origin ?? "said"] },
    { name: "ours_lecture_mode", says: "ours, lecture mode" },
    { name: "ours_careful", says: claim.contrast ? "beside it" : "careful" },
  ] as const;
  return given
    .filter(({ name }) => claim[name] !== null)
    .map(({ name, says }) => (
      <span key={name}>
        {says} <b>{claim.texts[name]}</b>
      </span>
    ));
}

/** From the lecture's number to the careful one: a changed assumption a row. */
function Bridge({ claim }: { claim: Claim }) {
  return (
    <table class="bridge">
      <caption>From his number to ours</caption>
      <tbody>
        {claim.bridge.map(({ change, text }) => (
          <tr key={change}>
            <th scope="row">{change}</th>
            <td>{text}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
