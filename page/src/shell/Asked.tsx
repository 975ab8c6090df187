// What the price is of: a sentence in which the model and the machine are chosen, and the batch and the contexts dragged.

import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";

import { partOf, textAt } from "../board/knob";
import type { Board, Control } from "../documents";
import { droppedFiles } from "../state/dropped";
import { format, parsed } from "../state/quantity";
import { address, answer, board, called, go, shelf, turn } from "../state/store";
import { asSold, CHIPS, Rented } from "./Rented";
import { Scrubbed } from "./Scrubbed";

/** The controls that the sentence turns. */
const CONTEXT = "context_tokens";
const RENT = "usd_per_chip_s";

/** Whether a model or a machine was just chosen, whose price is on its way. */
export const isChosen = signal(false);

/** Of another model the chips are other ones, and of another machine their rent. */
function choose(change: { model: string } | { machine: string }): void {
  const { [CHIPS]: _chips, ...kept } = address.value.turned;
  const { [RENT]: _rent, ...others } = kept;
  isChosen.value = true;
  go({ ...change, turned: "machine" in change ? others : kept });
}

export interface Batch {
  /** In whole sequences, of so many at most. */
  count: number;
  most: number;
  /** Of the axis: where it stands, and how far the next sequence is. */
  part: number;
  least: number;
  slide: (part: number, isFinal: boolean) => void;
}

interface AskedOf {
  /** Null where there is none to be chosen: its place is kept. */
  batch: Batch | null;
  /** What comes out, for whoever does not see it. */
  outcome: string;
}

const NO_BATCH: Batch = { count: 1, most: 10_000, part: 0, least: 0, slide: () => undefined };

export function Asked({ batch: given, outcome }: AskedOf) {
  const batch = given ?? NO_BATCH;
  const { models = [], priced_machines = [] } = shelf.value ?? {};
  const { model, machine } = address.value;
  const { model: ownModel = "", machine: ownMachine = "", controls = [], chip_counts: counts = [] } = board.value ?? {};
  const context = controls.find(({ name }) => name === CONTEXT);
  const tokens = context ? standing(context) : null;
  const rent = controls.find(({ name }) => name === RENT);
  const usd = rent ? standing(rent) : null;
  const chips = controls.find(({ name }) => name === CHIPS);
  const count = chips ? standing(chips) : null;
  const said = (text: string) => `${text}: ${outcome}`;
  const sequences = (
    <Scrubbed
      label="sequences that share a step"
      bounds={[1, batch.most]}
      value={batch.count}
      text={said(sharing(batch.count))}
      part={batch.part}
      least={batch.least}
      seek={batch.slide}
    >
      {sharing(batch.count)}
    </Scrubbed>
  );
  const contexts = context && tokens !== null && (
    <Scrubbed
      label={context.label}
      bounds={[context.low, context.high]}
      value={tokens}
      text={said(reading(tokens))}
      part={partOf(context, tokens)}
      seek={(part, isFinal) => turn(CONTEXT, textAt(context, part), isFinal)}
    >
      {reading(tokens)}
    </Scrubbed>
  );
  const rented = rent && usd !== null && (
    <Scrubbed
      label={rent.label}
      bounds={[rent.low, rent.high]}
      value={usd}
      text={said(renting(rent, usd))}
      part={partOf(rent, usd)}
      seek={(part, isFinal) => turn(RENT, textAt(rent, part), isFinal)}
    >
      {renting(rent, usd)}
    </Scrubbed>
  );
  const rentedOn = machine || ownMachine;
  const machines = (
    <Chosen
      label="machine"
      value={rentedOn}
      names={machine && !priced_machines.includes(machine) ? [...priced_machines, machine] : priced_machines}
      choose={(name) => choose({ machine: name })}
    />
  );
  const why = whyOf(context, tokens);
  return (
    <p class="said">
      <span class="of">
        <span class="room" aria-hidden="true">
          per million output tokens of {called(model || ownModel)}▾ on {asSold(counts.at(-1) ?? 1)} {called(rentedOn)}▾
        </span>
        <span>
          per million output tokens of{" "}
          <Chosen
            label="model"
            value={model || ownModel}
            names={[...models, ...droppedFiles.value.keys()]}
            choose={(name) => choose({ model: name })}
          />{" "}
          on{" "}
          {chips && count !== null ? (
            <Rented control={chips} chips={count} said={said} name={called(rentedOn)}>
              {machines}
            </Rented>
          ) : (
            machines
          )}
        </span>
      </span>{" "}
      <span class={given ? "when" : "when missing"}>
        {/* Room for the longest numbers: nothing below moves under a hand. */}
        <span class="room" aria-hidden="true">
          {when(
            whole(sharing(batch.most)),
            context && whole(reading(context.high)),
            rent && whole(renting(rent, rent.high)),
            context?.careful_is,
            batch.most,
          )}
        </span>
        <span>{when(sequences, contexts, rented, why, batch.count)}</span>
      </span>
    </p>
  );
}

/** The whole sentence as plain words, of a board's model and machine at values of its controls. */
export function sentenceOf({ model, machine, controls }: Board, values: Record<string, number>, batch: number) {
  const { [CONTEXT]: tokens = 0, [RENT]: usd = 0, [CHIPS]: chips = 1 } = values;
  const context = controls.find(({ name }) => name === CONTEXT);
  const rent = controls.find(({ name }) => name === RENT);
  const [number, after] = asSold(chips);
  return (
    <>
      per million output tokens of {called(model)} on {number} {called(machine)}
      {after} {when(sharing(batch), reading(tokens), rent && renting(rent, usd), whyOf(context, tokens), batch)}
    </>
  );
}

/** Why the contexts are as long as they are, until somebody turns them. */
function whyOf(context: Control | undefined, tokens: number | null): string | undefined {
  return tokens === context?.careful ? context?.careful_is : undefined;
}

/** The sentence's second half. */
function when(
  sequences: ComponentChildren,
  contexts: ComponentChildren,
  rented: ComponentChildren,
  why: string | undefined,
  batch: number,
): ComponentChildren {
  return (
    <>
      {rented && <>at {rented} </>}
      when {sequences}
      {contexts && <> of {contexts}</>}
      {why && ` (${why})`} {shares(batch)}.
    </>
  );
}

/** Where the hand has it; else where the answer is for. */
function standing({ name, dimension }: Control): number | null {
  const text = address.value.turned[name];
  const given = text === undefined ? null : parsed(text, dimension);
  return given ?? answer.value?.controls[answer.value.modes.at(-1) ?? "lecture"]?.[name] ?? null;
}

/** So many sequences, as a sentence has them. */
export function sharing(batch: number): string {
  return `${batch.toLocaleString("en-US")} ${batch > 1 ? "sequences" : "sequence"}`;
}

/** What they do, in the same sentence. */
function shares(batch: number): string {
  return batch > 1 ? "share each step" : "has each step to itself";
}

const DIGITS = 3;

function reading(tokens: number): string {
  return `${Number(tokens.toPrecision(DIGITS)).toLocaleString("en-US")} ${tokens > 1 ? "tokens" : "token"}`;
}

/** "$4.54 a chip-hour". */
function renting({ dimension }: Control, usd: number): string {
  return `${format(usd, dimension).replace("/h", "")} a chip-hour`;
}

/** Words on one line. */
function whole(words: string): string {
  return words.replaceAll(" ", "\u00a0");
}

interface Choice {
  label: string;
  value: string;
  names: readonly string[];
  choose: (name: string) => void;
}

/** A word of the sentence over which a list lies that nobody sees: it is as wide as what is chosen. */
function Chosen({ label, value, names, choose }: Choice) {
  return (
    <span class="called">
      <span aria-hidden="true">{called(value)}</span>
      <select aria-label={label} value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {names.map((name) => (
          <option key={name} value={name}>
            {called(name)}
          </option>
        ))}
      </select>
    </span>
  );
}
