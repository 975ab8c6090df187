// A finger that wipes across the words of a step turns over to the next; what a finger moves itself is left to it.

/** In pixels: less is a tap that slipped. */
const LEAST_WAY = 56;
/** Of the way across, so much down or up is a scroll. */
const SLANT = 0.6;
const LONGEST_MS = 700;
/** Where a finger moves something else. */
const TAKES_FINGERS = ".canvas, .scene, .tabs, .chips, .track, .together, .strip, input, select, pre, #timeline";

/** Steps on (1) or back (-1) for each wipe; what that does is undone by the function that comes back. */
export function swiping(place: HTMLElement, walk: (by: 1 | -1) => void): () => void {
  const off = new AbortController();
  let began: { x: number; y: number; at: number } | null = null;
  const down = ({ touches, target, timeStamp }: TouchEvent) => {
    const [touch] = touches;
    const isFree = touches.length === 1 && target instanceof Element && !target.closest(TAKES_FINGERS);
    began = touch && isFree ? { x: touch.clientX, y: touch.clientY, at: timeStamp } : null;
  };
  const up = ({ changedTouches, timeStamp }: TouchEvent) => {
    const [touch] = changedTouches;
    if (!began || !touch || timeStamp - began.at > LONGEST_MS) return;
    const [across, along] = [touch.clientX - began.x, touch.clientY - began.y];
    began = null;
    if (Math.abs(across) < LEAST_WAY || Math.abs(along) > SLANT * Math.abs(across)) return;
    walk(across < 0 ? 1 : -1);
  };
  const options = { signal: off.signal, passive: true };
  place.addEventListener("touchstart", down, options);
  place.addEventListener("touchend", up, options);
  place.addEventListener(
    "touchcancel",
    () => {
      began = null;
    },
    options,
  );
  return () => off.abort();
}
