// A scene among the board's pictures: one mode at a time, since two that move are two too many.

import { useLayoutEffect, useRef, useState } from "preact/hooks";

import type { Mode } from "../documents";
import { MODE_WORDS } from "../state/modes";
import type { Handles } from "./drawing";
import { Scene } from "./scene";
import type { SceneView } from "./views";

interface Shown {
  view: SceneView;
  modes: Mode[];
  handles: Handles;
  /** Told of the scene that is on the screen. */
  taken: (scene: Scene | null) => void;
}

export function SceneCanvas({ view, modes, handles, taken }: Shown) {
  const host = useRef<HTMLDivElement>(null);
  const scene = useRef<Scene | null>(null);
  const [chosen, choose] = useState<Mode | null>(null);
  // Of two the careful one, whose numbers the controls show.
  const mode = chosen && modes.includes(chosen) ? chosen : modes.at(-1);
  const picture = mode && view.pictures[mode];
  useLayoutEffect(() => {
    if (!host.current) return;
    const made = new Scene(host.current, handles);
    scene.current = made;
    taken(made);
    const watch = new ResizeObserver(() => made.resize());
    watch.observe(host.current);
    return () => {
      watch.disconnect();
      made.destroy();
      taken(null);
    };
  }, []);
  useLayoutEffect(() => {
    if (picture) scene.current?.show(picture, view.axes);
  }, [picture, view]);
  return (
    <>
      {modes.length > 1 && (
        <fieldset class="scene-modes">
          <legend class="unseen">Whose numbers the scene is of</legend>
          {modes.map((one) => (
            <label key={one}>
              <input type="radio" name="scene-mode" checked={one === mode} onChange={() => choose(one)} />
              <span>{MODE_WORDS[one]}</span>
            </label>
          ))}
        </fieldset>
      )}
      <div id="canvas" class="scene-host" ref={host} />
    </>
  );
}
