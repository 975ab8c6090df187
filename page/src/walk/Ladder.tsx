// Numbers that bear one name, told apart: each with what it is of, and a bar.

import { isAsked, step } from "../state/store";
import { live } from "./live";

export function Ladder() {
  const rungs = live.value?.ladder ?? step.value?.ladder ?? [];
  if (!rungs.length || isAsked.value) return null;
  const most = Math.max(...rungs.map(({ value }) => value ?? 0));
  return (
    <section class="ladder" aria-label="The balance batches so far">
      <h2>The balance batches so far</h2>
      <ol class="bridge">
        {rungs.map(({ name, of, value, text }) => (
          <li key={name} class={value === null ? "without" : undefined} style={{ "--part": (value ?? 0) / most }}>
            {name} <small>{of}</small> <b>{text}</b>
          </li>
        ))}
      </ol>
    </section>
  );
}
