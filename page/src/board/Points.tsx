// The points that matter in numbers: what is there in one mode need not be in another.

import type { Axis, Mode, Views } from "../documents";
import { MODE_WORDS } from "../state/modes";
import { format } from "../state/quantity";

interface Row {
  name: string;
  axes: string;
  texts: Partial<Record<Mode, string>>;
}

/** Wider than its place it is scrolled, by keys too. */
const STOP = { tabIndex: 0, role: "group", "aria-label": "Points of the pictures" } as const;

export function Points({ found }: { found: Views }) {
  const rows = rowsOf(found);
  if (!rows.length) return null;
  return (
    <section id="points" aria-label="Points">
      <h2>The numbers as a table</h2>
      <div class="scroll" {...STOP}>
        <table>
          <caption class="unseen">Points of the pictures: along, up</caption>
          <thead>
            <tr>
              {["point", ...found.modes.map((mode) => MODE_WORDS[mode]), "of"].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, axes, texts }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {found.modes.map((mode) => (
                  <td key={mode}>{texts[mode] ?? "-"}</td>
                ))}
                <td class="of">{axes}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function rowsOf({ modes, views }: Views): Row[] {
  const rows = new Map<string, Row>();
  for (const view of views) {
    if (view.kind !== "curves") continue;
    const { x, y } = view.axes;
    for (const mode of modes)
      for (const mark of view.pictures[mode]?.marks ?? []) {
        const name = view.heading ? `${view.heading}: ${mark.name}` : mark.name;
        const row = rows.get(name) ?? { name, axes: `${x.caption}; ${y.caption}`, texts: {} };
        row.texts[mode] = `${written(mark.x, x)}, ${written(mark.y, y)}`;
        rows.set(name, row);
      }
  }
  return [...rows.values()];
}

function written(value: number, { dimension }: Axis): string {
  return format(value, dimension);
}
