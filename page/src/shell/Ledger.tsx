// All claims of the lecture in one table: what became of each in a line, how far ours lies from his, and where it is
// drawn; on a phone folded, one under another.

import { useMemo, useState } from "preact/hooks";
import { VerdictLine } from "../board/VerdictLine";
import { contradicting, counted, IN_ORDER, MEANINGS, OUTCOMES, type Outcome, WORDS } from "../board/verdict";
import { clamp } from "../chart/numbers";
import type { LedgerClaim } from "../documents";
import { isNarrow } from "../state/narrow";
import { recordingAt } from "../state/recording";
import { address, ledger, shelf, spoken, visit, visitLedger } from "../state/store";
import { PageLink } from "./PageLink";

type Column = "moment" | "off" | "verdict" | "board";
const COLUMNS: Record<Column, string> = { verdict: "verdict", off: "ours ÷ his", board: "board", moment: "moment" };
type Row = LedgerClaim & { outcome: Outcome; title: string; place: number };

export function Ledger() {
  const claims = ledger.value?.claims ?? [];
  // What became of each is written; the numbers are computed.
  const all = shelf.value?.claims ?? [];
  const [sought, seek] = useState("");
  const [sorted, sort] = useState<{ by: Column; isDown: boolean }>({ by: "verdict", isDown: false });
  const rows = useMemo(() => claims.map(rowOf), [claims, shelf.value]);
  const asked = address.value.claims;
  const outcome = IN_ORDER.find((one) => one === asked);
  const words = sought.toLowerCase().split(/\s+/).filter(Boolean);
  const matching = rows.filter((row) => words.every((word) => wordsOf(row).includes(word)));
  const shown = matching
    .filter((row) => !outcome || row.outcome === outcome)
    .sort((one, other) => (sorted.isDown ? -1 : 1) * (KEYS[sorted.by](one) - KEYS[sorted.by](other)) || behind(one, other));
  const counts = counted(all);
  const published = claims.filter(({ note }) => note.published).length;
  // What lies farthest off is looked for first.
  const sortBy = (by: Column) => sort({ by, isDown: by === "off" });
  const head = (by: Column) => (
    <Head
      name={COLUMNS[by]}
      column={by}
      turned={sorted.by === by ? (sorted.isDown ? "descending" : "ascending") : "none"}
      turn={() => (sorted.by === by ? sort({ by, isDown: !sorted.isDown }) : sortBy(by))}
    />
  );
  return (
    <main id="ledger" tabIndex={-1}>
      <h1>What he says, recomputed</h1>
      <p class="what">
        {all.length > 0 && (
          <>
            Of {all.length} claims of the lecture {all.length - counts.open} are recomputed, from his own inputs where he gives
            them. <b class="fails">{counts.fails} do not reproduce</b>: {contradicting(all)}. {counts.depends} need something
            that he leaves unsaid.{" "}
            <PageLink to="?claims=open" go={() => visitLedger("open")}>
              {counts.open} are not computed
            </PageLink>
            : they are prices, practices, rumours and judgements, which no equation gives
            {published > 0 && `; beside ${published} of them stands a sourced number`}.
          </>
        )}
      </p>
      <Bar counts={counts} chosen={outcome} />
      <div class="filters">
        <fieldset>
          <legend class="unseen">Which claims</legend>
          <Filter name="all" count={all.length} isChosen={!outcome} />
          {IN_ORDER.map((one) => (
            <Filter key={one} name={one} count={counts[one]} isChosen={one === outcome} />
          ))}
        </fieldset>
        <label>
          <span class="unseen">Search the claims</span>
          <input type="search" placeholder="search" value={sought} onInput={({ currentTarget }) => seek(currentTarget.value)} />
        </label>
        <label class="sorting">
          sort by{" "}
          <select value={sorted.by} onChange={({ currentTarget }) => sortBy(currentTarget.value as Column)}>
            {(Object.keys(COLUMNS) as Column[]).map((by) => (
              <option key={by} value={by}>
                {COLUMNS[by]}
              </option>
            ))}
          </select>
        </label>
        <p class="count" aria-live="polite">
          {ledger.value && `${shown.length} ${shown.length === 1 ? "claim" : "claims"}`}
          {words.length > 0 && matching.length > shown.length && (
            <>
              {", "}
              <PageLink to="?claims=all" go={() => visitLedger("all")}>
                {matching.length} in all
              </PageLink>
            </>
          )}
        </p>
      </div>
      <table>
        <caption class="unseen">Claims of the lecture</caption>
        {!isNarrow.value && (
          <thead>
            <tr>
              {head("verdict")}
              <th scope="col">claim</th>
              {head("off")}
              {head("board")}
              {head("moment")}
            </tr>
          </thead>
        )}
        <tbody>
          {shown.map((row) => (
            <Claim key={row.id} row={row} />
          ))}
        </tbody>
      </table>
      {!ledger.value && (
        <p class="none" role="status">
          Recomputing his claims …
        </p>
      )}
      {ledger.value && !shown.length && (
        <p class="none">No claim here has these words; search for fewer, or choose another verdict.</p>
      )}
    </main>
  );
}

/** All claims side by side, as wide as there are of each verdict. */
function Bar({ counts, chosen }: { counts: Record<Outcome, number>; chosen: Outcome | undefined }) {
  return (
    <div class="shares" aria-hidden="true">
      {IN_ORDER.filter((one) => counts[one] > 0).map((one) => (
        <i key={one} class={`${one} ${chosen && chosen !== one ? "aside" : ""}`} style={{ flexGrow: counts[one] }} />
      ))}
    </div>
  );
}

function Filter({ name, count, isChosen }: { name: Outcome | "all"; count: number; isChosen: boolean }) {
  const means = name === "all" ? undefined : MEANINGS[name];
  return (
    <label data-means={means}>
      <input
        type="radio"
        name="outcome"
        value={name}
        checked={isChosen}
        aria-description={means}
        onChange={() => visitLedger(name)}
      />
      <span>
        {name !== "all" && <i class={`dot ${name}`} />} {name === "all" ? "all" : WORDS[name]} <b>{count}</b>
      </span>
    </label>
  );
}

interface HeadProps {
  name: string;
  column: Column;
  turned: "ascending" | "descending" | "none";
  turn: () => void;
}

/** A column that rows are sorted by. */
function Head({ name, column, turned, turn }: HeadProps) {
  return (
    <th scope="col" aria-sort={turned} class={column}>
      <button type="button" onClick={turn}>
        {name} <span aria-hidden="true">{{ ascending: "↑", descending: "↓", none: "↕" }[turned]}</span>
      </button>
      {column === "off" && (
        <span class="scale" aria-hidden="true">
          <i>1/{10 ** DECADES}</i>
          <i>1</i>
          <i>{10 ** DECADES}×</i>
        </span>
      )}
    </th>
  );
}

function Claim({ row }: { row: Row }) {
  const { id, claim, outcome, note, why, board, title, time_stamp } = row;
  const to = { to: `?board=${board}&claim=${id}`, go: () => visit(board, id) };
  const moment = (
    <a href={recordingAt(time_stamp)} target="_blank" rel="noopener noreferrer">
      {time_stamp}
    </a>
  );
  if (isNarrow.value)
    return (
      <tr class={outcome}>
        <td class="claimed">
          <details class="claim">
            <summary>
              <span class="claimed">{claim}</span>
              <VerdictLine note={note} of={row} />
            </summary>
            <p class="why">{spoken(why)}</p>
            <p class="why">
              <PageLink {...to}>{title}</PageLink> · {moment}
            </p>
          </details>
        </td>
      </tr>
    );
  return (
    <tr class={outcome}>
      <td class={`verdict ${outcome}`}>{WORDS[outcome]}</td>
      <td class="claimed">
        <PageLink {...to}>{claim}</PageLink>
        <VerdictLine note={note} of={row} />
        {outcome === "fails" && <small class="why">{spoken(why)}</small>}
        <small class="under">
          {title} · {moment}
        </small>
      </td>
      <td class="off">
        <Off row={row} />
      </td>
      <td class="board">
        <PageLink to={`?board=${board}`} go={() => visit(board)}>
          {title}
        </PageLink>
      </td>
      <td class="moment">{moment}</td>
    </tr>
  );
}

/** A strip ends at a hundred times as much and at a hundredth. */
const DECADES = 2;

const farness = (ratio = 0) => (ratio > 0 ? Math.abs(Math.log(ratio)) : -1);

/** How far ours lies from his at the most, along a strip with his in its middle; and in digits. */
function Off({ row: { ratios, outcome } }: { row: Row }) {
  const ratio = ratios.at(-1);
  if (ratio === undefined) return null;
  const decades = ratio > 0 ? Math.log10(ratio) : -DECADES;
  return (
    <>
      <span class={`strip ${outcome}`} style={{ "--to": clamp(0.5 + decades / (2 * DECADES)) }} />
      <span class="factor">{ratios.map(factor).join(" to ")}</span>
    </>
  );
}

function rowOf(claim: LedgerClaim): Row {
  const place = shelf.value?.boards.findIndex(({ name }) => name === claim.board) ?? -1;
  return { ...claim, outcome: OUTCOMES[claim.verdict], title: shelf.value?.boards[place]?.title ?? claim.board, place };
}

/** What rows are sorted by. */
const KEYS: Record<Column, (row: Row) => number> = {
  moment: ({ seconds }) => seconds,
  off: ({ ratios }) => farness(ratios.at(-1)),
  verdict: ({ outcome }) => IN_ORDER.indexOf(outcome),
  board: ({ place }) => place,
};

/** Of rows that are alike, first what lies farther off, then what comes earlier. */
function behind(one: Row, other: Row): number {
  return KEYS.off(other) - KEYS.off(one) || one.seconds - other.seconds;
}

function wordsOf({ id, claim, title, why, time_stamp, note }: Row): string {
  return [id, claim, title, why, time_stamp, note.word, note.line.join("")].join(" ").toLowerCase();
}

const DIGITS = 3;

/** How many times as much, or as little: "2.27×", "1/57". */
function factor(ratio: number): string {
  const number = (value: number) => Number(value.toPrecision(DIGITS)).toLocaleString("en-US");
  return Math.abs(ratio) < 0.5 ? `1/${number(1 / ratio)}` : `${number(ratio)}×`;
}
