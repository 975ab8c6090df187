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

/** Which boxes, the first before the later ones, lie within a width and over none that is free before them. */
export function uncovered(boxes: readonly Box[], width: number): boolean[] {
  const free: Box[] = [];
  return boxes.map((box) => {
    const isFree = box.left >= -1 && box.right <= width + 1 && !free.some((other) => touch(box, other));
    if (isFree) free.push(box);
    return isFree;
  });
}
