// Where the parts of the trains' scene lie in a width and, as far as they can, in a height.

import { at } from "../chart/numbers";

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface Layout {
  /** What leaves it is seen no more. */
  station: Box;
  train: Box;
  /** Seats along the train and abreast, and between their middles. */
  columns: number;
  rows: number;
  pitch: number;
  /** Columns of a carriage; the train has as many carriages as that makes. */
  perCar: number;
  /** Radius of a request. */
  radius: number;
  /** Where those stand whom a train left. */
  platform: number;
  /** Upper edge of what says who rode each train. */
  log: number;
  chart: Box;
  height: number;
}

/** Below it heights are those of a phone. */
const NARROW = 720;
/** Above the station, for the clock; above the train; and for its wheels. */
interface Heights {
  clock: number;
  fall: number;
  wheels: number;
  /** From the station to what is said of each train. */
  gap: number;
  /** For who is left behind: where they stand, and how many they are. */
  platform: number;
  log: number;
}
const ROOMY: Heights = { clock: 44, fall: 12, wheels: 18, gap: 14, platform: 24, log: 50 };
/** So that on a phone what plays it, and the slider below, lie on the same screen. */
const TIGHT: Heights = { clock: 36, fall: 30, wheels: 12, gap: 12, platform: 16, log: 48 };
export const RIM = 6;
/** Seats along the train: as many as leave each largest, in a train that is no shorter than so many times as high. */
const SEATS_LONG = [6, 8, 10, 12, 14, 16, 20, 25, 32, 40];
const SLIMMEST = 2.4;
const LEAST_PITCH = 6;
const MOST_PITCH = 52;
/** Columns of a carriage at most, between two of them, and the train's nose before its first seats. */
const MOST_PER_CAR = 9;
const COUPLING = 9;
export const NOSE = 22;
/** Where nobody is left behind: below the train, and for who rode each. */
const PLATFORM_OF_ALL = 22;
const LOG_OF_ALL = 32;
/** Over the histogram a train rides; below it stand its numbers and what they are of. */
export const RIDE = 34;
const RULE = 42;
/** The histogram is that high before seats grow, and lower only where seats are as small as they get. */
const LEAST_CHART = 48;
const GOOD_CHART = 64;
const MOST_CHART = 190;
const MOST_RADIUS = 15;
/** Height from which on the histogram stands under the train in any width. */
const TALL = 360;
/** Of the width, that the station is wide beside the histogram. */
const PART = 0.6;
/** Width of a door. */
export const DOOR = 18;

/** In a station narrower than `spoken` words that have no room beside the clock stand over the train. */
export function laid(width: number, room: number, seats: number, isLeft: boolean, spoken = 0): Layout {
  const isNarrow = width < NARROW;
  const isUnder = isNarrow || room >= TALL;
  const wide = isUnder ? width : Math.round(width * PART);
  const heights = isNarrow ? TIGHT : ROOMY;
  const { clock, wheels, gap } = heights;
  const { fall } = wide < spoken ? TIGHT : heights;
  const log = isLeft ? heights.log : LOG_OF_ALL;
  const standing = isLeft ? heights.platform : PLATFORM_OF_ALL;
  const chart = isUnder ? RIDE + GOOD_CHART + RULE : 0;
  const around = clock + fall + 2 * RIM + wheels + standing + gap + log;
  const seated = SEATS_LONG.map((long) => {
    const rows = Math.max(1, Math.ceil(seats / long));
    const columns = Math.ceil(seats / rows);
    const cars = Math.ceil(columns / MOST_PER_CAR);
    const fitting = Math.max(LEAST_PITCH, (room - around - chart) / rows);
    const bare = NOSE + cars * 2 * RIM + (cars - 1) * COUPLING;
    const pitch = Math.min(MOST_PITCH, (wide - 12 - bare) / columns, fitting);
    return { rows, columns, perCar: Math.ceil(columns / cars), pitch, long: bare + columns * pitch };
  });
  const slim = seated.filter(({ long, rows, pitch }) => long >= SLIMMEST * rows * pitch);
  const { rows, columns, perCar, pitch, long } = (slim.length ? slim : seated).reduce((best, one) =>
    one.pitch > best.pitch || (one.pitch === best.pitch && one.rows < best.rows) ? one : best,
  );
  const train = { left: (wide - long) / 2, top: clock + fall, width: long, height: rows * pitch + 2 * RIM };
  const platform = train.top + train.height + wheels;
  const stationEnd = platform + standing;
  const logTop = stationEnd + gap;
  const end = logTop + log;
  const top = isUnder ? end + RIDE : clock + 6;
  const high = isUnder ? Math.min(MOST_CHART, Math.max(LEAST_CHART, room - top - RULE)) : Math.max(end, room) - top - RULE;
  return {
    station: { left: 0, top: clock, width: wide, height: stationEnd - clock },
    train,
    columns,
    rows,
    pitch,
    perCar,
    radius: Math.max(2, Math.min(MOST_RADIUS, pitch * 0.34)),
    platform,
    log: logTop,
    chart: isUnder
      ? { left: RIM, top, width: width - 2 * RIM, height: high }
      : { left: wide + 36, top, width: width - wide - 42, height: high },
    height: Math.max(end, top + high + RULE),
  };
}

/** Outlines of all seats; rows are filled from the front of the train, which leaves to the right. */
export function seatsOf(count: number, layout: Layout): string {
  const { radius } = layout;
  return Array.from({ length: count }, (_, seat) => {
    const [x, y] = seatAt(seat, layout);
    return `M${(x - radius).toFixed(1)} ${y.toFixed(1)}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0z`;
  }).join("");
}

export function seatAt(seat: number, { columns, pitch, perCar, train }: Layout): [number, number] {
  const fromFront = seat % columns;
  const car = Math.floor(fromFront / perCar);
  return [
    train.left + train.width - NOSE - RIM - car * (2 * RIM + COUPLING) - (fromFront + 0.5) * pitch,
    train.top + RIM + (Math.floor(seat / columns) + 0.5) * pitch,
  ];
}

/** Left and right edge of each carriage, from the front; the first one's without its nose. */
export function carsOf({ columns, pitch, perCar, train }: Layout): [number, number][] {
  let right = train.left + train.width - NOSE;
  return Array.from({ length: Math.ceil(columns / perCar) }, (_, car) => {
    const left = right - Math.min(perCar, columns - car * perCar) * pitch - 2 * RIM;
    const found: [number, number] = [left, right];
    right = left - COUPLING;
    return found;
  });
}

/** The middle of the door of a seat's carriage. */
export function doorOf(seat: number, layout: Layout): number {
  const car = Math.floor((seat % layout.columns) / layout.perCar);
  const [left, right] = at(carsOf(layout), car);
  return (left + right) / 2;
}
