// All that is fetched once a scene, or a drawing beside a chart, is there.

export { CompanionCanvas } from "../companions/CompanionCanvas";
export { SceneCanvas } from "./SceneCanvas";
