// The page: what the address says is asked for, drawn, and changed by hand.

import "katex/dist/katex.min.css";
import "./style.css";

import { ask, Refusal, type Board, type Colour, type Mode, type Shelf, type Views } from "./api";
import { drawView, follow, light, sizeOf, where } from "./chart";
import { claim } from "./claims";
import { knob, standAt, type Knob } from "./controls";
import { byId, element } from "./dom";
import { exercise } from "./exercises";
import { drawFormula } from "./formula";
import { format, learn } from "./quantity";
import { command, read, write, type Shown, type State } from "./state";
import { csv, png, save, svgText, together } from "./take";

const MODES: Mode[] = ["lecture", "careful"];
const NAMES: Record<Shown, string> = { both: "both, side by side", lecture: "the lecture's", careful: "careful: the catalog's" };

let shelf: Shelf;
let state: State;
let board: Board | null = null;
let knobs: Knob[] = [];
let figures: HTMLElement[] = [];
/** By mode: what is on the screen. */
const found = new Map<Mode, Views>();
/** The name under which the server keeps the config.json that was dropped last. */
let dropped = "";
let isAsking = false;
let isStale = false;

void start();

async function start(): Promise<void> {
  setTheme(stored());
  try {
    shelf = await ask<Shelf>("/api/shelf");
  } catch (error) {
    return complain(error);
  }
  learn(shelf.units);
  buildNavigation();
  buildModes();
  buildExports();
  addEventListener("popstate", () => void open(read(location.search, shelf.boards[0]!.name)));
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth === width) return;
    width = innerWidth;
    requestAnimationFrame(draw);
  });
  await open(read(location.search, shelf.boards[0]!.name));
}

/** Show what a state says, from the board on. */
async function open(next: State): Promise<void> {
  const isOther = !board || board.name !== next.board || state.model !== next.model || state.machine !== next.machine;
  state = next;
  if (isOther) {
    try {
      board = await ask<Board>(`/api/boards/${encodeURIComponent(state.board)}`, {
        model: state.model,
        machine: state.machine,
      });
    } catch (error) {
      return complain(error);
    }
    build(board);
  }
  for (const input of document.querySelectorAll<HTMLInputElement>("#modes input")) input.checked = input.value === state.shown;
  arrange();
  await refresh();
}

/** Another state, in the address as a step back leads to the one before. */
function go(change: Partial<State>): void {
  const next = { ...state, ...change };
  history.pushState(null, "", write(next));
  void open(next);
}

function build(one: Board): void {
  document.title = `${one.title} · Ridgeline`;
  byId("title").textContent = one.title;
  byId("question").textContent = one.question;
  byId("caption").textContent = one.caption;
  drawFormula(byId("formula"), one, light);
  for (const link of document.querySelectorAll<HTMLAnchorElement>("#board-list a")) {
    if (link.dataset["name"] === one.name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  byId<HTMLSelectElement>("board-choice").value = one.name;
  buildSources(one);
  knobs = one.controls.map((control) => knob(control, (text, isFinal) => turn(control.name, text, isFinal)));
  byId("controls").replaceChildren(...knobs.map((each) => each.row));
  section("claims", one.claims.length ? "What the lecture says" : "", ...one.claims.map(claim));
  section("exercises", one.exercises.length ? "Can you do these sums?" : "", ...one.exercises.map(exercise));
  found.clear();
  figures = [];
  byId("views").replaceChildren();
}

function turn(name: string, text: string | null, isFinal: boolean): void {
  const turned = { ...state.turned };
  if (text === null) delete turned[name];
  else turned[name] = text;
  state = { ...state, turned };
  if (isFinal) history.replaceState(null, "", write(state));
  void refresh(name);
}

/** Ask for what the state says now; while an answer is on its way, only the newest state is asked for next. */
async function refresh(holding = ""): Promise<void> {
  if (isAsking) {
    isStale = true;
    return;
  }
  isAsking = true;
  try {
    do {
      isStale = false;
      const { board: name, shown, model, machine, turned } = state;
      const modes = shown !== "both" ? [shown] : isAlike() ? MODES.slice(0, 1) : MODES;
      const answers = await Promise.all(
        modes.map((mode) => ask<Views>(`/api/boards/${name}/views`, { ...turned, mode, model, machine })),
      );
      if (name !== state.board) continue;
      found.clear();
      for (const answer of answers) found.set(answer.mode, answer);
      byId("problem").hidden = true;
      draw();
      stand(holding);
    } while (isStale);
  } catch (error) {
    complain(error);
  } finally {
    isAsking = false;
  }
  if (isStale) void refresh();
}

/** Whether the lecture's numbers are the careful ones: then one picture shows both. */
function isAlike(): boolean {
  return board!.controls.every(({ lecture, careful }) => lecture === careful);
}

/** Sliders and fields to where they stand; but for the one that a hand holds. */
function stand(holding: string): void {
  const first = found.get("lecture") ?? found.get("careful");
  for (const each of knobs) {
    const { name } = each.control;
    const text = state.turned[name];
    if (name !== holding || text === undefined) {
      each.show(text, state.shown);
      if (first) standAt(each, first.controls[name]!);
    } else each.show(text, state.shown);
  }
}

/** A figure for each view and mode, made once a board. */
function arrange(): void {
  if (!board) return;
  for (const pair of document.querySelectorAll(".pair")) pair.classList.toggle("both", state.shown === "both");
}

function draw(): void {
  const modes = [...found.keys()];
  const first = found.get(modes[0]!);
  if (!first || !board) return;
  const keys = first.views.flatMap((_, place) => modes.map((mode) => `${mode} ${place}`));
  if (figures.map((figure) => figure.dataset["key"]).join() !== keys.join()) {
    figures = [];
    const pairs = first.views.map((view, place) => {
      const pair = element("div", { class: state.shown === "both" ? "pair both" : "pair" });
      for (const mode of modes) {
        const heading = [view.heading, modes.length > 1 ? (mode === "lecture" ? "The lecture's numbers" : "Careful numbers") : ""];
        const figure = element(
          "figure",
          { "data-key": `${mode} ${place}` },
          element("figcaption", {}, heading.filter(Boolean).join(": ")),
          element("p", { class: "upright" }),
          element(
            "div",
            { class: "canvas", tabindex: 0, role: "group", "aria-label": `${heading.filter(Boolean).join(": ") || board!.title}; arrow keys read values` },
            element("div", { class: "hair", hidden: true }),
            element("div", { class: "readout", hidden: true, "aria-live": "polite" }),
          ),
          element("p", { class: "along" }),
        );
        follow(figure, () => found.get(mode)?.views[place]);
        figures.push(figure);
        pair.append(figure);
      }
      return pair;
    });
    byId("views").replaceChildren(...pairs);
    for (const figure of figures) {
      figure.addEventListener("pointerover", (event) => {
        const colour = (event.target as Element).closest("[data-colour]")?.getAttribute("data-colour");
        light((colour as Colour | undefined) ?? null);
      });
      figure.addEventListener("pointerleave", () => light(null));
    }
  }
  const sizes = figures.map(sizeOf);
  figures.forEach((figure, which) => {
    const [mode, place] = figure.dataset["key"]!.split(" ") as [Mode, string];
    drawView(figure, found.get(mode)!.views[Number(place)]!, sizes[which]!);
  });
  drawPoints();
  byId("command").textContent = [...found.keys()].map((mode) => command(state, mode)).join("\n");
}

function drawPoints(): void {
  const rows = new Map<string, Map<Mode, string>>();
  for (const [mode, { views, marks }] of found)
    for (const mark of marks) {
      const row = rows.get(mark.name) ?? new Map<Mode, string>();
      row.set(mode, where(views[mark.view]!, mark));
      rows.set(mark.name, row);
    }
  const modes = [...found.keys()];
  const table = element(
    "table",
    {},
    element("thead", {}, element("tr", {}, ...["point", ...modes].map((name) => element("th", { scope: "col" }, name)))),
    element(
      "tbody",
      {},
      ...[...rows].map(([name, row]) =>
        element("tr", {}, element("td", {}, name), ...modes.map((mode) => element("td", {}, row.get(mode) ?? "-"))),
      ),
    ),
  );
  byId("points").replaceChildren(...(rows.size ? [element("div", { class: "scroll" }, table)] : []));
}

function complain(error: unknown): void {
  const problem = byId("problem");
  problem.textContent = error instanceof Error ? error.message : String(error);
  problem.hidden = false;
  if (error instanceof Refusal) {
    knobs.find((each) => each.control.name === error.field)?.refuse(error.message);
    if (error.field === "board" && !board)
      problem.append(" ", element("a", { href: `?board=${shelf.boards[0]!.name}` }, "Go to the first board"));
  }
}

function section(id: string, heading: string, ...parts: Node[]): void {
  byId(id).replaceChildren(...(heading ? [element("h2", {}, heading)] : []), ...parts);
}

function buildNavigation(): void {
  const choice = byId<HTMLSelectElement>("board-choice");
  choice.replaceChildren(...shelf.boards.map(({ name, title }) => element("option", { value: name }, title)));
  choice.addEventListener("change", () => visit(choice.value));
  byId("board-list").replaceChildren(
    ...shelf.boards.map(({ name, question }) => {
      const link = element("a", { href: `?board=${name}`, "data-name": name, title: question }, name);
      link.addEventListener("click", (event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return;
        event.preventDefault();
        visit(name);
      });
      return element("li", {}, link);
    }),
  );
  byId("theme").addEventListener("click", () => {
    setTheme(isDark() ? "light" : "dark");
    draw();
  });
}

/** Another board, with the same model and machine. */
function visit(name: string): void {
  go({ board: name, turned: {} });
  if (dropped) void takeFrom(dropped);
}

function buildModes(): void {
  const fields = byId("modes");
  for (const [value, name] of Object.entries(NAMES)) {
    const input = element("input", { type: "radio", name: "mode", value, id: `mode-${value}` });
    input.addEventListener("change", () => go({ shown: value as Shown }));
    fields.append(element("label", { for: `mode-${value}` }, input, " ", name));
  }
}

function buildSources(one: Board): void {
  const pick = (field: "model" | "machine", names: string[], own: string) => {
    const choice = element("select", { id: field });
    choice.append(...names.map((name) => element("option", { value: name }, name)));
    choice.value = own;
    choice.addEventListener("change", () => go({ [field]: choice.value }));
    return element("label", { for: field }, `careful ${field}`, choice);
  };
  const file = element("input", { type: "file", accept: ".json,application/json", id: "config" });
  file.addEventListener("change", () => {
    if (file.files?.[0]) void drop(file.files[0]);
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
    pick("model", shelf.models, one.model),
    pick("machine", shelf.machines, one.machine),
    place,
  );
}

async function drop(file: File): Promise<void> {
  try {
    dropped = (await ask<{ model: string }>("/api/models", {}, { method: "POST", body: file })).model;
    await takeFrom(dropped);
    say(`Numbers are taken from ${file.name}`);
  } catch (error) {
    complain(error);
  }
}

/** Turn the controls to what a dropped configuration says, so that the link needs no file. */
async function takeFrom(model: string): Promise<void> {
  const { board: name, machine } = state;
  const [theirs, usual] = await Promise.all([
    ask<Board>(`/api/boards/${name}`, { model, machine }),
    ask<Board>(`/api/boards/${name}`, { machine }),
  ]);
  if (name !== state.board) return;
  const turned: Record<string, string> = {};
  theirs.controls.forEach((control, place) => {
    if (control.careful !== null && control.careful !== usual.controls[place]!.careful)
      turned[control.name] = format(control.careful, control.dimension, 6);
  });
  go({ shown: "careful", model: "", turned });
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
  section(
    "export",
    "Take it along",
    element(
      "div",
      { class: "row" },
      button("Copy link", () => copy(location.origin + location.pathname + write(state))),
      button("SVG", () => save(new Blob([svgText(together(figures))], { type: "image/svg+xml" }), `${state.board}.svg`)),
      button("PNG", async () => save(await png(together(figures)), `${state.board}.png`)),
      button("CSV", () => save(new Blob([csv([...found.values()])], { type: "text/csv" }), `${state.board}.csv`)),
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

function setTheme(theme: string): void {
  if (theme) document.documentElement.dataset["theme"] = theme;
  try {
    if (theme) localStorage.setItem("theme", theme);
  } catch {
    // A page that may not remember still changes.
  }
  byId("theme").textContent = isDark() ? "light" : "dark";
}
