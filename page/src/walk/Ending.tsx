// After the last step: the end, of which all but its heading is fetched with what draws scenes.

import { useEffect, useRef, useState } from "preact/hooks";

import { fetchScenes, sourced } from "../scenes/fetched";
import { ledger, problem, walk } from "../state/store";
import { useTurning } from "./turning";

export function Ending() {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  useTurning("ending");
  const steps = walk.value?.steps ?? [];
  // What is wrong with the page is forgotten as it opens; this is not.
  const [missing, setMissing] = useState("");
  useEffect(() => void fetchScenes().then(() => sourced.value || setMissing(problem.value?.message ?? "")), []);
  // All at once, so that nothing moves what stands below it.
  const isThere = Boolean((ledger.value && sourced.value) || problem.value || missing);
  return (
    <main id="ending" tabIndex={-1} aria-busy={!isThere}>
      <p class="where">After {steps.length} steps</p>
      <h1 id="title" tabIndex={-1} ref={heading}>
        {ledger.value?.heading ?? "\u00a0"}
      </h1>
      {isThere && sourced.value && <sourced.value.Ended />}
      {!sourced.value && missing && <p role="alert">{missing}</p>}
    </main>
  );
}
