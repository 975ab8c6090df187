// Which views are scenes, and their numbers as rows.

import type {
  BeliefsView,
  BubbleView,
  CrossingView,
  FacetsView,
  GanttView,
  HalvesView,
  LoopView,
  Mode,
  MultiplesView,
  PassageView,
  RacksView,
  RoutesView,
  RowOfRacksView,
  TrainsView,
  TwoChipsView,
  View,
} from "../documents";

export type SceneView =
  | TrainsView
  | RacksView
  | GanttView
  | MultiplesView
  | PassageView
  | CrossingView
  | HalvesView
  | FacetsView
  | BubbleView
  | TwoChipsView
  | RowOfRacksView
  | LoopView
  | RoutesView
  | BeliefsView;

const SCENES: ReadonlySet<string> = new Set<SceneView["kind"]>([
  "trains",
  "racks",
  "gantt",
  "multiples",
  "passage",
  "crossing",
  "halves",
  "facets",
  "beliefs",
  "bubble",
  "twochips",
  "rowofracks",
  "loop",
  "routes",
]);

export function isScene(view: View): view is SceneView {
  return SCENES.has(view.kind);
}

/** Whether its modes are shown one at a time: what moves; and, on a phone, what has no axes that both could share. */
export function isOneAtATime(view: View, isNarrow: boolean): boolean {
  return isScene(view) || (isNarrow && view.kind !== "curves");
}

type Row = [name: string, x: number, y: number];

/** What is drawn, as names and places: of trains who rides, of chips their load, of stages what they keep, of messages when they end. */
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
    case "passage":
      return (view.pictures[mode]?.strips ?? []).flatMap(({ name, places, messages }) =>
        messages.map(
          ({ row, to_row, start, long, latency }): Row => [
            `${name}: ${places[row]} to ${places[to_row]}`,
            start,
            start + long + latency,
          ],
        ),
      );
    case "crossing": {
      const { layers = 0, there = 0, back = 0 } = view.pictures[mode] ?? {};
      return [
        ["inside the rack, by layers", layers, layers * (there + back)],
        ["to the next rack, by times", 1, 1],
      ];
    }
    case "halves": {
      const { left = [], right = [] } = view.pictures[mode] ?? {};
      return left.flatMap((half, round): Row[] => [
        ["left half", round, half],
        ["right half", round, right[round] ?? 0],
      ]);
    }
    case "facets": {
      const { x = [], facets = [] } = view.pictures[mode] ?? {};
      return facets.flatMap(({ name, y }) => y.map((height, place): Row => [name, x[place] ?? 0, height]));
    }
    case "bubble": {
      const { counts = [], idle = [] } = view.pictures[mode] ?? {};
      return counts.map((count, place): Row => ["share of time a stage idles, by micro-batches", count, idle[place] ?? 0]);
    }
    case "rowofracks": {
      const { counts = [], parts = [] } = view.pictures[mode] ?? {};
      return parts.flatMap(({ name, held }) => counts.map((count, place): Row => [name, count, held[place] ?? 0]));
    }
    case "twochips":
      return (view.pictures[mode]?.sides ?? []).flatMap(({ name, weights, kv, compute }): Row[] => [
        [`${name}: time to read, by pass`, 1, weights + kv],
        [`${name}: time to compute, by pass`, 1, compute],
      ]);
    case "loop":
      return (view.pictures[mode]?.batches ?? []).flatMap(({ starts, ends }, batch) =>
        ends.flatMap((end, place): Row[] => [
          [`batch ${batch} enters`, place + 1, starts[place] ?? 0],
          [`batch ${batch} leaves`, place + 1, end],
        ]),
      );
    case "routes":
      return (view.pictures[mode]?.routes ?? []).flatMap(({ name, legs }) =>
        legs.map(({ text, cables }, place): Row => [`${name}: ${text}`, place + 1, cables.length]),
      );
    case "beliefs": {
      const { x = [], rows = [] } = view.pictures[mode] ?? {};
      return rows.flatMap(({ name, heights }) => heights.map((height, place): Row => [name, x[place] ?? 0, height]));
    }
  }
}
