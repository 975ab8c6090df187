// What makes room for a price that does not fit.

import { address, board, called, readBillAt, turn } from "../state/store";
import { sharing } from "./Asked";
import { asSold, CHIPS, fewest } from "./Rented";

/** The fewest chips that hold the model, or as many sequences as there is room for. */
export function Mended({ last }: { last: number }) {
  const chips = fewest();
  const name = called(address.value.machine || (board.value?.machine ?? ""));
  if (last)
    return (
      <button type="button" class="mend" onClick={() => readBillAt(last, true)}>
        Take {sharing(last)}
      </button>
    );
  if (chips === undefined) return null;
  const [number, after] = asSold(chips);
  return (
    <button type="button" class="mend" onClick={() => turn(CHIPS, String(chips), true)}>
      Take {number} {name}
      {after}
    </button>
  );
}
