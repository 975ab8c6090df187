// Whose numbers a picture is of, where there is room for one mode at a time.

import "./scenes.css";

import { useLayoutEffect } from "preact/hooks";

import type { Mode } from "../documents";
import { MODE_WORDS } from "../state/modes";
import { single } from "../state/store";

interface Switched {
  modes: Mode[];
  mode: Mode;
  choose: (mode: Mode) => void;
}

export function ModeSwitch({ modes, mode, choose }: Switched) {
  if (modes.length < 2) return null;
  return (
    <fieldset class="scene-modes">
      <legend class="unseen">Whose numbers the scene is of</legend>
      {modes.map((one) => (
        <label key={one}>
          <input type="radio" name="scene-mode" checked={one === mode} onChange={() => choose(one)} />
          <span>{MODE_WORDS[one]}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** Tell all others whose numbers are shown for as long as they are shown alone. */
export function useSingle(mode: Mode | null): void {
  useLayoutEffect(() => {
    single.value = mode;
    return () => {
      single.value = null;
    };
  }, [mode]);
}
