// The bills of a board's picture: one of each mode that is shown, at one place that a hand moves along the axis.

import { useLayoutEffect } from "preact/hooks";
import { clamp } from "../chart/numbers";
import { lastThatFits } from "../chart/overfull";
import type { Plot } from "../chart/stage";
import { passing } from "../companions/read";
import type { Axes, Axis, Curves, Mode, View } from "../documents";
import { MODE_WORDS } from "../state/modes";
import { format } from "../state/quantity";
import { billRead, exercise } from "../state/store";
import { Beside, Paid } from "./BillBar";
import { type Bill, billAt, percent, type Share, spoken } from "./bill";
import { partAt } from "./parts";
import { usePlace } from "./place";
import { Track } from "./Track";

/** Between a picture's axis and its numbers, in pixels, where it is read along: for one bill as for two, so that the axis stays. */
export const GAP = 26;
/** Classes of so many bills, by which the page sizes what lies around them. */
export const BILLED = ["", " billed", " billed pair"];
/** Of the axis, where the thumb stands at first, but for a question's own place. */
const FIRST = 0.6;
/** The same beside a machine, on an axis without powers: few sequences, which leave arithmetic idle. */
const FEW = 0.15;
/** Of the words in a bar: a letter, and what is left beside them, in pixels. */
const LETTER = 6.6;
const MARGIN = 14;

/** Pictures with bills, of the modes that are shown. */
export function billed(view: View, modes: readonly Mode[]): [Mode, Curves][] {
  if (view.kind !== "curves") return [];
  return modes.flatMap((mode) => {
    const picture = view.pictures[mode];
    return picture?.bill.length ? [[mode, picture] as [Mode, Curves]] : [];
  });
}

interface Asked {
  axes: Axes;
  pictures: [Mode, Curves][];
  plot: Plot | null;
  /** Where along lies what was asked, once it is told; null where nothing was. */
  told: number | null;
  /** From where to where along there is something to read. */
  reach: [low: number, high: number];
  /** Whether a machine beside the picture is read there, too, which says more than bills would. */
  hasMachine?: boolean;
}

/** The slider on the axis, over the picture, and the bills under it. */
export function useBills({ axes, pictures, plot, told, reach, hasMachine = false }: Asked) {
  const axis = axes.x;
  const isThere = pictures.length > 0 || hasMachine;
  const place = usePlace(
    axis,
    told === null ? (hasMachine && !axis.is_logarithmic ? FEW : FIRST) : partAt(axis, told),
    isThere,
  );
  const { slide } = place;
  // Under a hand the frame may go on where nothing is drawn any more.
  const x = clamp(place.x, ...reach);
  const part = x === place.x ? place.part : partAt(axis, x);
  useLayoutEffect(() => {
    billRead.value = isThere ? x : null;
    return () => {
      billRead.value = null;
    };
  }, [x, isThere]);
  const [what = ""] = axis.caption.split(/[:,]/);
  const [whole = ""] = axes.y.caption.split(/,| of /);
  const here = `${what} ${format(x, axis.dimension)}`;
  const bills = pictures.flatMap(([mode, picture]) => {
    const bill = billAt(picture, x);
    const where = x > lastThatFits(picture) ? `${here}, which does not fit` : here;
    return bill ? [{ mode, bill, price: priced(bill, axes.y), where }] : [];
  });
  const isPair = pictures.length > 1;
  const said = bills.map(
    ({ mode, bill, price, where }) =>
      `${isPair ? `${MODE_WORDS[mode]} ` : ""}${price}${where === here ? "" : ", does not fit"}: ${spoken(bill)}`,
  );
  const track = isThere && (
    <Track
      axis={axis}
      pictures={pictures.map(([, picture]) => picture)}
      whole={whole}
      plot={plot}
      // The hand goes along with what is played beside the picture.
      part={passing.value === null ? part : partAt(axis, passing.value)}
      slide={slide}
      label={hasMachine ? what : `${what} of the bill`}
      text={[here, ...said].join(". ")}
    />
  );
  const rows = isThere && !hasMachine && (
    <div class={`bills${BILLED[bills.length] ?? ""}`}>
      {bills.map(({ mode, bill, price, where }) => (
        <Row
          key={mode}
          // An exercise brings its own numbers.
          name={exercise.value ? "here" : MODE_WORDS[mode]}
          here={where}
          price={price}
          bill={bill}
          wide={plot ? plot.right - plot.left : 0}
        />
      ))}
    </div>
  );
  return { track, rows, x: isThere ? x : null };
}

/** What is paid in all; of what has no unit how many times. */
function priced({ total }: Bill, { dimension }: Axis): string {
  return `${format(total, dimension)}${dimension === "count" ? "×" : ""}`;
}

interface RowAsked {
  name: string;
  /** Where it is read, in words. */
  here: string;
  price: string;
  bill: Bill;
  /** About as long as the bar is, in pixels. */
  wide: number;
}

function Row({ name, here, price, bill, wide }: RowAsked) {
  return (
    <div role="img" aria-label={`${name} ${price} at ${here}: ${spoken(bill)}`}>
      <span>
        {name} <b>{price}</b> <small>at {here}</small>
      </span>
      <div class="bar">
        <Paid parts={bill.parts} words={(share) => fitting(share, wide)} />
        {bill.beside.map((side) => (
          <Beside key={side.map((share) => share.name).join()} side={side} />
        ))}
      </div>
    </div>
  );
}

/** The words that a share has room for. */
function fitting({ name, part }: Share, wide: number): string {
  const room = part * wide - MARGIN;
  return [`${name} ${percent(part)}`, percent(part)].find((words) => LETTER * words.length <= room) ?? "";
}
