// A scene on a board: one player for each mode that is shown.

import { useLayoutEffect, useRef } from "preact/hooks";

import type { Gantt, Mode, Multiples, Racks, Trains, View } from "../documents";
import { Scene } from "../scenes/scene";
import { address, go } from "../state/store";

export type SceneView = Exclude<View, { kind: "curves" | "table" | "timeline" | "sheet" | "schematic" }>;

type Picture = Trains | Racks | Gantt | Multiples;

export function isScene(view: View): view is SceneView {
  return view.kind === "trains" || view.kind === "racks" || view.kind === "gantt" || view.kind === "multiples";
}

const NAMES: Record<Mode, string> = { lecture: "The lecture's numbers", careful: "Careful numbers" };

export function Plays({ view, modes, keep }: { view: SceneView; modes: Mode[]; keep: (scene: Scene | null) => void }) {
  // Models side by side are the same whosever numbers are shown.
  const shown = view.kind === "multiples" ? modes.slice(-1) : modes;
  return (
    <div class="plays">
      {shown.map((mode) => (
        <div key={mode}>
          {shown.length > 1 && <p class="upright">{NAMES[mode]}</p>}
          {view.pictures[mode] && <Play picture={view.pictures[mode]} axes={view.axes} keep={keep} />}
        </div>
      ))}
    </div>
  );
}

interface Played {
  picture: Picture;
  axes: SceneView["axes"];
  keep: (scene: Scene | null) => void;
}

function Play({ picture, axes, keep }: Played) {
  const host = useRef<HTMLDivElement>(null);
  const scene = useRef<Scene | null>(null);
  useLayoutEffect(() => {
    if (!host.current) return;
    const made = new Scene(host.current, { choose: (facts) => go({ ...facts, turned: address.value.turned }) });
    scene.current = made;
    keep(made);
    const watch = new ResizeObserver(() => made.resize());
    watch.observe(host.current);
    return () => {
      watch.disconnect();
      made.destroy();
      keep(null);
    };
  }, []);
  useLayoutEffect(() => scene.current?.show(picture, axes), [picture, axes]);
  return <div class="play" ref={host} />;
}
