// What a bill says, in a sentence: which of the sums is paid, and what a larger batch would do about it.

import { at } from "../chart/numbers";
import type { Colour, Curves } from "../documents";
import type { Bill, Share } from "./bill";

export interface Binds {
  /** Of what binds; of what cannot be, as errors have it. */
  colour: Colour | "wrong";
  /** The roofline's word for it. */
  head: string;
  rest: string;
}

/** Where along the bold line its other sum takes over; null where the picture does not reach so far. */
export function takenOverAt({ takes_over_at: end }: Curves): number | null {
  return end ?? null;
}

/** Of a batch that is larger than the memory has room for: how many fit. */
export function overfull(last: number): Binds {
  const most = last.toLocaleString("en-US");
  const rest = last ? `memory has room for ${most} sequence${last > 1 ? "s" : ""}.` : "memory has no room for one sequence.";
  return { colour: "wrong", head: "Does not fit", rest };
}

export function binds(bill: Bill, picture: Curves): Binds {
  const { colour } = bill.parts.reduce((most, one): Share => (one.part > most.part ? one : most), at(bill.parts, 0));
  if (colour === "compute") return { colour, head: "Compute-bound", rest: "a larger batch is no cheaper from here on." };
  const end = takenOverAt(picture);
  const most = colour === "kv" ? "mostly KV cache" : "mostly weights";
  const share = colour === "kv" ? "which is not shared: shorten the contexts." : "which a larger batch would share.";
  const rest =
    end === null
      ? `${most}, ${share}`
      : `${most}, until compute binds at ${Math.round(end).toLocaleString("en-US")} sequences.`;
  return { colour, head: "Memory-bound", rest };
}
