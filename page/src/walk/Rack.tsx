// The rack beside a step: one drawing for the whole walk, which glides from step to step and follows the sliders.

import { useLayoutEffect, useRef } from "preact/hooks";
import { Approach, Glide, isStill } from "../chart/motion";
import { at } from "../chart/numbers";
import { element, put } from "../chart/svg";
import type { Colour, Mode, RackPicture, View } from "../documents";
import { MODE_WORDS } from "../state/modes";
import { answer, billRead, shown as chosen, isHeld, played, step, view } from "../state/store";
import { between, type Drawn, doing, drawn, filled, frames, HEIGHT, strips, WIDTH } from "./cells";
import { following, visited } from "./following";

const GLIDE_S = 0.7;
const PASS_S = 2.6;
/** Of a drawing that a question is open on. */
const LATER = "The rack, without what is asked";

/** What is drawn, and whose it is. */
interface Shown {
  picture: RackPicture;
  /** The step, and whether its question is open. */
  of: string;
  text: string;
}

/** Beside steps that are about a rack; it stays while another board is on its way, so that it glides there. */
export function Rack() {
  const before = useRef<Shown | null>(null);
  const now = step.value;
  const found = now && answer.value?.racks[now.id];
  const isVeiled = isHeld.value;
  const { modes = [], views = [] } = answer.value ?? {};
  // The step's own; of two the one that is drawn solid. It is not said where one picture shows both.
  const mode = modes.find((one) => one === now?.mode) ?? modes.at(-1);
  const whose = mode && (modes.length > 1 || chosen.value !== "both") ? `${MODE_WORDS[mode]} numbers` : "";
  if (found) {
    const open = mode ? followed(found, views[view.value], mode) : found;
    const picture = isVeiled && !found.is_before ? veiled(open) : open;
    const said = isVeiled ? [] : picture.words;
    before.current = {
      picture: { ...picture, words: said },
      of: `${now.id} ${isVeiled}`,
      text: isVeiled ? LATER : said.map(({ text }) => text).join(""),
    };
  }
  const shown = before.current;
  if (!shown) return null;
  const isBefore = shown.picture.is_before;
  return (
    <div class={`rack ${isBefore ? "before" : ""}`} id="rack" hidden={!found && answer.value !== null}>
      <Cells shown={shown} />
      {whose && !isBefore && !isVeiled && <p class="whose-beside">{whose}</p>}
      <p class="told-beside">
        {shown.picture.words.map(({ text, colour }, place) => (
          <span key={place} data-colour={colour}>
            {text.replaceAll(/(?<=\d) /g, "\u00a0")}
          </span>
        ))}
      </p>
    </div>
  );
}

/** As the picture is read or played just now. */
function followed(rack: RackPicture, drawn: View | undefined, mode: Mode): RackPicture {
  return visited(following(rack, drawn, mode, billRead.value), drawn, mode, played.value);
}

/** Without what a question asks for. */
function veiled({ cabinets, asked, ...others }: RackPicture): RackPicture {
  return {
    ...others,
    asked,
    cabinets: cabinets.map(({ chips, memory }) => ({
      chips,
      memory: asked.length ? memory.filter(({ colour }) => !asked.includes(colour)) : [],
      tracks: [],
      painted: [],
    })),
  };
}

function Cells({ shown: { picture, of, text } }: { shown: Shown }) {
  const host = useRef<HTMLDivElement>(null);
  const drawing = useRef<Drawing | null>(null);
  useLayoutEffect(() => {
    const made = new Drawing();
    drawing.current = made;
    host.current?.append(made.svg);
    return () => made.destroy();
  }, []);
  // By what it says: each answer brings it anew.
  useLayoutEffect(() => drawing.current?.show(picture, of, text), [JSON.stringify(picture), of, text]);
  return <div ref={host} onPointerEnter={() => drawing.current?.pass()} />;
}

class Drawing {
  readonly svg = element("svg", { role: "img", viewBox: `0 0 ${WIDTH} ${HEIGHT}` });
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

  constructor() {
    this.svg.append(this.chips, this.held, this.glow, this.beds, this.busy, this.hand);
  }

  destroy(): void {
    cancelAnimationFrame(this.frame);
    this.svg.remove();
  }

  show(picture: RackPicture, of: string, text: string): void {
    const next = drawn(picture);
    this.from = this.now ?? { ...next, cells: next.cells.map((cell) => ({ ...cell, fills: {} })), busy: {} };
    this.to = next;
    this.picture = picture;
    this.isOther = of !== this.of;
    this.of = of;
    this.time = null;
    put(this.svg, { "aria-label": text });
    this.glide.restart(isStill());
    this.approach.restart(isStill());
    this.draw();
    this.run();
  }

  /** Play the time that is drawn, once. */
  pass(): void {
    if (isStill() || !this.to?.beds.length) return;
    this.time = 0;
    this.run();
  }

  private run(): void {
    cancelAnimationFrame(this.frame);
    this.last = performance.now();
    const next = (now: number) => {
      const seconds = (now - this.last) / 1000;
      this.last = now;
      const moves = this.isOther ? this.glide.step(seconds) : this.approach.step(seconds);
      if (this.time !== null) this.time += seconds / PASS_S;
      // Once it has come to another step, it shows what happens there.
      else if (moves && this.isOther && this.glide.isOver && this.to?.beds.length) this.time = 0;
      if (this.time !== null && this.time >= 1) this.time = null;
      this.draw();
      if (moves || this.time !== null) this.frame = requestAnimationFrame(next);
    };
    this.frame = requestAnimationFrame(next);
  }

  private draw(): void {
    if (!this.from || !this.to || !this.picture) return;
    const now = between(this.from, this.to, this.isOther ? this.glide.part : 1 - this.approach.left);
    this.now = now;
    put(this.chips, { d: frames(now.cells) });
    put(this.beds, { d: strips(now.beds) });
    const colours = new Set(now.cells.flatMap(({ fills }) => Object.keys(fills))) as Set<Colour>;
    paths(this.held, colours, (colour) => filled(now.cells, colour));
    paths(this.busy, new Set(Object.keys(now.busy)) as Set<Colour>, (colour) => strips(now.busy[colour] ?? []));
    this.play(this.picture, this.to);
  }

  /** The hand over the times, and the chips in the colour of what they do just then. */
  private play(picture: RackPicture, { ends, cells }: Drawn): void {
    const { time } = this;
    const does = time === null ? [] : doing(picture, time);
    const seen = new Set(does.filter((colour) => colour !== null));
    paths(this.glow, seen, (colour) => frames(cells.filter(({ cabinet }) => at(does, cabinet) === colour)));
    const places = time === null ? [] : ends.map(([left, right]) => left + (right - left) * time);
    put(this.hand, { d: places.map((x) => `M${x.toFixed(1)} 164V${HEIGHT - 2}`).join("") });
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
