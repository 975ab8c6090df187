// The rack beside a step: one drawing for the whole walk, which glides from step to step and follows the sliders.

import { effect } from "@preact/signals";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { FilledIn } from "../board/FilledIn";
import { Approach, Glide, isStill } from "../chart/motion";
import { at } from "../chart/numbers";
import { element, put } from "../chart/svg";
import type { Colour, Mode, RackPicture, View } from "../documents";
import { capital } from "../state/called";
import { MODE_WORDS } from "../state/modes";
import { answer, billRead, shown as chosen, isHeld, moment, played, single, step, view } from "../state/store";
import { between, type Drawn, doing, drawn, filled, frames, LARGE, ruling, type Size, SLIM, strips } from "./cells";
import { useCrowded } from "./crowded";
import { following, visited } from "./following";

const GLIDE_S = 0.7;
const PASS_S = 2.6;

/** What is drawn, and whose it is. */
interface Shown {
  picture: RackPicture;
  /** The step, and whether its question is open. */
  of: string;
  /** Whose numbers they are; empty where that need not be said. */
  whose: string;
}

/** Beside each step; it stays while another board is on its way, so that it glides there. */
export function Rack({ isSlim = false }: { isSlim?: boolean }) {
  const before = useRef<Shown | null>(null);
  const now = step.value;
  const found = now && answer.value?.racks[now.id];
  const { modes = [], views = [] } = answer.value ?? {};
  // Of two the one that is drawn solid, or alone.
  const mode = modes.find((one) => one === single.value) ?? modes.at(-1);
  const picture = mode && found && (isHeld.value ? found.known : found.told)[mode];
  if (picture) {
    const isSaid = (modes.length > 1 || chosen.value !== "both") && !picture.is_resting;
    before.current = {
      picture: isHeld.value ? picture : followed(picture, views[view.value], mode),
      of: `${now.id} ${isHeld.value}`,
      whose: isSaid ? ` ${capital(MODE_WORDS[mode])} numbers.` : "",
    };
  }
  const shown = before.current;
  useCrowded(now?.id ?? "", isSlim && Boolean(shown));
  // It would take room on the first screen of a phone.
  if (!shown || (isSlim && shown.picture.is_resting)) return null;
  const { words, is_resting } = shown.picture;
  const text = words.map(({ text }) => text).join("") + shown.whose;
  return (
    <div
      class={`rack ${isSlim ? "slim" : ""} ${is_resting ? "resting" : ""}`}
      id="rack"
      hidden={!picture && answer.value !== null}
    >
      <Cells shown={shown} text={text} size={isSlim ? SLIM : LARGE} />
      <p class="told-beside">
        {words.map(({ text, colour, filled_in }, place) => (
          <span key={place} data-colour={colour}>
            <FilledIn why={filled_in}>{text.replaceAll(/(?<=\d) /g, "\u00a0")}</FilledIn>
          </span>
        ))}
        {shown.whose && <span class="whose-beside">{shown.whose}</span>}
      </p>
    </div>
  );
}

/** As the picture is read or played just now; another picture of its board plays something else. */
function followed(rack: RackPicture, drawn: View | undefined, mode: Mode): RackPicture {
  const { scene_spans, ...found } = visited(following(rack, drawn, mode, billRead.value), played.value);
  return view.value === step.value?.view && scene_spans !== undefined ? { ...found, scene_spans } : found;
}

function Cells({ shown: { picture, of }, text, size }: { shown: Shown; text: string; size: Size }) {
  const host = useRef<HTMLDivElement>(null);
  const drawing = useRef<Drawing | null>(null);
  useLayoutEffect(() => {
    const made = new Drawing(size);
    drawing.current = made;
    host.current?.append(made.svg);
    return () => made.destroy();
  }, []);
  // By what it says: each answer brings it anew.
  useLayoutEffect(() => drawing.current?.show(picture, of, text), [JSON.stringify(picture), of, text]);
  const spans = picture.scene_spans;
  useEffect(() => (spans ? effect(() => drawing.current?.follow(moment.value * spans)) : undefined), [spans]);
  return <div ref={host} onPointerEnter={() => drawing.current?.pass()} />;
}

class Drawing {
  readonly svg = element("svg", { role: "img" });
  private readonly chips = element("path", { class: "places" });
  private readonly held = element("g", { class: "held" });
  private readonly glow = element("g", { class: "glow" });
  private readonly beds = element("path", { class: "beds" });
  private readonly busy = element("g", { class: "busy" });
  private readonly hand = element("path", { class: "clock-hand" });
  private picture: RackPicture | null = null;
  private from: Drawn | null = null;
  private to: Drawn | null = null;
  private now: Drawn | null = null;
  /** The step that it is drawn for. */
  private of = "";
  /** From step to step, and after a slider. */
  private readonly glide = new Glide(GLIDE_S);
  private readonly approach = new Approach();
  private isOther = true;
  /** How much of the time that is drawn has passed; null where none is played. */
  private time: number | null = null;
  private frame = 0;
  private last = 0;

  constructor(private readonly size: Size) {
    put(this.svg, { viewBox: `0 0 ${size.width} ${size.height}` });
    this.svg.append(this.chips, this.held, this.glow, this.beds, this.busy, this.hand);
  }

  destroy(): void {
    cancelAnimationFrame(this.frame);
    this.svg.remove();
  }

  show(picture: RackPicture, of: string, text: string): void {
    const next = drawn(picture, this.size);
    this.from = this.now ?? { ...next, cells: next.cells.map((cell) => ({ ...cell, fills: {} })), busy: {} };
    this.to = next;
    this.picture = picture;
    this.isOther = of !== this.of;
    this.of = of;
    if (picture.scene_spans === undefined) this.time = null;
    put(this.svg, { "aria-label": text });
    this.glide.restart(isStill());
    this.approach.restart(isStill());
    this.draw();
    this.run();
  }

  /** Play the time that is drawn, once. */
  pass(): void {
    if (isStill() || !this.plays) return;
    this.time = 0;
    this.run();
  }

  /** A scene plays the same: as far as it has come; at its ends the rack rests. */
  follow(time: number): void {
    this.time = time > 0 && time < 1 ? time : null;
    this.draw();
  }

  /** Whether it has a time of its own. */
  private get plays(): boolean {
    return Boolean(this.to?.beds.length) && this.picture?.scene_spans === undefined;
  }

  private run(): void {
    cancelAnimationFrame(this.frame);
    this.last = performance.now();
    const next = (now: number) => {
      const seconds = (now - this.last) / 1000;
      this.last = now;
      const moves = this.isOther ? this.glide.step(seconds) : this.approach.step(seconds);
      if (this.plays) this.pace(seconds, moves);
      this.draw();
      if (moves || (this.plays && this.time !== null)) this.frame = requestAnimationFrame(next);
    };
    this.frame = requestAnimationFrame(next);
  }

  /** Its own time goes on. */
  private pace(seconds: number, moves: boolean): void {
    if (this.time !== null) this.time += seconds / PASS_S;
    // Once it has come to another step, it shows what happens there.
    else if (moves && this.isOther && this.glide.isOver) this.time = 0;
    if (this.time !== null && this.time >= 1) this.time = null;
  }

  private draw(): void {
    if (!this.from || !this.to || !this.picture) return;
    const now = between(this.from, this.to, this.isOther ? this.glide.part : 1 - this.approach.left);
    this.now = now;
    put(this.chips, { d: frames(now.cells) });
    put(this.beds, { d: strips(now.beds, this.size) });
    const colours = new Set(now.cells.flatMap(({ fills }) => Object.keys(fills))) as Set<Colour>;
    paths(this.held, colours, (colour) => filled(now.cells, colour));
    paths(this.busy, new Set(Object.keys(now.busy)) as Set<Colour>, (colour) => strips(now.busy[colour] ?? [], this.size));
    this.play(this.picture, this.to);
  }

  /** The hand over the times, and the chips in the colour of what they do just then, else of what they do most. */
  private play(picture: RackPicture, { ends, cells }: Drawn): void {
    const { time } = this;
    const does = time === null ? ruling(picture) : doing(picture, time);
    this.glow.classList.toggle("resting", time === null);
    const seen = new Set(does.filter((colour) => colour !== null));
    paths(this.glow, seen, (colour) => frames(cells.filter(({ cabinet }) => at(does, cabinet) === colour)));
    const places = time === null ? [] : ends.map(([left, right]) => left + (right - left) * time);
    const { upper, height } = this.size;
    put(this.hand, { d: places.map((x) => `M${x.toFixed(1)} ${upper + 1}V${height}`).join("") });
  }
}

/** A path for each colour, those that stay told what changed. */
function paths(group: SVGGElement, colours: ReadonlySet<Colour>, d: (colour: Colour) => string): void {
  const there = new Map([...group.children].map((one) => [one.getAttribute("data-colour"), one]));
  for (const [colour, one] of there) if (!colours.has(colour as Colour)) one.remove();
  for (const colour of colours) {
    const one = there.get(colour) ?? group.appendChild(element("path", { "data-colour": colour }));
    put(one, { d: d(colour) });
  }
}
