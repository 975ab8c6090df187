// One view in a chart, from files of documents: ?board=NAME&view=0&mode=both&drag=CONTROL.

import { Chart, type ChartView as View } from "../src/chart/chart";
import type { Mode, Unit } from "../src/documents";
import { format, units } from "../src/state/quantity";

interface Document {
  modes: Mode[];
  views: View[];
  drags?: Record<string, View[][]>;
}

declare global {
  interface Window {
    chart: Chart;
    reported: unknown[];
    dragged: (control: string) => View[];
    put: (view?: View, more?: object) => void;
  }
}

const asked = new URLSearchParams(location.search);
const get = async <Answer>(path: string) => (await (await fetch(path)).json()) as Answer;
units.value = await get<Record<string, Unit>>("/units.json");
const board = await get<Document>(`/${asked.get("board") ?? "latency"}.json`);
const place = Number(asked.get("view") ?? 0);
const mode = asked.get("mode") ?? "both";
window.reported = [];
window.chart = new Chart(document.getElementById("host") as HTMLElement, {
  drag: (mark, of, x, y, phase) => window.reported.push(["drag", mark.name, of, x, y, phase]),
  hover: (colour) => window.reported.push(["hover", colour]),
  guess: (x, y) => window.reported.push(["guess", x, y]),
});
window.dragged = (control) => (board.drags?.[control] ?? []).map((views) => views[place] as View);
window.put = (view = board.views[place] as View, more = {}) =>
  window.chart.show({
    view,
    modes: mode === "both" ? board.modes : board.modes.filter((one) => one === mode),
    lines: null,
    predict: null,
    units: format,
    ...more,
  });
window.put();
