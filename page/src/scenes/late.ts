// All that is fetched once a scene, or a drawing beside a chart, is there; or after the first view.

export { groundOf, SourceCards, SourceLine, SourceList } from "../board/Sourced";
export { CompanionCanvas } from "../companions/CompanionCanvas";
export { Card } from "../walk/Card";
export { SceneCanvas } from "./SceneCanvas";
