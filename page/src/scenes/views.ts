// Which views are scenes, and their numbers as rows.

import type { BeliefsView, GanttView, Mode, MultiplesView, RacksView, TrainsView, View } from "../documents";

export type SceneView = TrainsView | RacksView | GanttView | MultiplesView | BeliefsView;

const KINDS: readonly string[] = ["trains", "racks", "gantt", "multiples", "beliefs"];

export function isScene(view: View): view is SceneView {
  return KINDS.includes(view.kind);
}

type Row = [name: string, x: number, y: number];

/** What is drawn, as names and places: of trains who rides, of chips their load, of stages what they keep. */
export function sceneRows(view: SceneView, mode: Mode): Row[] {
  switch (view.kind) {
    case "trains":
      return (view.pictures[mode]?.departures ?? []).flatMap(({ aboard, left }, place): Row[] => [
        ["aboard", place + 1, aboard],
        ["left behind", place + 1, left],
      ]);
    case "racks":
      return (view.pictures[mode]?.racks ?? []).flatMap(({ chips }, rack) =>
        chips.map(({ number, load }): Row => [`rack ${rack + 1}`, number, load]),
      );
    case "gantt":
      return (view.pictures[mode]?.played ?? []).flatMap(({ name, kept }) =>
        kept.flatMap(({ at, level }, stage) =>
          at.map((time, place): Row => [`${name}, stage ${stage + 1} keeps`, time, level[place] ?? 0]),
        ),
      );
    case "multiples": {
      const { x = [], smalls = [] } = view.pictures[mode] ?? {};
      return smalls.flatMap(({ name, y }) => y.map((height, place): Row => [name, x[place] ?? 0, height]));
    }
    case "beliefs": {
      const { x = [], rows = [] } = view.pictures[mode] ?? {};
      return rows.flatMap(({ name, heights }) => heights.map((height, place): Row => [name, x[place] ?? 0, height]));
    }
  }
}
