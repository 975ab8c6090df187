// The ledger's rows on a board, as notes in the margin: the claim and its verdict in a line; the rest on opening.

import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

import type { Claim } from "../documents";
import { saysHere } from "../state/modes";
import { hasMargin } from "../state/narrow";
import { address, answer, isAsked, pointed, spoken, step, view } from "../state/store";
import { marksOf } from "./pointed";
import { VerdictLine } from "./VerdictLine";
import { IN_ORDER, MEANINGS, OUTCOMES, WORDS } from "./verdict";

/** So many notes stand open; of more, those that come out as he says wait below. */
const MOST_OPEN = 6;
/** So many of a step, above what turns its picture. */
const MOST_OF_STEP = 2;

/** All of a board, the worst first, but for the one that is asked for; on the walk those of the step alone, in its order. */
export function Claims({ claims }: { claims: Claim[] }) {
  const now = step.value;
  const asked = address.value.claim;
  const sorted = claims
    .map((claim, place) => ({ claim, rank: claim.id === asked ? -1 : rank(claim), place }))
    .sort((one, other) => one.rank - other.rank || one.place - other.place)
    .map(({ claim }) => claim);
  const wanted = now ? sorted.filter(({ id }) => now.claims.includes(id)) : sorted;
  const worst = wanted.slice(0, now ? (hasMargin.value ? MOST_OF_STEP : undefined) : open(claims));
  const first = now ? claims.filter((claim) => worst.includes(claim)) : worst;
  const others = wanted.slice(worst.length);
  const failing = claims.filter((claim) => OUTCOMES[claim.verdict] === "fails").length;
  useEffect(
    () => () => {
      pointed.value = [];
    },
    [claims],
  );
  // Beside a question no claim gives the answer away.
  if (isAsked.value)
    return (
      <section id="claims" class="later" aria-label="What the lecture says">
        <p>What he says here: after your guess.</p>
      </section>
    );
  return (
    <section id="claims" aria-label="What the lecture says">
      <h2>
        {now && first.length ? saysHere() : "What the lecture says"}
        {!now && failing > 0 && (
          <small>
            {" "}
            {failing} of {claims.length} {failing > 1 ? "do" : "does"} not reproduce
          </small>
        )}
      </h2>
      {first.map((claim) => (
        <Note key={claim.id} claim={claim} />
      ))}
      {others.length > 0 && (
        <details class="others" open={others.some(({ id }) => id === address.value.claim)}>
          <summary>{now ? `${others.length} more` : told(others)}</summary>
          {others.map((claim) => (
            <Note key={claim.id} claim={claim} />
          ))}
        </details>
      )}
    </section>
  );
}

function rank({ verdict }: Claim): number {
  return IN_ORDER.indexOf(OUTCOMES[verdict]);
}

/** How many stand open: all that do not just hold, and as many others as there is room for. */
function open(claims: readonly Claim[]): number {
  const most = Math.max(MOST_OPEN, claims.filter((claim) => rank(claim) < IN_ORDER.indexOf("holds")).length);
  // A fold for one is as high as what it hides.
  return claims.length <= most + 1 ? claims.length : most;
}

/** What waits below: "3 more hold, 2 are not computed". */
function told(claims: readonly Claim[]): string {
  const holding = claims.filter((claim) => OUTCOMES[claim.verdict] === "holds").length;
  const rest = claims.length - holding;
  const parts = [
    holding && `${holding} more ${holding > 1 ? "hold" : "holds"}`,
    rest && `${rest} ${holding ? "" : "more "}${rest > 1 ? "are" : "is"} not computed`,
  ];
  return parts.filter(Boolean).join(", ");
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
  const point = () => {
    pointed.value = marksOf(claim, answer.value?.views[view.value], answer.value?.modes ?? []);
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
        <span class="claimed">{claim.claim}</span>
        <VerdictLine note={claim.note} outcome={outcome} />
      </summary>
      <InFull claim={claim} />
      <p class="why">
        <b>{claim.id}</b>{" "}
        {claim.time_stamp && (
          <a href={claim.link} target="_blank" rel="noopener noreferrer">
            {claim.time_stamp}
          </a>
        )}{" "}
        <span class={`verdict ${outcome}`}>{WORDS[outcome]}</span>: {MEANINGS[outcome]}. {spoken(claim.why)}
      </p>
      {claim.lecture_number?.hedge && <p class="why">Caveat: {claim.lecture_number.hedge}</p>}
      {claim.bridge.length > 1 && <Bridge claim={claim} />}
      {claim.ambiguities.map(({ number, text }) => (
        <p class="why" key={number}>
          Left open: {text}
        </p>
      ))}
    </details>
  );
}

/** Each number with whose it is, and of what. */
function InFull({ claim }: { claim: Claim }) {
  const { texts, note, computed, lecture, ours_lecture_mode, ours_careful, careful_of, contrast } = claim;
  return (
    <dl class="in-full">
      {lecture !== null && <Row says={note.his_by} text={texts.lecture} />}
      {ours_lecture_mode !== null && (
        <Row says="ours, from his own inputs" text={texts.ours_lecture_mode}>
          {computed}
        </Row>
      )}
      {ours_careful !== null && (
        <Row
          says={contrast ? "for comparison" : note.published ? "published" : "ours, from published numbers"}
          text={texts.ours_careful}
        >
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
