// A hand on a scene: what it points at is told, what it presses is taken, what it holds follows it; keys do the same.

import { Readout, type Said, spoken } from "../chart/readout";
import { beside, type Grip, isArrow, type Things } from "./things";

/** A hand that moves by less, in pixels, presses. */
const SLACK = 4;

/** What a hand meets. */
export interface Met {
  things: () => Things | undefined;
  grip: (x: number, y: number) => Grip | null;
  /** What else is written at a place. */
  at: (x: number, y: number) => string | null;
  /** After something was pointed at or taken. */
  changed: () => void;
  say: (text: string) => void;
}

export class Hand {
  /** What keys move through: its one option lies over what they have come to. */
  readonly list = document.createElement("div");
  private readonly option = document.createElement("div");
  private readonly readout: Readout;
  private pointed = -1;
  private told = "";
  /** What keys have come to. */
  private reached = 0;
  private held: { grip: Grip | null; x: number; y: number; isMoving: boolean } | null = null;
  /** Whether the press that is under way moved something, and takes nothing. */
  private hasMoved = false;

  constructor(
    private readonly root: HTMLElement,
    private readonly met: Met,
  ) {
    this.list.className = "scene-things";
    this.list.tabIndex = 0;
    this.list.setAttribute("role", "listbox");
    this.option.setAttribute("role", "option");
    this.list.append(this.option);
    this.readout = new Readout(root);
    root.addEventListener("pointermove", this.move);
    root.addEventListener("pointerdown", this.down);
    root.addEventListener("pointerup", this.up);
    root.addEventListener("pointercancel", this.up);
    root.addEventListener("pointerleave", ({ pointerType }) => pointerType === "mouse" && this.leave());
    root.addEventListener("click", this.press);
    this.list.addEventListener("keydown", this.key);
    this.list.addEventListener("focus", () => this.reach(this.reached));
    this.list.addEventListener("blur", () => this.leave());
  }

  /** Of another drawing, or of one that was laid out anew. */
  renew(): void {
    const things = this.met.things();
    const count = things?.count ?? 0;
    this.list.hidden = !count;
    this.pointed = -1;
    things?.point(-1);
    this.reached = Math.max(0, Math.min(this.reached, count - 1));
    if (!things || !count) return;
    this.list.setAttribute("aria-label", things.name);
    if (document.activeElement === this.list) this.reach(this.reached);
    else this.name(things);
  }

  private readonly move = (event: PointerEvent): void => {
    const [x, y] = this.placeOf(event);
    const held = this.held;
    if (held?.grip) {
      held.isMoving ||= Math.hypot(x - held.x, y - held.y) > SLACK;
      if (held.isMoving) held.grip.to(x, y, false);
      this.hide();
      return;
    }
    this.point(event, x, y);
  };

  private readonly down = (event: PointerEvent): void => {
    const [x, y] = this.placeOf(event);
    this.hasMoved = false;
    const grip = this.isOver(event) ? this.met.grip(x, y) : null;
    this.held = { grip, x, y, isMoving: false };
    if (grip) this.root.setPointerCapture(event.pointerId);
    this.point(event, x, y);
  };

  private readonly up = (event: PointerEvent): void => {
    const held = this.held;
    this.held = null;
    if (!held?.grip || !held.isMoving) return;
    this.hasMoved = true;
    held.grip.to(...this.placeOf(event), true);
  };

  private readonly press = (event: MouseEvent): void => {
    if (!this.isOver(event) || this.hasMoved) return;
    const things = this.met.things();
    if (!things) return;
    const [x, y] = this.placeOf(event);
    if (this.met.grip(x, y)?.isHandle) return;
    const thing = things.under(x, y);
    if (thing >= 0) this.reached = thing;
    things.take(thing);
    this.met.changed();
    this.name(things);
  };

  private readonly key = (event: KeyboardEvent): void => {
    const things = this.met.things();
    if (!things?.count) return;
    const { key } = event;
    if (isArrow(key)) this.reach(beside(things, this.reached, key));
    else if (key === "Home" || key === "End") this.reach(key === "Home" ? 0 : things.count - 1);
    else if (key === "Enter" || key === " " || key === "Escape") {
      things.take(key === "Escape" ? -1 : this.reached);
      this.met.changed();
      this.reach(this.reached);
      this.met.say(spoken(things.said(this.reached)));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  /** Come to a thing by keys. */
  private reach(thing: number): void {
    const things = this.met.things();
    if (!things?.count) return;
    this.reached = thing;
    things.point(thing);
    this.pointed = thing;
    this.met.changed();
    this.name(things);
    const { x, y, width, height } = things.box(thing);
    if (!things.isPlain) this.tell(things.said(thing), x + width, y + height / 2);
  }

  /** Say which thing keys are at, and lie over it. */
  private name(things: Things): void {
    const { reached, option } = this;
    if (reached >= things.count) return;
    const { x, y, width, height } = things.box(reached);
    option.id = `scene-thing-${reached}`;
    option.textContent = spoken(things.said(reached));
    option.setAttribute("aria-posinset", String(reached + 1));
    option.setAttribute("aria-setsize", String(things.count));
    option.style.cssText = `transform: translate(${x - 3}px, ${y - 3}px); width: ${width + 6}px; height: ${height + 6}px`;
    this.list.setAttribute("aria-activedescendant", option.id);
  }

  private point(event: PointerEvent, x: number, y: number): void {
    const things = this.met.things();
    const isOver = this.isOver(event);
    const grip = isOver ? this.met.grip(x, y) : null;
    const thing = things && isOver && !grip?.isHandle ? things.under(x, y) : -1;
    if (things && thing !== this.pointed) {
      this.pointed = thing;
      things.point(thing);
      this.met.changed();
    }
    this.root.style.cursor = thing >= 0 ? "pointer" : (grip?.cursor ?? "");
    const title = this.met.at(x, y);
    if (things && thing >= 0 && !things.isPlain) this.tell(things.said(thing), x, y);
    else if (title) this.tell({ title, columns: [], rows: [] }, x, y);
    else this.hide();
  }

  /** What is told already stays where it is: to place it anew takes a layout. */
  private tell(said: Said, x: number, y: number): void {
    const told = spoken(said);
    if (told === this.told) return;
    this.told = told;
    const { clientWidth: width, clientHeight: height } = this.root;
    const room = { left: 0, right: width, top: 0, bottom: height };
    this.readout.show(said, { x, y, room, size: { width, height }, things: () => [] });
  }

  private hide(): void {
    this.told = "";
    this.readout.hide();
  }

  private leave(): void {
    this.hide();
    if (this.pointed < 0) return;
    this.pointed = -1;
    this.met.things()?.point(-1);
    this.met.changed();
  }

  /** Over the drawing, not over what plays it. */
  private isOver({ target }: Event): boolean {
    return target instanceof Element && !target.closest(".scene-controls");
  }

  private placeOf({ clientX, clientY }: MouseEvent): [number, number] {
    const box = this.root.getBoundingClientRect();
    return [clientX - box.left, clientY - box.top];
  }
}
