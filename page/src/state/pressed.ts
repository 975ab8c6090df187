// A key that is down: however often it repeats, what it turns is one drag, which ends when the key comes up.

const TURNING = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End"]);

let isDown = false;
let end: (() => void) | null = null;

function lifted(): void {
  isDown = false;
  end?.();
  end = null;
}

addEventListener(
  "keydown",
  ({ key }) => {
    isDown ||= TURNING.has(key);
  },
  true,
);
addEventListener("keyup", lifted, true);
// Of a key that comes up elsewhere nobody hears.
addEventListener("blur", lifted);

/** Do this once the key that is down comes up, and nothing that was to be done then before; false where none is down. */
export function onceLifted(act: () => void): boolean {
  if (isDown) end = act;
  return isDown;
}
