// Where numbers are from: a card at the number, and a list of sources.

import type { ComponentChildren } from "preact";

import type { Board, Control, Mode } from "../documents";
import { type Cite, citesOf, groundOf, recordingAt, sourcesOf } from "../state/cited";
import { address, answer, board as on, shelf, sources } from "../state/signals";
import { explained } from "./Words";

interface Number {
  board: Board;
  control: Control | undefined;
  mode: Mode | undefined;
  children: ComponentChildren;
}

/** Of a card, by the number that it is of. */
function nameOf({ name }: Control, mode: Mode): string {
  return `${mode}-${name}`;
}

/** What finds the card of a number; nothing where it has none. */
export function cardOf(board: Board, control: Control | undefined, mode: Mode | undefined) {
  return control && mode && groundOf(board, control, mode) ? explained(nameOf(control, mode)) : {};
}

export function Cited({ board, control, mode, children }: Number) {
  const card = cardOf(board, control, mode);
  if (!("data-word" in card)) return <>{children}</>;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a button does not stand in a line as a number does
    <span class="cited" role="button" tabIndex={0} {...card}>
      {children}
    </span>
  );
}

/** The cards of a board's numbers, in the modes that are shown. */
export function SourceCards() {
  const board = on.value;
  const modes = answer.value?.modes ?? [];
  return (
    <>
      {board?.controls.flatMap((control) =>
        modes.map((mode) => {
          const ground = groundOf(board, control, mode);
          const name = nameOf(control, mode);
          return (
            ground && (
              // biome-ignore lint/a11y/useSemanticElements: no set of fields
              <div
                key={name}
                id={`word-${name}`}
                class="card-of-word"
                role="group"
                aria-label={`Source of ${control.label}`}
                popover="manual"
              >
                <b>{control.label}</b> {ground.how}
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
    cites.length > 0 && (
      <ul>
        {cites.map((cite) => (
          <li key={cite.title}>
            <Link {...cite} />
            {cite.said && `: ${cite.said}`}
          </li>
        ))}
      </ul>
    )
  );
}

/** Elsewhere, in a tab of its own; nothing but an address of the web is one. */
function Link({ title, address: to }: { title: string; address: string }) {
  if (!to.startsWith("https://")) return <>{title}</>;
  return (
    <a href={to} target="_blank" rel="noopener noreferrer">
      {title}
    </a>
  );
}

/** What a board's numbers rest on; of none in particular all that there is. */
export function SourceList({ board }: { board?: Board }) {
  if (!sources.value) return null;
  const at = board?.time_stamp ?? "";
  const lecture = {
    title: `Dwarkesh Patel with Reiner Pope, 29 April 2026${at && `, recording at ${at}`}`,
    address: recordingAt(at || "0:00:00"),
    said: "",
  };
  const others = board ? sourcesOf(board) : sources.value.sources.map((one) => ({ ...one, said: "" }));
  return (
    <details class="letters sources-of">
      <summary>Sources</summary>
      <List cites={[lecture, ...others]} />
    </details>
  );
}

/** Of a title, who says it. */
function by(title: string): string {
  return title.split(/[,:(]/)[0]?.trim() ?? title;
}

/** Of the first view, in a line: what its price is, what others ask, and where the rest is from. */
export function SourceLine({ board }: { board: Board }) {
  const { facts = {}, bases = {} } = sources.value ?? {};
  const [model, machine] = [address.value.model || board.model, address.value.machine || board.machine];
  const [own, chip] = [facts[model] ?? {}, facts[machine] ?? {}];
  const prices = "usd_per_chip_s" in address.value.turned ? [] : (chip["rental"] ?? []);
  const rest = {
    Chip: [...(chip["flop_per_s"] ?? []), ...(chip["hbm_bytes"] ?? [])],
    Model: own["config"] ?? [],
    Contexts: "context_tokens" in address.value.turned ? [] : (bases["context_tokens"]?.cites ?? []),
  };
  return (
    <p class="source-line">
      {prices.map((price, place) => {
        const [cite] = citesOf([price]);
        return (
          cite && (
            <span key={price.kind}>
              {place === 0 && "Price: "}
              {price.value} {price.kind}, <Link title={by(cite.title)} address={cite.address} /> {price.date.slice(0, 7)}
              {place < prices.length - 1 ? "; " : ". "}
            </span>
          )
        );
      })}
      {Object.entries(rest).map(
        ([name, all]) =>
          all.length > 0 && (
            <span key={name}>
              {name}:{" "}
              {citesOf(all).map(({ title, address: to }, place) => (
                <span key={title}>
                  {place > 0 && ", "}
                  <Link title={by(title)} address={to} />
                </span>
              ))}
              .{" "}
            </span>
          ),
      )}
      {shelf.value && (
        <>
          Lecture: <Link title="recording" address={recordingAt("0:00:00")} />.
        </>
      )}
    </p>
  );
}
