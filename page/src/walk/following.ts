// A rack that goes along with its step's picture: where a bill is read, and with the token that is played.

import { billAt, percent, type Share } from "../bill/bill";
import type { Colour, Fill, Mode, RackPicture, Track, View, Word } from "../documents";
import { format } from "../state/quantity";

const HELD: Partial<Record<Colour, string>> = { weights: "weights", kv: "KV" };

/** As the bill has its times; as it came where it follows nothing, or where no bill is read. */
export function following(rack: RackPicture, view: View | undefined, mode: Mode, x: number | null): RackPicture {
  const picture = view?.kind === "curves" ? view.pictures[mode] : undefined;
  const bill = picture && x !== null ? billAt(picture, x) : null;
  if (!rack.follows_bill || x === null || !view || !bill) return rack;
  const { kv_of_one: ofOne } = rack;
  const [what = ""] = view.axes.x.caption.split(/[:,]/);
  const filled = (memory: Fill[]) =>
    memory.map((part) => (part.colour === "kv" && ofOne !== undefined ? { ...part, fraction: ofOne * x } : part));
  return {
    ...rack,
    cabinets: rack.cabinets.map((cabinet) => ({
      ...cabinet,
      memory: filled(cabinet.memory),
      tracks: [bill.parts, ...bill.beside].map(track),
    })),
    words: [
      ...rack.words.slice(0, 1),
      { text: `${what} ${format(x, view.axes.x.dimension)}: ` },
      ...listed(bill.parts),
      { text: " of the step" },
      ...bill.beside.flatMap((side) => [{ text: ", " }, ...listed(side)]),
      { text: ". " },
      ...lying(filled(rack.cabinets[0]?.memory ?? []), rack.words),
    ],
  };
}

/** With the visits of the token of that number; as it came where there is none. */
export function visited(rack: RackPicture, number: number): RackPicture {
  const token = rack.tokens[number];
  if (!token) return rack;
  const cabinets = rack.cabinets.map((cabinet, which) => ({
    ...cabinet,
    painted: cabinet.painted.map((paint) => ({ ...paint, chips: token.chips[which] ?? [] })),
  }));
  return { ...rack, cabinets, words: token.words };
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

/** "weight fetch 87 %, KV fetch 13 %". */
function listed(shares: Share[]): Word[] {
  return shares.flatMap(({ name, colour, part }, place) => [
    ...(place ? [{ text: ", " }] : []),
    { text: `${name} ${percent(part)}`, colour },
  ]);
}

/** "Memory: weights 5 %, KV 1 %", and as it came of how much; nothing where none is told. */
function lying(memory: Fill[], words: readonly Word[]): Word[] {
  if (!memory.length) return [];
  return [
    ...memory.flatMap(({ colour, fraction }, place) => [
      { text: place ? ", " : "Memory: " },
      { text: `${HELD[colour] ?? ""} ${percent(fraction)}`, colour },
    ]),
    ...words.slice(words.map(({ colour }) => colour !== undefined).lastIndexOf(true) + 1),
  ];
}
