// Where the parts of the opened chip, its rack and its clock lie.

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Places {
  /** Whether there is no height for the chip, but for the clock alone. */
  isFolded: boolean;
  /** Around all of the chip. */
  chip: Box;
  /** Its whole memory, and what of it a step reads, enlarged. */
  memory: Box;
  tank: Box;
  /** From the tank to the arithmetic, whose middle it meets. */
  pipe: { left: number; right: number; middle: number };
  /** Of the arithmetic, and the longest side that it has room for. */
  block: { x: number; most: number };
  /** All chips; null where they have no room. */
  rack: Box | null;
  /** The lanes of the clock, where their names begin (they have none where they have no room), and where words above them end. */
  clock: Box & { names: number | null; end: number };
}

/** Height of a lane of the clock, and of a line of words. */
export const [LANE, WORDS] = [16, 18];
/** Both lanes with what is between them. */
export const LANES = 2 * LANE + 4;
/** Of a clock: words above its lanes, and numbers below them. */
const CLOCK = WORDS + 4 + LANES + WORDS + 2;
/** Narrower a picture has no rack, and no names of lanes. */
const NARROW = 560;
/** Narrower what has little height has no clock beside the chip. */
const FLAT = 480;
/** Of a chip that has a rack beside it, and at least without one. */
const SHARE = 0.46;
const LEAST = 240;
const NAMES = 76;
const EDGE = 12;

/** Beside each other where there is little height and the width for it; else the clock lies below, with room for buttons above it. */
export function placesOf(width: number, height: number, isFlat: boolean, buttons = 0): Places {
  const isNarrow = width < NARROW;
  const isFolded = height < CLOCK + LANES;
  const isBeside = isFlat && width >= FLAT && height < width / 2 && !isFolded;
  const clockTop = isBeside ? Math.max(0, height - CLOCK) / 2 : height - CLOCK;
  const right = isBeside ? Math.max(LEAST, width * SHARE) : isNarrow ? width : width * SHARE;
  const chip = { left: 0.5, top: 0.5, right: right - 0.5, bottom: isBeside ? height - 0.5 : clockTop - 6 };
  const names = isNarrow || isBeside ? null : 0;
  const clockLeft = isBeside ? right + 2 * EDGE : names === null ? 0 : NAMES;
  // Above and below the tank there is a line of words.
  const [top, bottom] = [chip.top + WORDS + 8, chip.bottom - WORDS - 6];
  const room = chip.right - chip.left;
  const memory = { left: chip.left + EDGE, right: chip.left + EDGE + room * 0.075, top, bottom };
  const tank = { left: memory.right + room * 0.1, right: memory.right + room * 0.45, top, bottom };
  const most = Math.min(room * 0.25, bottom - top - WORDS - 8);
  const x = chip.right - EDGE - room * 0.125;
  const middle = (top + bottom) / 2;
  return {
    isFolded,
    chip,
    memory,
    tank,
    pipe: { left: tank.right, right: x, middle },
    block: { x, most },
    rack: isFlat || isNarrow ? null : { left: right + 3 * EDGE, top: chip.top + WORDS + 4, right: width, bottom: chip.bottom },
    clock: {
      left: clockLeft,
      right: width - 1,
      top: clockTop + WORDS + 4,
      bottom: clockTop + WORDS + 4 + LANES,
      names,
      end: width - 1 - buttons,
    },
  };
}

/** Sequences of KV cache in a box, a cell each or so many: as wide and as high, and in so many columns. */
export interface Cells {
  bundle: number;
  columns: number;
  width: number;
  height: number;
}

/** More have no room to be told apart, however large a screen is: on all of them a cell stands for as many. */
const MOST_CELLS = 1000;

/** Cells of such an area a sequence, in a box of such a width, for as many sequences at most. */
export function cellsOf(area: number, width: number, most: number): Cells {
  let bundle = 1;
  while (bundle * MOST_CELLS < most) bundle *= 10;
  const cell = Math.max(area * bundle, 1e-6);
  const columns = Math.max(1, Math.round(width / Math.sqrt(cell)));
  return { bundle, columns, width: width / columns, height: (cell * columns) / width };
}

/** The first cells of a heap, from the lower left corner on: whole rows, and what is left in the row above them. */
export function heap(count: number, { columns, width, height }: Cells, left: number, bottom: number): string {
  const rows = Math.floor(count / columns + 1e-9);
  const rest = Math.max(0, count - rows * columns);
  const top = bottom - rows * height;
  return `${box(left, top, columns * width, rows * height)}${box(left, top - height, rest * width, height)}`;
}

/** Strips by the order in which they are read: neighbours far apart, as experts are. */
const ORDER = [
  0, 16, 8, 24, 4, 20, 12, 28, 2, 18, 10, 26, 6, 22, 14, 30, 1, 17, 9, 25, 5, 21, 13, 29, 3, 19, 11, 27, 7, 23, 15, 31,
];

/** As much of a box as is read, as strips of experts up to a height; one strip where all are. */
export function strips({ left, right }: Box, part: number, top: number, bottom: number): string {
  if (part > 1 - 1e-3) return box(left, top, right - left, bottom - top);
  const wide = (right - left) / ORDER.length;
  return ORDER.slice(0, Math.ceil(part * ORDER.length))
    .map((strip, rank) => box(left + strip * wide, top, wide * Math.min(1, part * ORDER.length - rank), bottom - top))
    .join("");
}

export function box(left: number, top: number, width: number, height: number): string {
  const [x, y, w, h] = [left, top, Math.max(0, width), Math.max(0, height)].map((one) => Math.round(one * 100) / 100);
  return w && h ? `M${x} ${y}h${w}v${h}h-${w}z` : "";
}

/** Chips of a tray, as racks of today have them. */
const TRAY = 4;
/** More have no room to be told apart. */
export const MOST_CHIPS = 144;
/** Of a tray: how wide it is for its height. */
const SHAPE = 0.62;

/** Columns of all chips in trays of four, from the upper left one. */
export function columnsOf(chips: number, room: Box): Box[] {
  const count = Math.max(1, Math.min(MOST_CHIPS, Math.round(chips)));
  const trays = Math.ceil(count / TRAY);
  const [wide, high] = [room.right - room.left, room.bottom - room.top];
  const tried = Array.from({ length: trays }, (_, place) => {
    const [rows, across] = [place + 1, Math.ceil(trays / (place + 1))];
    return { across, size: Math.min(wide / across / SHAPE, high / rows), rows };
  });
  const { across, rows } = tried.reduce((best, one) => (one.size > best.size ? one : best));
  const [pitchX, pitchY] = [Math.min(wide / across, (high / rows) * 1.1), high / rows];
  const column = (pitchX - 8) / TRAY;
  return Array.from({ length: count }, (_, chip) => {
    const tray = Math.floor(chip / TRAY);
    const left = room.left + (tray % across) * pitchX + (chip % TRAY) * column;
    const top = room.top + Math.floor(tray / across) * pitchY;
    return { left, top, right: left + column - 2, bottom: top + pitchY - 10 };
  });
}
