// The button that gives a guess, beside its words: putting the dot somewhere is not yet an answer.

import type { Box } from "./boxes";
import type { Room } from "./frame";
import type { Ground } from "./stage";

/** From the words to the button, in pixels. */
const GAP = 4;

export class Check {
  private readonly button: HTMLButtonElement;

  constructor(
    { root }: Ground,
    private readonly give: () => void,
  ) {
    this.button = document.createElement("button");
    this.button.type = "button";
    this.button.className = "chart-check";
    root.append(this.button);
    this.button.textContent = "Check";
    this.button.hidden = true;
    // A press on it puts the dot nowhere else.
    for (const name of ["pointerdown", "pointermove", "pointerup"] as const)
      this.button.addEventListener(name, (event) => event.stopPropagation());
    this.button.addEventListener("click", () => this.give());
  }

  /** On the side of the words that is away from the dot, else below them, else above. */
  beside(words: Box, dot: { x: number; y: number }, room: Room): void {
    const { button } = this;
    button.hidden = false;
    const [width, height] = [button.offsetWidth, button.offsetHeight];
    const middle = (words.top + words.bottom - height) / 2;
    const isRight = words.left > dot.x;
    const aside = isRight ? words.right + GAP : words.left - GAP - width;
    const isInside = aside >= room.left && aside + width <= room.right;
    const isLow = words.bottom + GAP + height > room.bottom;
    const top = isInside ? middle : isLow ? words.top - GAP - height : words.bottom + GAP;
    const left = isInside ? aside : isRight ? words.left : words.right - width;
    button.style.translate = `${Math.round(left)}px ${Math.round(top)}px`;
  }

  hide(): void {
    this.button.hidden = true;
  }

  remove(): void {
    this.button.remove();
  }
}
