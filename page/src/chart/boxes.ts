// Boxes of words, in pixels.

/** Where words lie. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export function isInside(box: Box, room: Box): boolean {
  return box.left >= room.left && box.right <= room.right && box.top >= room.top && box.bottom <= room.bottom;
}

export function around(x: number, y: number, radius: number): Box {
  return { left: x - radius, top: y - radius, right: x + radius, bottom: y + radius };
}

export function touch(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

/** Words, and boxes over what leads from them to where they belong. */
export interface Led {
  words: Box;
  leaders: readonly Box[];
}

/** Which words, the first before the later ones, lie within their bounds and neither they nor their leaders over free ones before. */
export function uncovered(all: readonly Led[], bounds: readonly Box[]): boolean[] {
  const free: Led[] = [];
  return all.map((one, place) => {
    const within = bounds[place] ?? one.words;
    const isOver = (other: Led) =>
      touch(one.words, other.words) ||
      other.leaders.some((leader) => touch(one.words, leader)) ||
      one.leaders.some((leader) => touch(leader, other.words));
    const isFree = isInside(one.words, within) && !free.some(isOver);
    if (isFree) free.push(one);
    return isFree;
  });
}
