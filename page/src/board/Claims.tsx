// The ledger's rows on a board, as notes in the margin: the lecture's number and ours on one line, the rest on opening.

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

import type { Claim } from "../documents";
import { address, answer, isRevealed, pointed, spoken, step, view } from "../state/store";
import { GIVES } from "./gives";
import { marksOf } from "./pointed";
import { MEANINGS, OUTCOMES, WORDS } from "./verdict";

/** All of a board, the one that is asked for first; on the walk those of the step, and the others on demand. */
export function Claims({ claims }: { claims: Claim[] }) {
  const now = step.value;
  const asked = address.value.claim;
  const first = now
    ? claims.filter(({ id }) => now.claims.includes(id))
    : [...claims].sort((one, other) => Number(other.id === asked) - Number(one.id === asked));
  const others = claims.filter((claim) => !first.includes(claim));
  useEffect(
    () => () => {
      pointed.value = [];
    },
    [claims],
  );
  return (
    <section id="claims" aria-label="What the lecture says">
      <h2>{now ? "What he says here" : "What the lecture says"}</h2>
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
  // Beside a question no number gives the answer away.
  const isAnswered = !step.value?.question || isRevealed.value;
  const outcome = OUTCOMES[claim.verdict];
  const point = () => {
    pointed.value = isAnswered ? marksOf(claim, answer.value?.views[view.value], answer.value?.modes ?? []) : [];
  };
  const leave = () => {
    pointed.value = [];
  };
  return (
    <details
      class={isLit ? "claim lit" : "claim"}
      id={`claim-${claim.id}`}
      ref={note}
      onPointerEnter={point}
      onPointerLeave={leave}
      onFocusIn={point}
      onFocusOut={leave}
    >
      <summary>
        <span class="line">
          <i class={isAnswered ? `dot ${outcome}` : "dot"} />
          {isAnswered && (
            <>
              <Numbers claim={claim} />
              <span class={`verdict ${outcome}`} title={MEANINGS[outcome]}>
                {WORDS[outcome]}
              </span>
            </>
          )}
        </span>
        <span class="claimed">{claim.claim}</span>
      </summary>
      {isAnswered && <InFull claim={claim} />}
      <p class="why">
        <b>{claim.id}</b>{" "}
        {claim.time_stamp && (
          <a href={claim.link} target="_blank" rel="noopener noreferrer">
            {claim.time_stamp}
          </a>
        )}{" "}
        <span class={`verdict ${outcome}`}>{WORDS[outcome]}</span>: {MEANINGS[outcome]}. {spoken(claim.why)}
      </p>
      {claim.lecture_number?.hedge && <p class="why">His caveat: {claim.lecture_number.hedge}</p>}
      {claim.bridge.length > 1 && <Bridge claim={claim} />}
      {claim.ambiguities.map(({ number, text }) => (
        <p class="why" key={number}>
          Left open: {text}
        </p>
      ))}
    </details>
  );
}

/** The lecture's number and ours. */
function Numbers({ claim: { texts, lecture, ours_lecture_mode, ours_careful, contrast } }: { claim: Claim }) {
  const ours = ours_lecture_mode !== null ? texts.ours_lecture_mode : null;
  // What is of another case is no number of the claim.
  const published = ours === null && ours_careful !== null && !contrast ? texts.ours_careful : null;
  const found = ours ?? published;
  if (lecture === null && found === null) return null;
  return (
    <span class="numbers">
      {lecture !== null && (
        <>
          he <b>{texts.lecture}</b>
        </>
      )}
      {lecture !== null && found !== null && " → "}
      {found !== null && (
        <>
          {ours !== null ? "ours" : "published"} <b>{found}</b>
        </>
      )}
    </span>
  );
}

/** Each number with whose it is, and of what. */
function InFull({ claim }: { claim: Claim }) {
  const { texts, computed, lecture_number, lecture, ours_lecture_mode, ours_careful, careful_of, contrast } = claim;
  return (
    <dl class="in-full">
      {lecture !== null && <Row says={GIVES[lecture_number?.origin ?? "said"]} text={texts.lecture} />}
      {ours_lecture_mode !== null && (
        <Row says="ours, from his own inputs" text={texts.ours_lecture_mode}>
          {computed}
        </Row>
      )}
      {ours_careful !== null && (
        <Row says={contrast ? "for comparison" : "ours, from published numbers"} text={texts.ours_careful}>
          {spoken(contrast || careful_of)}
        </Row>
      )}
    </dl>
  );
}

/** A number, whose it is, and in small what it is of. */
function Row({ says, text, children }: { says: string; text: string; children?: ComponentChildren }) {
  return (
    <div>
      <dt>
        {says}
        {children && <small>{children}</small>}
      </dt>
      <dd>{text}</dd>
    </div>
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
