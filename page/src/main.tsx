// The page: what the address says is asked for, drawn, and changed by hand.

import "katex/dist/katex.min.css";
import "./fonts.css";
import "./shell/page.css";
import "./shell/header.css";
import "./shell/shelf.css";
import "./shell/landing.css";
import "./shell/ledger.css";
import "./board/board.css";
import "./board/formula.css";
import "./bill/bill.css";
import "./board/figure.css";
import "./board/sources.css";
import "./board/controls.css";
import "./board/below.css";
import "./board/margin.css";
import "./board/words.css";
import "./board/exercise.css";
import "./walk/walk.css";
import "./walk/columns.css";
import "./machine/machine.css";
import "./shell/touch.css";
import "./shell/phone.css";
import "./board/phone.css";
import "./walk/phone.css";
import "./shell/landscape.css";
import "./walk/sizes.css";

import { render } from "preact";

import { explainWords } from "./board/Words";
import { fetchScenes } from "./scenes/fetched";
import { markKeyed } from "./shell/keyed";
import { Page } from "./shell/Page";
import { beginTheme } from "./shell/theme";
import { server } from "./source/server";
import { site, siteOf } from "./source/site";
import { begin, notice, screen } from "./state/store";

beginTheme();
markKeyed();
explainWords();
const place = document.getElementById("page");
if (place) render(<Page />, place);
const here = siteOf(document.head, (text) => {
  notice.value = text;
});
if (screen.value !== "home") void fetchScenes();
// Home needs none; who goes on from there finds them at hand.
void begin(here ? site(here) : server).then(fetchScenes);
