// A scene of any kind in its host: its drawing, and below it what plays it.

import "./scenes.css";

import { measureIn } from "../chart/measure";
import { put } from "../chart/svg";
import type { Axes, Beliefs, Gantt, Multiples, Racks, Scene as ScenePicture, Trains } from "../documents";
import { BeliefsDrawing } from "./beliefs";
import type { Drawing, Handles } from "./drawing";
import { GanttDrawing } from "./gantt";
import { MultiplesDrawing } from "./multiples";
import { Player } from "./player";
import { RacksDrawing } from "./racks";
import { TrainsDrawing } from "./trains";

const LEAST_WIDTH = 260;
/** Part of the window that a scene takes where nothing else says how high it is to be. */
const IN_SIGHT = 0.62;

export class Scene {
  private readonly root = document.createElement("div");
  private readonly player: Player;
  private drawing: Drawing<ScenePicture> | null = null;
  private kind = "";
  private width = 0;

  constructor(
    private readonly host: HTMLElement,
    private readonly handles: Handles,
  ) {
    this.root.className = "scene";
    this.player = new Player(this.root, {
      seconds: () => this.drawing?.seconds() ?? 0,
      draw: (fraction) => this.drawing?.draw(fraction),
      now: (fraction) => this.drawing?.now(fraction) ?? "",
    });
    this.root.append(this.player.controls);
    host.append(this.root);
  }

  show(picture: ScenePicture, axes: Axes): void {
    const kind = kindOf(picture);
    const isAnother = this.kind !== "" && kind !== this.kind;
    if (!this.drawing || isAnother) {
      this.drawing?.svg.remove();
      this.drawing = made(kind, this.handles) as Drawing<ScenePicture>;
      this.kind = kind;
      this.root.dataset.kind = kind;
      this.root.prepend(this.drawing.svg);
    }
    this.drawing.show(picture, axes);
    this.drawing.svg.setAttribute("aria-label", this.drawing.described());
    this.fit();
    if (isAnother) this.player.restart();
  }

  resize(): void {
    if (this.host.clientWidth !== this.width) this.fit();
  }

  destroy(): void {
    this.player.destroy();
    this.root.remove();
  }

  /** A copy of this moment, for whoever takes it along. */
  picture(): SVGSVGElement {
    if (!this.drawing) throw new Error("A scene has no picture before one is shown");
    return this.drawing.svg.cloneNode(true) as SVGSVGElement;
  }

  private fit(): void {
    const { drawing } = this;
    if (!drawing) return;
    this.width = this.host.clientWidth;
    // The height of a host that has one of its own; one that is as high as what lies in it has none.
    this.root.style.display = "none";
    const room = this.host.clientHeight || IN_SIGHT * innerHeight;
    this.root.style.display = "";
    const width = Math.max(LEAST_WIDTH, this.width);
    const height = drawing.fit(width, Math.max(0, room - this.player.controls.offsetHeight), measureIn(this.root));
    put(drawing.svg, { width, height, viewBox: `0 0 ${width} ${height}` });
    this.player.drawn();
  }
}

type Kind = "trains" | "racks" | "gantt" | "multiples" | "beliefs";

function kindOf(picture: ScenePicture): Kind {
  if ("departures" in picture) return "trains";
  if ("racks" in picture) return "racks";
  if ("smalls" in picture) return "multiples";
  return "played" in picture ? "gantt" : "beliefs";
}

type AnyDrawing = Drawing<Trains> | Drawing<Racks> | Drawing<Gantt> | Drawing<Multiples> | Drawing<Beliefs>;

function made(kind: Kind, handles: Handles): AnyDrawing {
  switch (kind) {
    case "trains":
      return new TrainsDrawing();
    case "racks":
      return new RacksDrawing();
    case "gantt":
      return new GanttDrawing();
    case "multiples":
      return new MultiplesDrawing(handles);
    case "beliefs":
      return new BeliefsDrawing();
  }
}
