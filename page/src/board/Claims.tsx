// The ledger's rows on a board, as notes in the margin: the lecture's number and ours.

import { useEffect, useRef } from "preact/hooks";

import type { Claim, Origin } from "../documents";
import { address, isAsked, step } from "../state/store";
import { OUTCOMES, WORDS } from "./verdict";

/** Who gives the lecture's number, by its origin. */
const GIVES: Record<Origin, string> = {
  said: "the lecture says",
  implied: "the lecture implies",
  "filled in": "filled in here",
};

/** All of a board, the one that is asked for first; on the walk those of the step, and the others on demand. */
export function Claims({ claims }: { claims: Claim[] }) {
  const now = step.value;
  // Beside a question no claim gives the answer away.
  if (isAsked.value)
    return (
      <section id="claims" class="later" aria-label="What the lecture says">
        <h2>What he says here</h2>
        <p>After your guess.</p>
      </section>
    );
  const asked = address.value.claim;
  const first = now
    ? claims.filter(({ id }) => now.claims.includes(id))
    : [...claims].sort((one, other) => Number(other.id === asked) - Number(one.id === asked));
  const others = claims.filter((claim) => !first.includes(claim));
  return (
    <section id="claims" aria-label="What the lecture says">
      <h2>{now && first.length ? "What he says here" : "What the lecture says"}</h2>
      {first.map((claim) => (
        <Note key={claim.id} claim={claim} />
      ))}
      {others.length > 0 && (
        <details class="others" open={others.some(({ id }) => id === address.value.claim)}>
          <summary>
            {others.length} more {others.length > 1 ? "claims" : "claim"} on this board
          </summary>
          {others.map((claim) => (
            <Note key={claim.id} claim={claim} />
          ))}
        </details>
      )}
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
  const outcome = OUTCOMES[claim.verdict];
  return (
    <details class={isLit ? "claim lit" : "claim"} id={`claim-${claim.id}`} ref={note}>
      <summary>
        <i class={`dot ${outcome}`} />
        <span class={`verdict ${outcome}`}>{WORDS[outcome]}</span> {claim.claim}
        <Numbers claim={claim} />
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
      {claim.lecture_number?.hedge && <p class="why">His caveat: {claim.lecture_number.hedge}</p>}
      {claim.contrast && <p class="why">For comparison: {claim.contrast}</p>}
      {claim.careful_of && <p class="why">Careful mode: {claim.careful_of}</p>}
      {claim.bridge.length > 1 && <Bridge claim={claim} />}
      {claim.ambiguities.map(({ number, text }) => (
        <p class="why" key={number}>
          Left open: {text}
        </p>
      ))}
    </details>
  );
}

/** The lecture's number, what ours is, and ours. */
function Numbers({ claim }: { claim: Claim }) {
  const { texts, computed, lecture_number } = claim;
  return (
    <>
      {claim.lecture !== null && (
        <span class="numbers">
          <Given says={GIVES[lecture_number?.origin ?? "said"]} text={texts.lecture} />
        </span>
      )}
      {(claim.ours_lecture_mode !== null || claim.ours_careful !== null) && (
        <span class="numbers">
          {computed && <span class="computed">computed: {computed}</span>}
          {claim.ours_lecture_mode !== null && <Given says="from his inputs" text={texts.ours_lecture_mode} />}
          {claim.ours_careful !== null && <Given says={claim.contrast ? "beside it" : "careful"} text={texts.ours_careful} />}
        </span>
      )}
    </>
  );
}

function Given({ says, text }: { says: string; text: string }) {
  return (
    <span>
      {says} <b>{text}</b>
    </span>
  );
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
