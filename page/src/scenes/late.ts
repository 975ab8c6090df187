// All that is fetched once a scene, or a drawing beside a chart, is there; or after the first view.

export { dragging } from "../board/drag";
export { groundOf, SourceCards, SourceLine, SourceList } from "../board/Sourced";
export { Predict } from "../chart/predict";
export { CompanionCanvas } from "../companions/CompanionCanvas";
export { Ledger } from "../shell/Ledger";
export { ByChapter, Picture, Shelf } from "../shell/Shelf";
export { Choice, Options, Rooms } from "../walk/Choice";
export { Ended } from "../walk/Ended";
export { Grounds } from "../walk/Grounds";
export { Judged } from "../walk/Judged";
export { SceneCanvas } from "./SceneCanvas";

import "../board/foretold";
import { layGrain } from "../shell/chalk";
import { watchFoot } from "../shell/goeson";

layGrain();
watchFoot();
