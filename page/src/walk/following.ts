// The rack of a step whose picture has a bill: at the batch where the bill is read, so that one hand moves both.

import { billAt, percent, type Share } from "../bill/bill";
import type { Mode, RackPicture, Track, View, Word } from "../documents";
import { format } from "../state/quantity";

/** As the bill has its times; as it came where it follows nothing, or where no bill is read. */
export function following(rack: RackPicture, view: View | undefined, mode: Mode, x: number | null): RackPicture {
  const { kv_of_one: ofOne } = rack;
  const picture = view?.kind === "curves" ? view.pictures[mode] : undefined;
  const bill = picture && x !== null ? billAt(picture, x) : null;
  if (ofOne === undefined || x === null || !view || !bill) return rack;
  const kv = ofOne * x;
  const [what = ""] = view.axes.x.caption.split(/[:,]/);
  return {
    ...rack,
    cabinets: rack.cabinets.map((cabinet) => ({
      ...cabinet,
      memory: cabinet.memory.map((part) => (part.colour === "kv" ? { ...part, fraction: kv } : part)),
      tracks: [bill.parts, ...bill.beside].map(track),
    })),
    words: [
      { text: `At ${what} ${format(x, view.axes.x.dimension)}: ` },
      ...listed(bill.parts),
      { text: " of the step" },
      ...bill.beside.flatMap((side) => [{ text: "; meanwhile " }, ...listed(side)]),
      { text: ". " },
      { text: `KV cache fills ${percent(kv)}`, colour: "kv" },
      { text: " of the memory." },
    ],
  };
}

/** One after another, from the step's beginning. */
function track(shares: Share[]): Track {
  let end = 0;
  return {
    busy: shares.map(({ colour, part }) => {
      const start = end;
      end += part;
      return { colour, start, end };
    }),
  };
}

/** "weight fetch 87 % and KV fetch 13 %". */
function listed(shares: Share[]): Word[] {
  return shares.flatMap(({ name, colour, part }, place) => [
    ...(place ? [{ text: " and " }] : []),
    { text: `${name} ${percent(part)}`, colour },
  ]);
}
