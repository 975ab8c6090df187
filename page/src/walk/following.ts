// A rack that goes along with its step's picture: at the batch where a bill is read, and with the token that is played.

import { billAt, percent, type Share } from "../bill/bill";
import type { Mode, RackPicture, Racks, Track, View, Word } from "../documents";
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

/** With the visits of a token of the picture's racks; as it came beside other pictures, and where it is none of theirs. */
export function visited(rack: RackPicture, view: View | undefined, mode: Mode, number: number): RackPicture {
  const picture = view?.kind === "racks" ? view.pictures[mode] : undefined;
  const token = picture?.tokens[number];
  if (!picture || !token || rack.is_before) return rack;
  const chips = new Set(token.visits.map(({ chip }) => chip));
  return {
    ...rack,
    cabinets: rack.cabinets.map((cabinet, which) => ({
      ...cabinet,
      painted: [{ colour: which === token.rack ? "links" : "also", chips: placesOf(picture, which, chips, cabinet.chips) }],
    })),
    words: picture.racks.length > 1 ? [...named(number, token), ...rack.words.slice(-1)] : rack.words,
  };
}

function placesOf({ racks }: Racks, which: number, visits: ReadonlySet<number>, drawn: number): number[] {
  const there = racks[which]?.chips ?? [];
  return there.flatMap((chip, place) => (place < drawn && visits.has(chip.number) ? [place] : []));
}

function named(number: number, { near, beyond }: Racks["tokens"][number]): Word[] {
  return [
    { text: `Token ${number + 1} makes ` },
    { text: `${near} ${near === 1 ? "visit" : "visits"} in its rack`, colour: "links" },
    { text: " and " },
    { text: `${beyond} beyond`, colour: "also" },
  ];
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
