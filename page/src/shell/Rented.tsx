// On how many chips of a machine: dragged in the numbers in which it is rented, and said as it is sold.

import type { ComponentChildren } from "preact";

import type { Control } from "../documents";
import { format } from "../state/quantity";
import { answer, board, turn } from "../state/store";
import { Scrubbed } from "./Scrubbed";

export const CHIPS = "chips";

interface RentedAs {
  control: Control;
  chips: number;
  /** The machine's name, or the list that it is chosen from. */
  children: ComponentChildren;
  /** The same with words for what comes out, for whoever does not see it. */
  said: (text: string) => string;
  name: string;
}

/** "8 H100 SXM", "one GB200 NVL72 (72 chips)". */
export function Rented({ control, chips, children, said, name }: RentedAs) {
  const { chip_counts: counts = [] } = board.value ?? {};
  const last = Math.max(1, counts.length - 1);
  // A link may have a number in between.
  const place = counts.filter((one) => one <= chips).length - 1;
  const [number, after] = asSold(chips);
  return (
    <>
      <Scrubbed
        label={control.label}
        bounds={[counts[0] ?? chips, counts.at(-1) ?? chips]}
        value={chips}
        text={said(`${number} ${name}${after}`)}
        part={Math.max(0, place) / last}
        least={1 / last}
        seek={(part, isFinal) => {
          const found = counts[Math.round(part * last)];
          if (found) turn(CHIPS, format(found, control.dimension, 6), isFinal);
        }}
      >
        {number}
      </Scrubbed>{" "}
      {children}
      {after}
      {chips === fewest() && chips > (board.value?.domain_chips ?? 1) && ` (the fewest that hold it)`}
    </>
  );
}

/** The fewest chips that hold the model and one sequence; undefined where no number does. */
export function fewest(): number | undefined {
  return answer.value?.fewest_chips.careful ?? answer.value?.fewest_chips.lecture;
}

/** A number before the machine's name, and what follows it. */
export function asSold(chips: number): [number: string, after: string] {
  const { domain_chips: domain = 1, is_rack: isRack = false } = board.value ?? {};
  const said = chips.toLocaleString("en-US");
  if (!isRack) return [said, ""];
  return chips % domain ? [`${said} chips of`, ""] : [chips === domain ? "one" : `${chips / domain}`, ` (${said} chips)`];
}
