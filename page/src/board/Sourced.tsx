// What is fetched after the first view: the cards of numbers, and lists of sources.

import type { Board, Cite } from "../documents";
import { groundOf, sourcesOf } from "../state/cited";
import { turnedBy } from "../state/modes";
import { recordingAt } from "../state/recording";
import { answer, board as on, sources } from "../state/signals";
import { cardName } from "./Cited";

export { groundOf };

/** The cards of a board's numbers, in the modes that are shown. */
export function SourceCards() {
  const board = on.value;
  return (
    <>
      {board?.controls.flatMap((control) =>
        answer.value?.modes.map((mode) => {
          const ground = groundOf(board, control, mode);
          const at =
            mode === "lecture" && (turnedBy(control.name, mode) ?? { time_stamp: control.lecture_time_stamp }).time_stamp;
          return (
            ground && (
              <div
                id={`word-${cardName(control, mode)}`}
                class="card-of-word"
                role="dialog"
                aria-label={control.label}
                popover="manual"
              >
                <b>{control.label}</b> {ground.how} {at && <Link title={at} address={recordingAt(at)} />}
                <List cites={ground.cites} />
              </div>
            )
          );
        }),
      )}
    </>
  );
}

function List({ cites }: { cites: readonly Cite[] }) {
  return (
    <>
      {cites.map((cite) => (
        <p class="cite" key={cite.source}>
          <Source {...cite} />
          {cite.said && `: ${cite.said}`}
        </p>
      ))}
    </>
  );
}

function Source({ source }: Cite) {
  const found = sources.value?.sources[source];
  return found ? <Link {...found} /> : null;
}

/** Elsewhere, in a tab of its own; nothing but an address of the web is one. */
function Link({ title, address: to }: { title: string; address: string }) {
  if (!to.startsWith("https:")) return <>{title}</>;
  return (
    <a href={to} target="_blank" rel="noopener noreferrer">
      {title}
    </a>
  );
}

/** What a board's numbers rest on; of none in particular all that there is. */
export function SourceList({ board }: { board?: Board }) {
  const all = sources.value?.sources.map((_, source) => ({ source, said: "" })) ?? [];
  return (
    <details class="letters">
      <summary>Sources</summary>
      <p class="cite">
        <Link title="Dwarkesh Patel with Reiner Pope, 29 April 2026" address={recordingAt(board?.time_stamp || "0:00:00")} />
      </p>
      <List cites={board ? sourcesOf(board) : all} />
    </details>
  );
}

/** Of the first view, in a line: what its price is, what others ask, and where the rest is from. */
export function SourceLine() {
  const { first = [], sources: all = [] } = sources.value ?? {};
  return (
    <>
      {first.map(({ source, said }) => {
        const { title = "", address = "" } = all[source] ?? {};
        return [said, <Link title={title.replace(/[,:(].*/, "")} address={address} />];
      })}
      . Lecture: <Link title="recording" address={recordingAt("0:00:00")} />.
    </>
  );
}
