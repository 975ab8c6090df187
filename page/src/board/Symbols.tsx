// The formula's letters that no control explains.

import type { Board } from "../documents";
import { isNarrow } from "../state/narrow";
import { step } from "../state/store";
import { Tex } from "./tex";

/** More letters than that are folded, so that they leave the picture its place. */
const MOST_OPEN = 3;

/** On the walk out of the way. */
export function Symbols({ board: { symbols } }: { board: Board }) {
  if (!symbols.length) return null;
  const list = (
    <ul id="symbols">
      {symbols.map(({ tex, meaning }) => (
        <li key={tex}>
          <Tex tex={tex} /> {meaning}
        </li>
      ))}
    </ul>
  );
  if (!step.value && !isNarrow.value && symbols.length <= MOST_OPEN) return list;
  return (
    <details class="letters">
      <summary>{step.value && !isNarrow.value ? "The letters" : "What the letters stand for"}</summary>
      {list}
    </details>
  );
}
