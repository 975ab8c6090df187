// A scene of any kind in its host: its drawing, and below it what plays it.

import { measure } from "../chart/measure";
import { put } from "../chart/svg";
import type { Axes, Scene as ScenePicture } from "../documents";
import { BeliefsDrawing } from "./beliefs";
import { BubbleDrawing } from "./bubble";
import { CrossingDrawing } from "./crossing";
import type { Drawing, Handles } from "./drawing";
import { FacetsDrawing } from "./facets";
import { GanttDrawing } from "./gantt";
import { HalvesDrawing } from "./halves";
import { Hand } from "./hand";
import { LoopDrawing } from "./loop";
import { MultiplesDrawing } from "./multiples";
import { PassageDrawing } from "./passage";
import { Player } from "./player";
import { RacksDrawing } from "./racks";
import { RoutesDrawing } from "./routes";
import { RowOfRacksDrawing } from "./rowofracks";
import { TrainsDrawing } from "./trains";
import { TwoChipsDrawing } from "./twochips";

const LEAST_WIDTH = 260;
/** From a drawing to what plays it. */
const BETWEEN = 8;

/** In pixels: how wide a scene is, how high with what plays it, and how high that is. */
interface Room {
  width: number;
  height: number;
  foot: number;
}

export class Scene {
  private readonly root = document.createElement("div");
  private readonly player: Player;
  private readonly hand: Hand;
  private drawing: Drawing<ScenePicture> | null = null;
  private kind = "";
  /** What it is laid out in, in pixels; null until it is asked. */
  private room: Room | null = null;

  constructor(
    private readonly host: HTMLElement,
    private readonly handles: Handles,
    /** How high a scene and what plays it may be together. */
    private readonly heightGiven: () => number,
  ) {
    this.root.className = "scene";
    this.player = new Player(this.root, {
      seconds: () => this.drawing?.seconds() ?? 0,
      opens: () => this.drawing?.opens?.() ?? 0,
      draw: (fraction) => this.drawing?.draw(fraction),
      now: (fraction) => this.drawing?.now(fraction) ?? "",
      played: () => this.drawing?.played?.(),
    });
    this.root.append(this.player.controls);
    this.hand = new Hand(this.root, {
      things: () => this.drawing?.things,
      grip: (x, y) => this.drawing?.grip?.(x, y) ?? null,
      at: (x, y) => this.drawing?.at?.(x, y) ?? null,
      changed: () => this.player.drawn(),
      say: (text) => handles.say?.(text),
    });
    this.root.prepend(this.hand.list);
    host.append(this.root);
    document.fonts?.addEventListener("loadingdone", this.remeasure);
  }

  show(picture: ScenePicture, axes: Axes, isAsked = false): void {
    const kind = kindOf(picture);
    const isAnother = this.kind !== "" && kind !== this.kind;
    if (!this.drawing || isAnother) {
      this.drawing?.svg.remove();
      this.drawing = KINDS[kind]({
        ...this.handles,
        seek: (fraction) => this.player.hold(fraction),
        replay: () => this.player.restart(),
      }) as Drawing<ScenePicture>;
      this.kind = kind;
      this.root.dataset.kind = kind;
      this.root.prepend(this.drawing.svg);
    }
    this.drawing.show(picture, axes, isAsked);
    this.drawing.svg.setAttribute("aria-label", this.drawing.described());
    // In the room that it had: whether that is another one is asked once all is laid out.
    if (isAnother) this.room = null;
    this.fit();
    if (isAnother) this.player.restart();
  }

  /** Stand still at a part of the time. */
  stand(moment: number): void {
    this.player.hold(moment);
  }

  /** Where there is another width or height for it than it was laid out in. */
  resize(): void {
    const [was, now] = [this.room, this.roomNow()];
    if (was && was.width === now.width && was.foot === now.foot && Math.abs(was.height - now.height) <= 1) return;
    this.room = now;
    this.fit();
  }

  destroy(): void {
    document.fonts?.removeEventListener("loadingdone", this.remeasure);
    this.player.destroy();
    this.root.remove();
  }

  /** A copy of this moment, for whoever takes it along. */
  picture(): SVGSVGElement {
    if (!this.drawing) throw new Error("A scene has no picture before one is shown");
    return this.drawing.svg.cloneNode(true) as SVGSVGElement;
  }

  private readonly remeasure = (): void => {
    this.room = null;
    this.fit();
  };

  private roomNow(): Room {
    const foot = this.drawing?.seconds() ? this.player.controls.offsetHeight + BETWEEN : 0;
    return { width: this.host.clientWidth, height: this.heightGiven(), foot };
  }

  private fit(): void {
    const { drawing } = this;
    if (!drawing) return;
    this.room ??= this.roomNow();
    const width = Math.max(LEAST_WIDTH, this.room.width);
    const height = drawing.fit(width, Math.max(0, this.room.height - this.room.foot), measure);
    put(drawing.svg, { width, height, viewBox: `0 0 ${width} ${height}` });
    this.hand.renew();
    this.player.drawn();
  }
}

/** By a field that no other has. */
const KINDS = {
  departures: (handles: Handles) => new TrainsDrawing(handles),
  racks: (handles: Handles) => new RacksDrawing(handles),
  played: (handles: Handles) => new GanttDrawing(handles),
  smalls: (handles: Handles) => new MultiplesDrawing(handles),
  so_text: (handles: Handles) => new CrossingDrawing(handles),
  strips: () => new PassageDrawing(),
  through: (handles: Handles) => new HalvesDrawing(handles),
  rows: () => new BeliefsDrawing(),
  facets: () => new FacetsDrawing(),
  gap_text: (handles: Handles) => new BubbleDrawing(handles),
  sides: (handles: Handles) => new TwoChipsDrawing(handles),
  hbm_text: (handles: Handles) => new RowOfRacksDrawing(handles),
  gantt: (handles: Handles) => new LoopDrawing(handles),
  routes: (handles: Handles) => new RoutesDrawing(handles),
};

type Kind = keyof typeof KINDS;

function kindOf(picture: ScenePicture): Kind {
  const kind = (Object.keys(KINDS) as Kind[]).find((field) => field in picture);
  if (!kind) throw new Error(`A scene has one of ${Object.keys(KINDS).join(", ")}; this one has none`);
  return kind;
}
