// Whose numbers a picture is of, where there is room for one mode at a time.

import "./scenes.css";

import type { Mode } from "../documents";
import { MODE_WORDS } from "../state/modes";

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
