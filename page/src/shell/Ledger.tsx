// All claims of the lecture in one table: his number, ours, what became of it, where it is drawn and when he says it.

import { useMemo, useState } from "preact/hooks";

import { counted, IN_ORDER, MEANINGS, OUTCOMES, type Outcome, WORDS } from "../board/verdict";
import type { LedgerClaim } from "../documents";
import { address, ledger, shelf, visit, visitLedger } from "../state/store";
import { PageLink } from "./PageLink";

type Column = "moment" | "off" | "verdict" | "board";
const COLUMNS: Record<Column, string> = { moment: "moment", off: "ours ÷ his", verdict: "verdict", board: "board" };
type Row = LedgerClaim & { outcome: Outcome; title: string; place: number };

export function Ledger() {
  const claims = ledger.value?.claims ?? [];
  const [sought, seek] = useState("");
  const [sorted, sort] = useState<{ by: Column; isDown: boolean }>({ by: "moment", isDown: false });
  const rows = useMemo(() => claims.map(rowOf), [claims, shelf.value]);
  const asked = address.value.claims;
  const outcome = IN_ORDER.find((one) => one === asked);
  const words = sought.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = rows
    .filter((row) => (!outcome || row.outcome === outcome) && words.every((word) => wordsOf(row).includes(word)))
    .sort(
      (one, other) => (sorted.isDown ? -1 : 1) * (KEYS[sorted.by](one) - KEYS[sorted.by](other)) || one.place - other.place,
    );
  const counts = counted(claims);
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
        Every claim of the lecture that can be checked: his number, and ours from his own inputs. Open one for the steps
        between.
      </p>
      <div class="filters">
        <fieldset>
          <legend class="unseen">Which claims</legend>
          <Filter name="all" count={claims.length} isChosen={!outcome} />
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
          {shown.length} {shown.length === 1 ? "claim" : "claims"}
        </p>
      </div>
      <table>
        <caption class="unseen">Claims of the lecture</caption>
        <thead>
          <tr>
            {head("verdict")}
            <th scope="col">claim</th>
            <th scope="col" class="number">
              he
            </th>
            <th scope="col" class="number">
              ours
            </th>
            {head("off")}
            {head("board")}
            {head("moment")}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <Claim key={row.id} row={row} />
          ))}
        </tbody>
      </table>
      {ledger.value && !shown.length && (
        <p class="none">No claim has these words; search for fewer, or choose another verdict.</p>
      )}
    </main>
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
    </th>
  );
}

function Claim({ row }: { row: Row }) {
  const { id, claim, outcome, lecture, ours, ratio, board, title, link, time_stamp } = row;
  const moment = (
    <a href={link} target="_blank" rel="noopener noreferrer">
      {time_stamp}
    </a>
  );
  return (
    <tr>
      <td class={`verdict ${outcome}`}>
        <i class={`dot ${outcome}`} /> <span>{WORDS[outcome]}</span>
      </td>
      <td class="claimed">
        <PageLink to={`?board=${board}&claim=${id}`} go={() => visit(board, id)}>
          {claim}
        </PageLink>
        <small class="under">
          {title} · {moment}
        </small>
      </td>
      <td class="number">{written(lecture)}</td>
      <td class="number">{written(ours)}</td>
      <td class="number off">{ratio === null ? "" : factor(ratio)}</td>
      <td class="board">
        <PageLink to={`?board=${board}`} go={() => visit(board)}>
          {title}
        </PageLink>
      </td>
      <td class="moment">{moment}</td>
    </tr>
  );
}

function rowOf(claim: LedgerClaim): Row {
  const place = shelf.value?.boards.findIndex(({ name }) => name === claim.board) ?? -1;
  return { ...claim, outcome: OUTCOMES[claim.verdict], title: shelf.value?.boards[place]?.title ?? claim.board, place };
}

/** What rows are sorted by; of equal ones the earlier is first. */
const KEYS: Record<Column, (row: Row) => number> = {
  moment: ({ seconds }) => seconds,
  off: ({ ratio }) => (ratio !== null && ratio > 0 ? Math.abs(Math.log(ratio)) : -1),
  verdict: ({ outcome }) => IN_ORDER.indexOf(outcome),
  board: ({ place }) => place,
};

function wordsOf({ id, claim, title, why, time_stamp, lecture, ours }: Row): string {
  return [id, claim, title, why, time_stamp, lecture, ours].join(" ").toLowerCase();
}

function written(text: string): string {
  return text === "-" ? "" : text;
}

const DIGITS = 3;

/** How many times as much, or as little: "2.27×", "1/57". */
function factor(ratio: number): string {
  const number = (value: number) => Number(value.toPrecision(DIGITS)).toLocaleString("en-US");
  return Math.abs(ratio) < 0.5 ? `1/${number(1 / ratio)}` : `${number(ratio)}×`;
}
