// What can be done to what the page knows and shows.

import { batch } from "@preact/signals";

import { isOn } from "../bill/parts";
import { isAmong } from "../chart/identity";
import type { Board, CurvesView, Ledger, Mark, Shelf, Sources, Thumbnails, View, Views, Walk } from "../documents";
import { Refusal, type Source } from "../source/source";
import { type Address, HOME, nameSteps, read, stepAsked, write } from "./address";
import { ask, busily, facts, source } from "./asking";
import { alone, among, over, pastOver, placeIn, reaching, reachingViews } from "./frames";
import { kept, keep as remember } from "./kept";
import { isLeaving, type Places, placesOf } from "./leaving";
import { Newest } from "./newest";
import { onceLifted } from "./pressed";
import { times, units } from "./quantity";
import { leave, scrollBack, toTop } from "./scrolled";
import {
  address,
  answer,
  answered,
  billRead,
  board,
  cameFrom,
  clamped,
  fieldsWith,
  foretold,
  held,
  isFixed,
  isKept,
  isStandIn,
  ledger,
  lit,
  onScreen,
  past,
  picked,
  pictured,
  place,
  problem,
  revealed,
  screen,
  settled,
  shelf,
  shown,
  sources,
  step,
  thumbnails,
  view,
  walk,
} from "./signals";
import { typesetter } from "./typesetter";

export { boardFor, judge, keepConfig } from "./asking";
export { called, spoken } from "./called";
export { viewsAt } from "./frames";
export * from "./signals";

/** Of where a bill is read: finer than a pixel. */
const DIGITS = 4;

/** Controls that were turned before a hand took hold of another; null where none has on this board. */
let started: Record<string, string> | null = null;
/** Whether what is turned is drawn before it is answered; not where a mark is sought, of which answers alone tell. */
let isForetold = false;
/** Where marks stood when a hand took hold, or in the frame that it was given since. */
let stood: Places = new Map();
/** Where a control was drawn before that was answered, as text. */
let foretoldAt = "";
/** Whether the last turn was one by a hand, which has let go: nothing else was asked for since. */
let isLetGo = false;
/** The pictures for what the address says now. */
const pictures = new Newest(askPictures);

/** Begin: the shelf, then what the address says. */
export async function begin(from: Source): Promise<void> {
  source.value = from;
  addEventListener("popstate", ({ state }) => void open(placed(read(location))).then(() => scrollBack(state)));
  await busily(async () => {
    try {
      // What a step says is read while its board is on its way.
      const [found] = await Promise.all([ask<Shelf>("shelf"), address.value.step ? askWalk() : null]);
      units.value = found.units;
      times.value = new RegExp(`^(?:${found.times})$`);
      batch(() => {
        shelf.value = found;
        // A step's name is known from now on, and a claim's board.
        address.value = placed(read(location));
      });
      // The page of all claims waits for these alone.
      if (screen.value === "ledger") ledger.value = await ask<Ledger>("ledger");
      const opened = open(address.value);
      // What the first picture does not need comes after it, but where that is computed in the page: it takes its time.
      if (!from.atHand) await opened;
      ledger.value ??= await ask<Ledger>("ledger");
      if (!walk.value) await askWalk();
      await opened;
      askThumbnails();
      typesetter()?.catch(() => undefined); // for what comes after the first view
    } catch (error) {
      problem.value = Refusal.from(error);
    }
  });
}

/** An address that names a claim and no more is of the claim's board. */
function placed(asked: Address): Address {
  if (!asked.claim || asked.board || asked.step) return asked;
  return { ...asked, board: shelf.value?.claims.find(({ id }) => id === asked.claim)?.board ?? "" };
}

/** The walk, and with it the names of its steps. */
async function askWalk(): Promise<void> {
  const found = await ask<Walk>("walk");
  nameSteps(found.steps);
  walk.value = found;
}

/** Another address, to which a step back leads again. */
export function go(change: Partial<Address>): void {
  const next = { ...address.value, ...change };
  // What lies beside the walk leads back to where one left it, as it stood.
  if (step.value && !next.step) cameFrom.value = address.value;
  leave();
  history.pushState(null, "", write(next));
  void open(next);
}

/** The same, from its top on. */
export function goToTop(change: Partial<Address>): void {
  go(change);
  toTop();
}

/** Another board with the same model and machine, off the walk. */
export function visit(name: string, claim = ""): void {
  const { model, machine } = address.value;
  // Where a claim is asked for it is brought into sight.
  (claim ? go : goToTop)({ ...HOME, board: name, claim, model, machine });
}

/** All claims in a table, of one outcome or of all. */
export function visitLedger(outcome: string): void {
  const { model, machine } = address.value;
  (screen.value === "ledger" ? go : goToTop)({ ...HOME, claims: outcome, model, machine });
}

/** All boards, to choose one. */
export function visitShelf(): void {
  const { model, machine } = address.value;
  goToTop({ ...HOME, boards: "all", model, machine });
}

/** A step of the walk, from 1; after the last what came of it. */
export function walkTo(place: number): void {
  const { model, machine } = address.value;
  goToTop({ ...HOME, step: place, model, machine });
}

/** So many steps on, or back: from what the address says, which may be ahead of what is drawn. */
export function walkOn(by: number): void {
  const place = read(location).step + by;
  if (place >= 1 && place <= (walk.value?.steps.length ?? 0) + 1) walkTo(place);
}

/** A field of the address that was wrong, left out. */
export function leaveOut(field: string): void {
  const rest = { ...address.value.turned };
  delete rest[field];
  go({ turned: rest });
}

/** How often an address was opened: the newest alone is shown. */
let opened = 0;

/** Show what an address says; of several on their way the newest wins. */
export function open(asked: Address): Promise<void> {
  return busily(async () => {
    opened += 1;
    const turn = opened;
    // The frame that a hand has let go of stays from mode to mode, too.
    const but = (one: Address) => JSON.stringify({ ...one, shown: null });
    isLetGo &&= but(asked) === but(address.value);
    try {
      const found = await loaded(asked);
      if (turn !== opened) return;
      show(found);
    } catch (error) {
      if (turn === opened) await withoutFact(Refusal.from(error), asked);
      return;
    }
    await pictures.ask();
    void askSources();
  });
}

/** An address with a step by its place, and the board that it needs: its own, its step's, or that of the first view. */
type Loaded = { next: Address; one: Board | null };

/** All that an address needs before it is shown; what cannot be had, or is not there, is refused. */
async function loaded(asked: Address): Promise<Loaded> {
  // Formulas are drawn with their board; the first view and the claims have none.
  const typesetting = asked.board || asked.step ? typesetter() : null;
  typesetting?.catch(() => undefined); // which is said where it is waited for
  // Who starts at once may be ahead of it.
  if (asked.step && !walk.value) await askWalk();
  const next = asked.step < 0 ? { ...asked, step: read(location).step } : asked;
  // Its titles are there at once; its pictures come when they can.
  if (next.boards) askThumbnails();
  const steps = walk.value?.steps ?? [];
  const place = steps[next.step - 1];
  if (next.step && !place && next.step !== steps.length + 1)
    throw new Refusal("step", `There is no step ${stepAsked(location)}; the lecture has ${steps.length} steps.`);
  const here = board.value;
  // Lists of claims and boards draw none: who comes from one does not wait for another.
  const isList = next.claims || next.boards;
  const name = place?.board ?? (next.board || (isList && here?.name) || shelf.value?.first || "");
  const { model, machine } = address.value;
  const isHere = here?.name === name && next.model === model && next.machine === machine;
  const one = isHere ? here : await ask<Board>(`boards/${encodeURIComponent(name)}`, facts(next));
  await typesetting;
  return { next, one };
}

/** Whether the boards' small pictures were asked for. */
let isPictured = false;

/** The boards' small pictures, which nothing waits for: after the first view, so that they are there with the boards. */
function askThumbnails(): void {
  if (isPictured) return;
  isPictured = true;
  ask<Thumbnails>("thumbnails").then(
    (found) => {
      thumbnails.value = found;
    },
    () => {
      isPictured = false;
    },
  );
}

function show({ next, one }: Loaded): void {
  const before = address.value;
  const isElsewhere = next.step !== before.step || next.exercise !== before.exercise;
  batch(() => {
    if (one?.name !== board.value?.name) {
      answer.value = settled.value = null;
      isStandIn.value = false;
    }
    if (one !== board.value || isElsewhere) past.value = started = null;
    // Who comes back is asked again.
    if (isElsewhere) revealed.value = "";
    address.value = next;
    if (next.step || !next.board) cameFrom.value = null;
    board.value = one;
    // Beside other numbers than its own a question contradicts its picture: an address that has some leads to the answer.
    if (step.value && hasSettings(next)) revealed.value = step.value.id;
    problem.value = null;
    clamped.value = {};
    lit.value = picked.value = null;
  });
  if (step.value && next.step > kept().step) remember({ step: next.step });
}

/** Whether other numbers are asked for than those with which the walk's step begins. */
function hasSettings({ turned: byHand, shown: whose }: Address): boolean {
  return board.value?.controls.some(({ name }) => name in byHand) || (whose !== null && whose !== step.value?.mode);
}

/** The question of the walk's step anew, by the numbers that it is about. */
export function askOnceMore(): void {
  revealed.value = "";
  if (step.value && hasSettings(address.value)) go({ turned: {}, shown: null, at: null });
}

/** The model and the machine whose sources were asked for. */
let sourcesOf: string | null = null;

/** What the numbers of the model and the machine rest on, which no picture waits for. */
async function askSources(): Promise<void> {
  const fields = facts(address.value);
  const of = JSON.stringify(fields);
  if (of === sourcesOf) return;
  sourcesOf = of;
  try {
    const found = await ask<Sources>("sources", fields);
    if (of === sourcesOf) sources.value = found;
  } catch {
    // The board says what is wrong; these are asked for again.
    if (of === sourcesOf) sourcesOf = null;
  }
}

/** Without a model or a machine that there is not, the board is still there. */
async function withoutFact(refusal: Refusal, next: Address): Promise<void> {
  const wrong = (["model", "machine"] as const).filter((field) => field in refusal.wrong && next[field]);
  if (wrong.length) {
    const without = { ...next };
    for (const field of wrong) without[field] = "";
    history.replaceState(null, "", write(without));
    await open(without);
    // What else the address has may be wrong as well.
    const other = problem.value;
    if (other) {
      const { field, message } = refusal;
      problem.value = new Refusal(field, `${message}; ${other.message}`, { ...other.wrong, ...refusal.wrong });
      return;
    }
  }
  problem.value = refusal;
}

/** Turn a control, or (null) let it stand where its mode starts; the address follows when the hand, or the key, lets go. */
export function turn(name: string, text: string | null, isLast: boolean, isSought = false): void {
  if (isFixed.value) return;
  const isFinal = isLast && !onceLifted(() => turn(name, text, true, isSought));
  const now = address.value;
  const next = { ...now.turned };
  if (text === null) delete next[name];
  else next[name] = text;
  batch(() => {
    if (!isFinal && !held.value) {
      started = now.turned;
      stood = placesOf(answer.value);
      past.value = null;
    }
    isLetGo = isFinal && held.value !== "";
    held.value = isFinal ? "" : name;
    // Under a hand all is seen: what it drags moves other lines, too.
    if (!isFinal) lit.value = null;
    // The axis may come to have other ends: the bill is still read where it was, or at the mark that it follows.
    const at = now.at ?? (markOf(answer.value?.views[view.value]) ? null : shortened(billRead.value));
    clamped.value = {};
    if ((now.turned[name] ?? null) !== text) address.value = { ...now, at, turned: next };
    isForetold = !isFinal && !isSought;
    if (isForetold) foretell(name);
  });
  if (isFinal) history.replaceState(null, "", write(address.value));
  void busily(() => pictures.ask());
}

/** Draw what is known of where a control stands now. */
function foretell(name: string): boolean {
  const text = address.value.turned[name] ?? "";
  if (foretoldAt === text) return true;
  const found = answer.value && foretold.value?.at(name);
  if (!found || losesRead(found)) return false;
  foretoldAt = text;
  answer.value = found;
  answered.value = address.value;
  isKept.value = true;
  return true;
}

/** Name of the mark that a bill's place follows: the step's, or the view's own, of which there are two where both modes are shown. */
export function markOf(one: View | undefined): string | null | undefined {
  if (step.value) return step.value.read_mark;
  return shown.value === "both" ? null : one?.read_mark;
}

/** Whether another answer's frame loses, along, a mark on the screen that is read: the one that the handle follows, or those that have words. */
function losesRead(found: Views): boolean {
  const before = answer.value;
  const seen = before?.views[placeIn(before)];
  if (!before || seen?.kind !== "curves") return false;
  const [name, isWorded] = [markOf(seen), readsMarks(seen)];
  const isRead = (mark: Mark) => mark.name === name || (isWorded && !mark.is_quiet && isTold(mark.line));
  return isLeaving(stood, before, found, isRead);
}

/** Whether marks that have words are what is read: of a step that has asked nothing, whose handle follows none of them and stands on no bold line. */
function readsMarks(seen: CurvesView): boolean {
  if (!step.value || step.value.question || markOf(seen)) return false;
  const lines = Object.values(seen.pictures).flatMap((one) => one.lines);
  return billRead.value === null || !lines.some((one) => one.is_bold && isTold(one.name));
}

/** Whether a line is among those that the step tells of, or it tells of all. */
function isTold(line: string): boolean {
  const told = step.value?.lines ?? [];
  return !told.length || isAmong(told, line);
}

/** Read the bill elsewhere, or (null) where it is read at first; the address follows when the hand lets go. */
export function readBillAt(x: number | null, isFinal: boolean): void {
  const at = shortened(x);
  if (at !== address.value.at) address.value = { ...address.value, at };
  if (!isFinal) return;
  history.replaceState(history.state, "", write(address.value));
  // The end of the walk tells what it came to.
  if (screen.value === "home") remember({ at });
}

/** As an address has it. */
function shortened(x: number | null): number | null {
  return x === null ? null : Number(x.toPrecision(DIGITS));
}

/** Ask anew for what the address says: the frame on the screen is another. */
export function askAgain(): void {
  void busily(() => pictures.ask());
}

/** What pictures of an address are asked for by; under a hand in the frame on the screen, and the large one alone. */
export function fieldsOf(asked: Address, isUnderHand: boolean): Record<string, string> {
  const isTurned = board.value?.controls.some(({ name }) => name in asked.turned);
  // The sentence follows what is turned.
  const isOther = isTurned || asked.model || asked.machine;
  const follows: Record<string, string> = isOther && step.value ? { step: step.value.id } : {};
  const by = { ...(place.value?.turned ?? fieldsWith(asked.turned)), ...facts(asked), mode: shown.value, ...follows };
  return isUnderHand ? { ...by, ...over(onScreen.value?.frame()), ...alone() } : { ...by, ...framed() };
}

/** The field that has both modes in the frame, whichever is shown: who goes from one to the other sees the lines move, not the axes. */
function framed(): { frame?: string } {
  return place.value || shown.value === "both" ? {} : { frame: "both" };
}

async function askPictures(): Promise<void> {
  const one = board.value;
  if (!one) return;
  const asked = address.value;
  const turning = held.value;
  const fields = { ...facts(asked), mode: shown.value };
  const frame = turning || isLetGo ? onScreen.value?.frame() : null;
  try {
    const isTurned = one.controls.some(({ name }) => name in asked.turned);
    if (!answer.value && isTurned) await standIn(one, { ...fieldsWith({}), ...fields, ...framed() });
    const by = fieldsOf(asked, turning !== "");
    const wanted = turning ? by : { ...by, ...over(frame && reaching(frame)) };
    const of = async (wish: Record<string, string>) => among(await ask<Views>(`boards/${one.name}/views`, wish), answer.value);
    const within = await of(wanted);
    // What a hand on a slider sets is seen: where it leaves the frame, another is asked for at once.
    const isOut = turning !== "" && isForetold && losesRead(within);
    const drawn = isOut ? await of({ ...fieldsOf(asked, false), ...alone() }) : within;
    const found = frame || turning ? drawn : await reachingViews(one, drawn, by);
    const was = started;
    const ghost = was && (await pastOver(one, found, { ...fieldsWith(was), ...fields }));
    // Who changed the board has asked anew.
    if (one !== board.value) return;
    if (turning && !isOut) foretold.value?.learn(turning, asked.turned[turning], found);
    batch(() => {
      if (ghost && was === started) past.value = ghost;
      // The hand has gone on, and what is drawn with it.
      if (turning && isForetold && asked.turned[turning] !== address.value.turned[turning] && foretell(turning)) return;
      foretoldAt = "";
      if (answer.value && answer.value.modes.join() !== found.modes.join()) readOnAxis(found);
      if (isOut) stood = placesOf(found);
      answer.value = found;
      answered.value = asked;
      isKept.value = Boolean(frame);
      pictured.value = asked.exercise;
      isStandIn.value = false;
      if (!held.value) settled.value = found;
      const [refused] = Object.values(found.refused);
      problem.value = refused && !found.modes.length ? Refusal.of(refused) : null;
      setInside(asked, found);
    });
  } catch (error) {
    if (one === board.value) problem.value = Refusal.from(error);
  }
}

/** Of other numbers the place in hand may lie beyond the axis: it is read where it is at first then, not at an end that nobody chose. */
function readOnAxis(found: Views): void {
  const [{ at }, axis] = [address.value, found.views[placeIn(found)]?.axes.x];
  if (at !== null && axis && !isOn(axis, at)) readBillAt(null, true);
}

/** What was turned beyond its range stands at its end from now on, in the address as on the screen; and it is said. */
function setInside({ turned: asked }: Address, { clamped: found }: Views): void {
  const now = address.value;
  // A hand may have turned it further meanwhile.
  const ends = Object.entries(found).filter(([name]) => name in asked && asked[name] === now.turned[name]);
  if (!ends.length) return;
  clamped.value = Object.fromEntries(ends.map(([name, { said }]) => [name, said]));
  const inside = Object.fromEntries(ends.map(([name, { text }]) => [name, text]));
  address.value = { ...now, turned: { ...now.turned, ...inside } };
  answered.value = { ...now, turned: { ...asked, ...inside } };
  history.replaceState(history.state, "", write(address.value));
}

/** Where an answer has to wait for Python, the one that lies written is drawn meanwhile; the other glides from it. */
async function standIn(one: Board, fields: Record<string, string>): Promise<void> {
  const found = await source.value.atHand?.<Views>(`boards/${one.name}/views`, fields);
  if (!found || one !== board.value || answer.value) return;
  batch(() => {
    answer.value = found;
    isStandIn.value = true;
    started = {};
  });
}

/** An exercise on the board that it is answered on, or (an empty id) none. */
export function openExercise(id: string, on = board.value?.name ?? ""): void {
  const { model, machine } = address.value;
  go({ ...HOME, board: on, exercise: id, model, machine });
}
