// What is seen, taken along: as a link, a picture, numbers, a command.

import type { Board, Views } from "../documents";
import { Refusal } from "../source/source";
import { type Address, command, write } from "../state/address";
import { droppedFiles } from "../state/dropped";
import { MODE_WORDS } from "../state/modes";
import { format } from "../state/quantity";
import { address, answer, boardFor, onScreen, problem, said, turnedIn } from "../state/store";
import { csv, png, save, sheetOf, svgText } from "./files";

export function Take({ board, found }: { board: Board; found: Views }) {
  const commands = found.modes.map((mode) =>
    command(
      { board: board.name, model: fileOf(address.value.model), machine: address.value.machine, turned: turnedIn(mode) },
      mode,
    ),
  );
  const picture = () => {
    if (!onScreen.value) throw new Refusal("", "There is no picture to save yet");
    const modes =
      found.modes.length === 2
        ? "his numbers dashed, sourced ones solid"
        : `${MODE_WORDS[found.modes[0] ?? "lecture"]} numbers`;
    const of = board.takes_facts
      ? `${fileOf(address.value.model) || board.model} on ${address.value.machine || board.machine}; `
      : "";
    return sheetOf(onScreen.value.picture(), board, [of + modes, ...commands]);
  };
  const acts: Record<string, () => void | Promise<void>> = {
    "Copy link": async () => copy(write(await withoutFile(board))),
    SVG: async () => save(new Blob([await svgText(picture())], { type: "image/svg+xml" }), `${board.name}.svg`),
    PNG: async () => save(await png(picture()), `${board.name}.png`),
    CSV: () => save(new Blob([csv(board, found)], { type: "text/csv" }), `${board.name}.csv`),
    "Copy command": () => copy(commands.join("\n")),
  };
  return (
    <section id="export" aria-label="Share and save">
      <h2>Share and save</h2>
      <div class="row">
        {Object.entries(acts).map(([name, act]) => (
          <button key={name} type="button" onClick={() => void attempt(act)}>
            {name}
          </button>
        ))}
      </div>
      <p class="unseen" id="command-says">
        The same numbers in a terminal
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a long command is scrolled by keys, too */}
      {/* biome-ignore lint/a11y/useSemanticElements: a command is no set of fields */}
      <pre id="command" role="group" aria-labelledby="command-says" tabIndex={0}>
        {commands.join("\n")}
      </pre>
    </section>
  );
}

export async function attempt(act: () => void | Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    problem.value = Refusal.from(error);
  }
}

export async function copy(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  said.value = "Copied";
}

function fileOf(model: string): string {
  return droppedFiles.value.get(model) ?? model;
}

/** An address that needs no file: what a dropped configuration says of the controls is turned to. */
async function withoutFile(board: Board): Promise<Address> {
  const now = address.value;
  if (!droppedFiles.value.has(now.model)) return now;
  const usual = await boardFor(board.name, now.machine ? { machine: now.machine } : {});
  const own: Record<string, string> = {};
  board.controls.forEach((control, place) => {
    if (control.careful !== null && control.careful !== usual.controls[place]?.careful)
      own[control.name] = format(control.careful, control.dimension, 6);
  });
  const given = Object.entries(now.turned).map(([name, text]) => {
    const control = board.controls.find((one) => one.name === name);
    const value = answer.value?.controls.careful?.[name];
    // What is so many times a number of the file's is written out.
    const isTimes = /[x×]$/.test(text) && control && value !== undefined;
    return [name, isTimes ? format(value, control.dimension, 6) : text];
  });
  return { ...now, shown: "careful", model: "", turned: { ...own, ...Object.fromEntries(given) } };
}
