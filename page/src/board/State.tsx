// What the picture is computed with, in one line: whose numbers, and where those controls stand that no slider shows.

import type { Board, Control, Mode, Views } from "../documents";
import { MODE_WORDS } from "../state/modes";
import { format } from "../state/quantity";
import { address, called, inSight, single, step, view } from "../state/store";
import { parted } from "./dead";

export function State({ board, found }: { board: Board; found: Views }) {
  const { live } = parted(board, view.value, step.value?.controls);
  const others = live.filter(({ name }) => !inSight.value.includes(name));
  // Beside a board its own switch, selectors and sliders say all of that.
  if (!step.value && others.length === 0) return null;
  const modes = single.value ? [single.value] : found.modes;
  const said = [whose(board, modes), ...others.map((control) => standing(control, modes, found))];
  const whole = said.join(" · ");
  return (
    <figcaption class="state" title={whole}>
      {whole}
    </figcaption>
  );
}

/** "his numbers"; of published ones what they are of; of two kinds which line is whose. */
function whose({ takes_facts, model, machine }: Board, modes: readonly Mode[]): string {
  const facts = takes_facts ? `${called(address.value.model || model)} on ${called(address.value.machine || machine)}` : "";
  const published = [MODE_WORDS.careful, facts && `(${facts})`].filter(Boolean).join(" ");
  const [first, second] = modes;
  if (second) return `dashed ${MODE_WORDS.lecture}, solid ${published}`;
  return first === "careful" ? `${MODE_WORDS.careful} numbers${facts && ` of ${facts}`}` : `${MODE_WORDS.lecture} numbers`;
}

/** "bandwidth 3.33 TB/s"; of two modes both where they differ; a unit that says what it is stands alone. */
function standing({ name, short, dimension }: Control, modes: readonly Mode[], { controls }: Views): string {
  const text = (mode: Mode) => format(controls[mode]?.[name] ?? 0, dimension);
  const values = [...new Set(modes.map(text))].join(" / ");
  return values.endsWith(short) ? values : `${short} ${values}`;
}
