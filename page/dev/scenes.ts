// All scenes of scenes.json, which scenes.py writes; those of one name after #, where there is one.

import type { Axes, Scene as ScenePicture } from "../src/documents";
import { Scene } from "../src/scenes/scene";

type Shown = Record<string, { axes: Axes; picture: ScenePicture }>;

const all = (await (await fetch("scenes.json")).json()) as Shown;
const scenes: Record<string, Scene> = {};
for (const [name, { axes, picture }] of Object.entries(all)) {
  if (location.hash && !name.startsWith(location.hash.slice(1))) continue;
  const heading = document.createElement("h2");
  heading.textContent = name;
  const host = document.createElement("div");
  host.id = name;
  document.body.append(heading, host);
  const scene = new Scene(host, { choose: (facts) => console.info(JSON.stringify(facts)) }, () => 0.55 * innerHeight);
  scene.show(picture, axes);
  addEventListener("resize", () => scene.resize());
  scenes[name] = scene;
}
Object.assign(window, { scenes });
