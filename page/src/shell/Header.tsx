// The lecture's time line: chapters, a dot for each claim that does not reproduce, and where one is.

import { useState } from "preact/hooks";

import { counted, IN_ORDER, MEANINGS, meaningOf, OUTCOMES, WORDS } from "../board/verdict";
import type { ShelfChapter, ShelfClaim } from "../documents";
import { HOME, stepQuery } from "../state/address";
import { isNarrow } from "../state/narrow";
import { board, go, ledger, screen, shelf, step, visit, visitLedger, visitShelf, walkTo, whereabouts } from "../state/store";
import { PageLink } from "./PageLink";
import { type Spot, seconds, stacked } from "./spots";
import { isDark, otherTheme } from "./theme";

export function Header() {
  return (
    <header>
      <PageLink class="mark" to="./" go={() => go(HOME)}>
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="M1 10h6l8-7" />
        </svg>
        Ridgeline
      </PageLink>
      <TimeLine />
      <AllClaims />
      <Boards />
      <button id="theme" type="button" aria-label="Switch between light and dark" onClick={otherTheme}>
        {isDark.value ? "☀" : "☾"}
      </button>
    </header>
  );
}

function TimeLine() {
  // Without the recording's length nothing has a place on its line.
  const { claims = [], chapters = [], end_s = 1 } = shelf.value ?? {};
  const starts = chapters.map(({ time_stamp }) => seconds(time_stamp));
  const now = step.value?.time_stamp ?? (whereabouts.value.board ? board.value?.time_stamp : "");
  const [told, tell] = useState<ShelfClaim | null>(null);
  // Who has gone to one looks at what is there, and not at its card: until the pointer has left.
  const [isGone, leave] = useState(false);
  const visited = ({ board: name, id }: ShelfClaim) => {
    leave(true);
    tell(null);
    visit(name, id);
  };
  // Their words and numbers come after the first picture.
  const wordy = new Map(ledger.value?.claims.map((claim) => [claim.id, claim]));
  const words = told && wordy.get(told.id);
  // Of all dots keys stop at one, and arrows lead from it to the others.
  const [stop, stopAt] = useState(0);
  // What does not reproduce, on every page alike: the others are on the page of claims.
  const failing = claims.filter(({ verdict }) => OUTCOMES[verdict] === "fails");
  const spots = stacked(failing, end_s);
  const walked = (event: KeyboardEvent) => {
    const dots = [...(event.currentTarget as Element).querySelectorAll("a")];
    const next = { ArrowRight: stop + 1, ArrowLeft: stop - 1, Home: 0, End: dots.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    dots[next]?.focus();
  };
  return (
    <nav id="timeline" aria-label="The lecture">
      <ol class="chapters">
        {chapters.map((chapter, which) => {
          const from = starts[which] ?? 0;
          const to = starts[which + 1] ?? end_s;
          return (
            <li
              key={chapter.name}
              style={{ "--from": from / end_s, "--to": to / end_s }}
              class={isIn(now, from, to) ? "here" : ""}
            >
              <ChapterLink chapter={chapter} />
            </li>
          );
        })}
      </ol>
      <ul
        aria-label="Claims that do not reproduce"
        class={told ? "dots near" : "dots"}
        onPointerMove={(event) => !isGone && tell(nearest(event, spots, end_s))}
        onPointerLeave={() => {
          leave(false);
          tell(null);
        }}
        onClick={(event) => {
          // What is told is what is opened: a click may be half a pixel from the last move.
          const near = event.target === event.currentTarget && (told ?? nearest(event, spots, end_s));
          if (near) visited(near);
        }}
        onFocusOut={() => tell(null)}
        onKeyDown={walked}
      >
        {spots.map(({ claim, level }, which) => (
          <li key={claim.id} style={{ "--at": claim.seconds / end_s, "--level": level }}>
            <PageLink
              class={`dot ${OUTCOMES[claim.verdict]}`}
              to={`?board=${claim.board}&claim=${claim.id}`}
              go={() => visited(claim)}
              tabIndex={!isNarrow.value && which === Math.min(stop, spots.length - 1) ? 0 : -1}
              onFocus={() => {
                stopAt(which);
                if (!isGone) tell(claim);
              }}
            >
              <span class="unseen">
                {claim.id}, {WORDS[OUTCOMES[claim.verdict]]}: {wordy.get(claim.id)?.claim}
              </span>
            </PageLink>
          </li>
        ))}
      </ul>
      {now && shelf.value && <i class="now" style={{ "--at": seconds(now) / end_s }} />}
      {failing.length > 0 && (
        <PageLink class="of-dots" to="?claims=fails" go={() => visitLedger("fails")}>
          <i class="dot fails" /> {failing.length}
          <span> claims do not reproduce</span>
        </PageLink>
      )}
      {told && (
        <p class="told" style={{ "--at": told.seconds / end_s }}>
          <b>{words?.time_stamp}</b> {words?.claim}{" "}
          {words && (
            <>
              <i class={`verdict ${OUTCOMES[told.verdict]}`}>{words.note.word}</i>
              {words.note.line.join("")}
            </>
          )}
          <small>
            <i class={`dot ${OUTCOMES[told.verdict]}`} /> {meaningOf(told)}
          </small>
        </p>
      )}
    </nav>
  );
}

/** The way to all claims, and what the colours of their dots mean. */
function AllClaims() {
  const claims = shelf.value?.claims ?? [];
  const counts = counted(claims);
  // Who has gone there looks at what is there, and not at the key that his hand is still over.
  const [isGone, leave] = useState(false);
  return (
    <div class={isGone ? "all-claims gone" : "all-claims"} onPointerLeave={() => leave(false)} onFocusOut={() => leave(false)}>
      <PageLink
        class="pill"
        to="?claims=all"
        go={() => {
          leave(true);
          visitLedger("all");
        }}
        aria-current={screen.value === "ledger" ? "page" : undefined}
        aria-describedby="key"
      >
        Claims
      </PageLink>
      <dl id="key" class="key">
        {IN_ORDER.map((one) => (
          <div key={one}>
            <dt>
              <i class={`dot ${one}`} /> {claims.length > 0 && <b>{counts[one]}</b>} {WORDS[one]}
            </dt>
            <dd>{MEANINGS[one]}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** The chapter on the walk. */
export function ChapterLink({ chapter }: { chapter: ShelfChapter }) {
  const first = firstStep(chapter.name);
  return (
    <PageLink to={stepQuery(first)} go={() => walkTo(first)} title={`${chapter.title} (${chapter.time_stamp})`}>
      {chapter.label}
    </PageLink>
  );
}

function firstStep(chapter: string): number {
  const chapters = shelf.value?.chapters ?? [];
  const before = chapters.slice(
    0,
    chapters.findIndex(({ name }) => name === chapter),
  );
  return 1 + before.reduce((sum, { steps }) => sum + steps, 0);
}

/** The way to all boards. */
function Boards() {
  return (
    <PageLink
      id="boards"
      class="pill"
      to="?boards=all"
      go={visitShelf}
      aria-current={screen.value === "shelf" ? "page" : undefined}
    >
      Boards
    </PageLink>
  );
}

function isIn(timeStamp: string | undefined, from: number, to: number): boolean {
  if (!timeStamp) return false;
  const at = seconds(timeStamp);
  return at >= from && at < to;
}

/** Pixels between levels, and how far from a dot a hand is still on it. */
const LEVEL = 6.7;
const REACH = 16;

/** The claim whose dot is next to a hand, if any is near. */
function nearest(event: MouseEvent, spots: Spot[], end: number): ShelfClaim | null {
  const { left, bottom, width } = (event.currentTarget as Element).getBoundingClientRect();
  const away = ({ claim, level }: Spot) =>
    Math.hypot(event.clientX - left - (width * claim.seconds) / end, bottom - event.clientY - LEVEL * (level + 0.5));
  let found: { claim: ShelfClaim; away: number } | null = null;
  for (const spot of spots) {
    const distance = away(spot);
    if (distance < (found?.away ?? REACH)) found = { claim: spot.claim, away: distance };
  }
  return found?.claim ?? null;
}
