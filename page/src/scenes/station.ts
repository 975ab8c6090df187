// Where the parts of the trains' scene lie in a width and, as far as they can, in a height.

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
  /** Seats abreast along the train, and between their middles. */
  columns: number;
  pitch: number;
  /** Radius of a request. */
  radius: number;
  /** Where those stand whom a train left. */
  platform: number;
  /** Upper edge of what says who rode each train. */
  log: number;
  chart: Box;
  height: number;
}

const NARROW = 720;
const CLOCK = 44;
/** Above the train, from where requests fall; and for its wheels. */
const FALL = 34;
const WHEELS = 18;
const RIM = 6;
/** Seats along the train: more of them where that leaves each larger. */
const SEATS_LONG = [25, 32, 40];
const [LEAST_PITCH, MOST_PITCH] = [8, 22];
/** For who is left behind: where they stand, and how many they are. */
const PLATFORM = 24;
const [LOG, LOG_OF_ALL] = [50, 32];
/** Over the histogram a train rides; below it stand its numbers and what they are of. */
export const RIDE = 34;
const RULE = 42;
const [LEAST_CHART, MOST_CHART] = [64, 190];

export function laid(width: number, room: number, seats: number, isLeft: boolean): Layout {
  const isNarrow = width < NARROW;
  const wide = isNarrow ? width : Math.round(width * 0.56);
  const log = isLeft ? LOG : LOG_OF_ALL;
  const chart = isNarrow ? RIDE + LEAST_CHART + RULE : 0;
  const around = CLOCK + FALL + 2 * RIM + WHEELS + (isLeft ? PLATFORM : 8) + 18 + log;
  const seated = SEATS_LONG.map((long) => {
    const rows = Math.max(1, Math.ceil(seats / long));
    const columns = Math.ceil(seats / rows);
    const fitting = Math.max(LEAST_PITCH, (room - around - chart) / rows);
    return { rows, columns, pitch: Math.min(MOST_PITCH, (wide - 24) / columns, fitting) };
  });
  const { rows, columns, pitch } = seated.reduce((best, one) => (one.pitch > best.pitch ? one : best));
  const train = {
    left: (wide - columns * pitch) / 2 - RIM,
    top: CLOCK + FALL,
    width: columns * pitch + 2 * RIM,
    height: rows * pitch + 2 * RIM,
  };
  const platform = train.top + train.height + WHEELS;
  const stationEnd = platform + (isLeft ? PLATFORM : 8);
  const logTop = stationEnd + 18;
  const end = logTop + log;
  const top = isNarrow ? end + RIDE : CLOCK + 6;
  const high = isNarrow ? Math.min(MOST_CHART, Math.max(LEAST_CHART, room - top - RULE)) : Math.max(end, room) - top - RULE;
  return {
    station: { left: 0, top: CLOCK, width: wide, height: stationEnd - CLOCK },
    train,
    columns,
    pitch,
    radius: Math.max(2, Math.min(6.5, pitch * 0.34)),
    platform,
    log: logTop,
    chart: isNarrow
      ? { left: RIM, top, width: width - 2 * RIM, height: high }
      : { left: wide + 44, top, width: width - wide - 50, height: Math.min(MOST_CHART * 1.6, high) },
    height: isNarrow ? top + high + RULE : Math.max(end, top + Math.min(MOST_CHART * 1.6, high) + RULE),
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

export function seatAt(seat: number, { columns, pitch, train }: Layout): [number, number] {
  return [
    train.left + RIM + (columns - 1 - (seat % columns) + 0.5) * pitch,
    train.top + RIM + (Math.floor(seat / columns) + 0.5) * pitch,
  ];
}
