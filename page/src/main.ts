// The page: what the address says is asked for, drawn, and changed by hand.

import "katex/dist/katex.min.css";
import "./style.css";

import { ask, Refusal, type Board, type Colour, type Mark, type Mode, type Shelf, type View, type Views } from "./api";
import { drawView, follow, light, sizeOf, where } from "./chart";
import { claim } from "./claims";
import { knob, type Knob } from "./controls";
import { byId, element } from "./dom";
import { exercise } from "./exercises";
import { drawFormula, letters } from "./formula";
import { format, learn } from "./quantity";
import { command, read, write, type Shown, type State } from "./state";
import { csv, png, save, svgText, together } from "./take";

const MODES: Mode[] = ["lecture", "careful"];
const NAMES: Record<Shown, string> = { both: "both, side by side", lecture: "the lecture's", careful: "careful: the catalog's" };
const HEADINGS: Record<Mode, string> = { lecture: "The lecture's numbers", careful: "Careful numbers" };
const DROPPED = "dropped";

let shelf: Shelf;
let state: State;
let board: Board | null = null;
let knobs: Knob[] = [];
let figures: Figure[] = [];
/** By mode: what is on the screen, or why it is not. */
const found = new Map<Mode, Views | Refusal>();
/** Files that were dropped, by the server's names for them; they are kept over a reload. */
const dropped = new Map<string, string>(remembered());
/** The control whose slider a hand holds. */
let held = "";
let opening = 0;
let isAsking = false;
let isStale = false;
let underWay = 0;

interface Figure {
  element: HTMLElement;
  mode: Mode;
  place: number;
  /** Reads the values under the pointer again. */
  refresh: () => void;
}

void start();

async function start(): Promise<void> {
  setTheme(stored());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    setTheme(stored());
    draw();
  });
  try {
    shelf = await ask<Shelf>("/api/shelf");
  } catch (error) {
    return complain(error);
  }
  learn(shelf.units);
  buildNavigation();
  buildModes();
  buildExports();
  addEventListener("popstate", () => void open(fromAddress()));
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth === width) return;
    width = innerWidth;
    requestAnimationFrame(draw);
  });
  await open(fromAddress());
}

function fromAddress(): State {
  return read(location.search, shelf.boards[0]!.name);
}

/** The pictures are behind, and say so, from the first question that is asked until the last answer is drawn. */
async function behind(work: Promise<void>): Promise<void> {
  underWay += 1;
  byId("views").setAttribute("aria-busy", "true");
  try {
    await work;
  } finally {
    underWay -= 1;
    byId("views").setAttribute("aria-busy", String(underWay > 0));
  }
}

function open(next: State): Promise<void> {
  return behind(openNewest(next));
}

/** Show what a state says, from the board on; of several on their way the newest wins. */
async function openNewest(next: State): Promise<void> {
  const mine = ++opening;
  let one = board;
  if (!one || !state || one.name !== next.board || state.model !== next.model || state.machine !== next.machine) {
    try {
      one = await ask<Board>(`/api/boards/${encodeURIComponent(next.board)}`, facts(next));
    } catch (error) {
      if (mine !== opening) return;
      // Without the model or the machine that there is not, the board is still there.
      if (error instanceof Refusal && (error.field === "model" || error.field === "machine") && next[error.field]) {
        const without = { ...next, [error.field]: "" };
        history.replaceState(null, "", write(without));
        await openNewest(without);
      }
      return complain(error);
    }
    if (mine !== opening) return;
  }
  state = next;
  if (one !== board) show(one);
  for (const input of document.querySelectorAll<HTMLInputElement>("#modes input")) input.checked = input.value === state.shown;
  for (const each of knobs) {
    each.show(state.turned[each.control.name], state.shown);
    each.stand((state.shown === "careful" ? each.control.careful : null) ?? each.control.lecture ?? each.control.low);
  }
  await refresh();
}

function facts({ model, machine }: State): Record<string, string> {
  return { ...(model && { model }), ...(machine && { machine }) };
}

/** Another state, in the address as a step back leads to the one before. */
function go(change: Partial<State>): void {
  const next = { ...state, ...change };
  history.pushState(null, "", write(next));
  void open(next);
}

/** A board's words and controls; of another model or machine only where its controls start. */
function show(one: Board): void {
  const isOther = board?.name !== one.name;
  board = one;
  byId("board").classList.remove("empty");
  if (!isOther) {
    one.controls.forEach((control, place) => knobs[place]!.start(control));
    showSources(one);
    return;
  }
  light(null);
  document.title = `${one.title} · Ridgeline`;
  byId("title").textContent = one.title;
  byId("question").textContent = one.question;
  byId("caption").textContent = one.caption;
  drawFormula(byId("formula"), one, light);
  byId("symbols").replaceChildren(...letters(one));
  const recording = byId<HTMLAnchorElement>("recording");
  recording.hidden = !one.time_stamp;
  recording.href = one.link;
  recording.textContent = `${one.time_stamp} in the recording`;
  for (const link of document.querySelectorAll<HTMLAnchorElement>("#board-list a")) {
    if (link.dataset["name"] === one.name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  byId<HTMLSelectElement>("board-choice").value = one.name;
  showSources(one);
  knobs = one.controls.map((control) => knob(control, (text, isFinal) => turn(control.name, text, isFinal)));
  byId("controls").replaceChildren(...knobs.map((each) => each.row));
  section("claims", one.claims.length ? "What the lecture says" : "", ...one.claims.map(claim));
  section("exercises", one.exercises.length ? "Can you do these sums?" : "", ...one.exercises.map(exercise));
  found.clear();
  figures = [];
  byId("views").replaceChildren();
}

function turn(name: string, text: string | null, isFinal: boolean): void {
  held = isFinal ? "" : name;
  const isSame = (state.turned[name] ?? null) === text;
  if (!isSame) {
    const turned = { ...state.turned };
    if (text === null) delete turned[name];
    else turned[name] = text;
    state = { ...state, turned };
  }
  if (isFinal) history.replaceState(null, "", write(state));
  if (!isSame || isFinal) void refresh(isSame);
}

/** Ask for what the state says now; while an answer is on its way, only the newest state is asked for next. */
async function refresh(isDrawn = false): Promise<void> {
  if (isAsking) {
    isStale ||= !isDrawn;
    return;
  }
  if (isDrawn && found.size) return stand();
  await behind(askUntilDrawn());
}

async function askUntilDrawn(): Promise<void> {
  isAsking = true;
  do {
    isStale = false;
    const asked = state;
    const modes = shownModes();
    const answers = await Promise.allSettled(
      modes.map((mode) => ask<Views>(`/api/boards/${asked.board}/views`, { ...asked.turned, ...facts(asked), mode })),
    );
    if (asked !== state) {
      isStale = true;
      if (asked.board !== state.board) continue;
    }
    found.clear();
    answers.forEach((answer, which) => {
      const refusal = answer.status === "rejected" ? asRefusal(answer.reason) : null;
      found.set(modes[which]!, refusal ?? (answer as PromiseFulfilledResult<Views>).value);
    });
    const refusals = [...found.values()].filter((each) => each instanceof Refusal);
    if (refusals.length < found.size) {
      byId("problem").hidden = true;
      draw();
    }
    stand();
    byId("views").classList.toggle("stale", refusals.length === found.size);
    if (refusals.length === found.size) complain(refusals[0]);
  } while (isStale);
  isAsking = false;
}

function asRefusal(error: unknown): Refusal {
  return error instanceof Refusal ? error : new Refusal("", String(error));
}

function shownModes(): Mode[] {
  if (state.shown !== "both") return [state.shown];
  return isAlike() ? MODES.slice(0, 1) : MODES;
}

/** Whether the lecture's numbers are the careful ones: then one picture shows both. */
function isAlike(): boolean {
  return board!.controls.every(({ lecture, careful }) => lecture === careful);
}

function drawnViews(): Views[] {
  return [...found.values()].filter((each): each is Views => !(each instanceof Refusal));
}

/** Sliders and fields to where they stand; but for the one that a hand holds. */
function stand(): void {
  const [first] = drawnViews();
  for (const each of knobs) {
    const { name } = each.control;
    each.show(state.turned[name], state.shown);
    if (name !== held && first) each.stand(first.controls[name]!);
  }
}

function draw(): void {
  if (!board || !drawnViews().length) return;
  arrange();
  const sizes = figures.map((figure) => sizeOf(figure.element));
  figures.forEach(({ element: figure, mode, place, refresh: again }, which) => {
    drawView(figure, (found.get(mode) as Views).views[place]!, sizes[which]!);
    again();
  });
  drawPoints();
  byId("command").textContent = drawnViews()
    .map(({ mode }) => command({ ...state, model: dropped.get(state.model) ?? state.model }, mode))
    .join("\n");
}

/** A figure for each view and mode, made anew only where others are needed. */
function arrange(): void {
  const modes = [...found.keys()];
  const key = (mode: Mode) => (found.get(mode) instanceof Refusal ? `${mode}: ${(found.get(mode) as Refusal).message}` : mode);
  const wanted = [state.board, ...modes.map(key)].join();
  const place = byId("views");
  if (place.dataset["shows"] === wanted && figures.length) return;
  place.dataset["shows"] = wanted;
  light(null);
  figures = [];
  const refused = modes.filter((mode) => found.get(mode) instanceof Refusal);
  const pairs = drawnViews()[0]!.views.map((view, which) => {
    const pair = element("div", { class: modes.length > 1 ? "pair both" : "pair" });
    for (const mode of modes) {
      if (refused.includes(mode)) {
        if (!which) pair.append(element("p", { class: "refused" }, `${HEADINGS[mode]}: ${(found.get(mode) as Refusal).message}`));
      } else pair.append(figureOf(view, mode, which, modes.length > 1).element);
    }
    return pair;
  });
  place.replaceChildren(...pairs);
}

function figureOf(view: View, mode: Mode, place: number, isOneOfTwo: boolean): Figure {
  const heading = [view.heading, isOneOfTwo ? HEADINGS[mode] : ""].filter(Boolean).join(": ");
  const figure = element(
    "figure",
    {},
    element("figcaption", {}, heading),
    element("p", { class: "upright" }),
    element(
      "div",
      { class: "canvas", tabindex: 0, role: "group", "aria-label": `${heading || board!.title}; arrow keys read values` },
      element("div", { class: "hair", hidden: true }),
      element("div", { class: "readout", hidden: true, "aria-live": "polite" }),
    ),
    element("p", { class: "along" }),
  );
  const made: Figure = {
    element: figure,
    mode,
    place,
    refresh: follow(figure, () => {
      const views = found.get(mode);
      return views && !(views instanceof Refusal) ? views.views[place] : undefined;
    }),
  };
  figure.addEventListener("pointerover", (event) => {
    const colour = (event.target as Element).closest("[data-colour]")?.getAttribute("data-colour");
    light((colour as Colour | undefined) ?? null);
  });
  figure.addEventListener("pointerleave", () => light(null));
  figures.push(made);
  return made;
}

/** The points that matter, by view and name: what is there in one mode need not be in another. */
function drawPoints(): void {
  const rows = new Map<string, { view: View; mark: Mark; texts: Map<Mode, string> }>();
  for (const { mode, views } of drawnViews())
    views.forEach((view, place) => {
      if (view.kind !== "curves") return;
      for (const mark of view.marks) {
        const key = `${place} ${mark.name}`;
        const row = rows.get(key) ?? { view, mark, texts: new Map<Mode, string>() };
        row.texts.set(mode, where(view, mark));
        rows.set(key, row);
      }
    });
  const modes = drawnViews().map(({ mode }) => mode);
  const table = element(
    "table",
    {},
    element("caption", { class: "unseen" }, "Points of the pictures: along, up"),
    element("thead", {}, element("tr", {}, ...["point", ...modes, "of"].map((name) => element("th", { scope: "col" }, name)))),
    element(
      "tbody",
      {},
      ...[...rows.values()].map(({ view, mark, texts }) =>
        element(
          "tr",
          {},
          element("th", { scope: "row" }, view.heading ? `${view.heading}: ${mark.name}` : mark.name),
          ...modes.map((mode) => element("td", {}, texts.get(mode) ?? "-")),
          element("td", { class: "of" }, `${view.axes.x.caption}; ${view.axes.y.caption}`),
        ),
      ),
    ),
  );
  section("points", rows.size ? "The points in numbers" : "", ...(rows.size ? [element("div", { class: "scroll" }, table)] : []));
}

/** Say what is wrong: above the pictures with a way out, and beside each control that it is about. */
function complain(error: unknown): void {
  const refusal = asRefusal(error);
  for (const each of knobs) if (each.control.name in refusal.wrong) each.refuse(refusal.wrong[each.control.name]!);
  const problem = byId("problem");
  problem.textContent = refusal.message;
  problem.hidden = false;
  if (refusal.field === "board" && shelf)
    problem.append(" ", element("a", { href: `?board=${shelf.boards[0]!.name}` }, "Go to the first board"));
  else if (state && refusal.field in state.turned) {
    const turned = { ...state.turned };
    delete turned[refusal.field];
    problem.append(" ", element("button", { type: "button", click: () => go({ turned }) }, `Leave ${refusal.field} out`));
  } else if (refusal.field === "mode")
    problem.append(" ", element("button", { type: "button", click: () => go({ shown: "both" }) }, "Show both"));
}

function section(id: string, heading: string, ...parts: Node[]): void {
  byId(id).replaceChildren(...(heading ? [element("h2", {}, heading)] : []), ...parts);
}

function buildNavigation(): void {
  const choice = byId<HTMLSelectElement>("board-choice");
  choice.replaceChildren(...shelf.boards.map(({ name, title }) => element("option", { value: name }, title)));
  choice.addEventListener("change", () => visit(choice.value));
  let chapter = "";
  byId("board-list").replaceChildren(
    ...shelf.boards.flatMap(({ name, title, question, chapter: of, chapter_title }) => {
      const link = element("a", { href: `?board=${name}`, "data-name": name, title: `${title}: ${question}` }, name);
      link.addEventListener("click", (event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        visit(name);
      });
      const item = element("li", {}, link);
      if (of === chapter) return [item];
      chapter = of;
      return [element("li", { class: "chapter", title: chapter_title }, `${of.replaceAll("_", " ")}:`), item];
    }),
  );
  byId("theme").addEventListener("click", () => {
    setTheme(isDark() ? "light" : "dark", true);
    draw();
  });
}

/** Another board, with the same model and machine. */
function visit(name: string): void {
  go({ board: name, turned: {} });
}

function buildModes(): void {
  const fields = byId("modes");
  for (const [value, name] of Object.entries(NAMES)) {
    const input = element("input", { type: "radio", name: "mode", value, id: `mode-${value}` });
    input.addEventListener("change", () => go({ shown: value as Shown }));
    fields.append(element("label", { for: `mode-${value}` }, input, " ", name));
  }
}

function showSources(one: Board): void {
  byId("sources").hidden = !one.takes_facts;
  const [model, machine] = ["model", "machine"].map((id) => document.getElementById(id) as HTMLSelectElement | null);
  if (!model || !machine) return buildSources(one);
  for (const [name, file] of dropped)
    if (!model.querySelector(`[value="${name}"]`)) model.append(element("option", { value: name }, file));
  model.value = state.model || one.model;
  machine.value = one.machine;
}

function buildSources(one: Board): void {
  const pick = (field: "model" | "machine", names: string[], change: (name: string) => void) => {
    const choice = element("select", { id: field }, ...names.map((name) => element("option", { value: name }, name)));
    choice.addEventListener("change", () => change(choice.value));
    return element("label", { for: field }, `careful ${field}`, choice);
  };
  const file = element("input", { type: "file", accept: ".json,application/json", id: "config" });
  file.addEventListener("change", () => {
    if (file.files?.[0]) void drop(file.files[0]);
    file.value = "";
  });
  const place = element("label", { class: "drop", for: "config" }, "or a model's config.json: ", file);
  place.addEventListener("dragover", (event) => {
    event.preventDefault();
    place.classList.add("over");
  });
  place.addEventListener("dragleave", () => place.classList.remove("over"));
  place.addEventListener("drop", (event) => {
    event.preventDefault();
    place.classList.remove("over");
    if (event.dataTransfer?.files[0]) void drop(event.dataTransfer.files[0]);
  });
  byId("sources").replaceChildren(
    pick("model", shelf.models, (model) => go({ model })),
    pick("machine", shelf.machines, (machine) => go({ machine })),
    place,
  );
  showSources(one);
}

async function drop(file: File): Promise<void> {
  try {
    const { model } = await ask<{ model: string }>("/api/models", {}, { method: "POST", body: file });
    dropped.set(model, file.name);
    remember();
    go({ model, shown: state.shown === "lecture" ? "both" : state.shown });
    say(`Careful numbers are taken from ${file.name}`);
  } catch (error) {
    complain(error);
  }
}

/** A state that needs no file: what a dropped configuration says of the controls is turned to. */
async function withoutFile(): Promise<State> {
  if (!dropped.has(state.model)) return state;
  const at = `/api/boards/${encodeURIComponent(state.board)}`;
  const [theirs, usual] = await Promise.all([
    ask<Board>(at, facts(state)),
    ask<Board>(at, facts({ ...state, model: "" })),
  ]);
  const turned: Record<string, string> = {};
  theirs.controls.forEach((control, place) => {
    if (control.careful !== null && control.careful !== usual.controls[place]!.careful)
      turned[control.name] = format(control.careful, control.dimension, 6);
  });
  return { ...state, shown: "careful", model: "", turned: { ...turned, ...state.turned } };
}

function buildExports(): void {
  const button = (name: string, act: () => void | Promise<void>) =>
    element(
      "button",
      {
        type: "button",
        click: () => {
          Promise.resolve(act()).catch(complain);
        },
      },
      name,
    );
  const copy = (text: string) => navigator.clipboard.writeText(text).then(() => say("Copied"));
  const picture = () =>
    together(figures.map((figure) => figure.element), [board!.question, ...(byId("command").textContent ?? "").split("\n")]);
  section(
    "export",
    "Take it along",
    element(
      "div",
      { class: "row" },
      button("Copy link", async () => copy(location.origin + location.pathname + write(await withoutFile()))),
      button("SVG", () => save(new Blob([svgText(picture())], { type: "image/svg+xml" }), `${state.board}.svg`)),
      button("PNG", async () => save(await png(picture()), `${state.board}.png`)),
      button("CSV", () => save(new Blob([csv(board!, drawnViews())], { type: "text/csv" }), `${state.board}.csv`)),
      button("Copy command", () => copy(byId("command").textContent ?? "")),
    ),
    element("code", { id: "command", tabindex: 0, "aria-label": "In a terminal the same numbers" }),
  );
}

function say(text: string): void {
  byId("said").textContent = text;
}

function isDark(): boolean {
  const chosen = document.documentElement.dataset["theme"];
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function stored(): string {
  try {
    return localStorage.getItem("theme") ?? "";
  } catch {
    return "";
  }
}

function remembered(): [string, string][] {
  try {
    return JSON.parse(sessionStorage.getItem(DROPPED) ?? "[]") as [string, string][];
  } catch {
    return [];
  }
}

function remember(): void {
  try {
    sessionStorage.setItem(DROPPED, JSON.stringify([...dropped]));
  } catch {
    // A page that may not remember asks for the file again after a reload.
  }
}

function setTheme(theme: string, isChosen = false): void {
  if (theme) document.documentElement.dataset["theme"] = theme;
  try {
    if (isChosen) localStorage.setItem("theme", theme);
  } catch {
    // A page that may not remember still changes.
  }
  byId("theme").textContent = isDark() ? "light" : "dark";
}
