// What the page knows and shows, as signals.

import { computed, signal } from "@preact/signals";
import type { Board, Colour, Ledger, Mode, Question, Shelf, Sources, Step, Thumbnails, Views, Walk } from "../documents";
import type { Refusal } from "../source/source";
import { type Address, read, type Whose } from "./address";
import { hasSketch } from "./narrow";

export const shelf = signal<Shelf | null>(null);
export const ledger = signal<Ledger | null>(null);
export const thumbnails = signal<Thumbnails | null>(null);
/** What numbers rest on; null until it is there. */
export const sources = signal<Sources | null>(null);
export const walk = signal<Walk | null>(null);
export const address = signal<Address>(read(location));
export const board = signal<Board | null>(null);
/** The step from which one went to what is shown, as it was left; null on the walk, and of who came another way. */
export const cameFrom = signal<Address | null>(null);
export const answer = signal<Views | null>(null);
/** The address that the answer is for, behind which the address itself is ahead while another is on its way. */
export const answered = signal<Address | null>(null);
/** What is wrong, and with which field. */
export const problem = signal<Refusal | null>(null);
/** What the link had set beyond its range, in words by control; until something else is asked for. */
export const clamped = signal<Record<string, string>>({});
/** The control that a hand holds. */
export const held = signal("");
/** The exercise whose numbers the answer is of; empty for none. */
export const pictured = signal("");
/** The pictures as they were before a hand took hold, over the frame of now; null where what stays on the screen is enough. */
export const past = signal<Views | null>(null);
/** Whether the answer is for the frame on the screen: a hand holds it, or has let go of it. */
export const isKept = signal(false);
/** Whether the answer is for where controls start, until the one for where the address has them is there. */
export const isStandIn = signal(false);
/** The answer, but for those that come while a hand turns: what stands beside the picture waits until it lets go. */
export const settled = signal<Views | null>(null);
/** Names of the controls that have a slider on the screen. */
export const inSight = signal<readonly string[]>([]);
/** Colour of the term or line under the pointer. */
export const lit = signal<Colour | null>(null);
/** The control whose letter in the formula a hand or a key is at. */
export const lettered = signal("");
/** Where along the bill on the screen is read; null where there is none. */
export const billRead = signal<number | null>(null);
/** Whose numbers a picture is of that shows one mode at a time; null of others, and until it is there. */
export const single = signal<Mode | null>(null);
/** Which of two modes was chosen that are shown one at a time; null where nobody has chosen. */
export const picked = signal<Mode | null>(null);
/** Marks of the picture that a claim under the pointer is about, by their keys. */
export const pointed = signal<readonly string[]>([]);
/** Questions that are under way. */
export const underWay = signal(0);
export const isBusy = computed(() => underWay.value > 0);
/** What keeps the page waiting, in words; empty where nothing does for long. */
export const notice = signal("");
/** What a screen reader is told. */
export const said = signal("");
/** Id of the step or the exercise whose question was answered, or given up. */
export const revealed = signal("");

const unturned = computed(() => JSON.stringify({ ...address.value, turned: undefined, at: undefined }));
/** The address but for what a hand moves: who reads no more of it is not drawn anew in each frame under a hand. */
export const whereabouts = computed<Omit<Address, "turned" | "at">>(() => JSON.parse(unturned.value));

export const step = computed<Step | null>(() => walk.value?.steps[address.value.step - 1] ?? null);
/** All claims, all boards, the end of the walk with what came of it, the first view, a step of the walk, or a board. */
export type Screen = "ledger" | "shelf" | "end" | "home" | "step" | "board";
/** What the address leads to, whether there is such a board or step or not. */
export const screen = computed<Screen>(() => {
  const { step: place, board: name, claims, boards } = address.value;
  if (place) return place === (walk.value?.steps.length ?? Number.NaN) + 1 ? "end" : "step";
  if (name) return "board";
  return claims ? "ledger" : boards ? "shelf" : "home";
});
/** The exercise that is open. */
export const exercise = computed<Question | null>(
  () => board.value?.exercises.find(({ id }) => id === address.value.exercise) ?? null,
);
/** Where it is answered, on this board. */
export const place = computed(() => {
  const found = exercise.value?.place;
  return found?.board === board.value?.name ? (found ?? null) : null;
});
/** Id of what is asked on the picture: an exercise, else the step. */
export const askedId = computed(() => exercise.value?.id ?? step.value?.id ?? "");
/** Whether that was answered, or given up. */
export const isRevealed = computed(() => revealed.value !== "" && revealed.value === askedId.value);
/** Whether the step has an answer chosen before its picture is seen. */
export const isChoosing = computed(() => exercise.value === null && Boolean(step.value?.choice) && !isRevealed.value);
/** What of the step's chart, and of what is beside it, is drawn before that; null where nothing is, or the answers lie there. */
export const sketch = computed(() => (isChoosing.value && hasSketch.value && step.value?.choice?.sketch) || null);
/** Whether an answer is still awaited, so that nothing may give it away. */
export const isAsked = computed(
  () => isChoosing.value || ((exercise.value !== null || Boolean(step.value?.question)) && !isRevealed.value),
);
/** Whether the walk asks first: what is turned before the answer would change the question, or give it away. */
export const isHeld = computed(() => isAsked.value && exercise.value === null);
/** Whether it asks for a dot on the chart. */
export const isGuessing = computed(() => isHeld.value && !isChoosing.value);
/** Whether no control may be turned: an exercise is about its own numbers, as is a question of the walk until it is answered. */
export const isFixed = computed(() => place.value !== null || isHeld.value);
/** Whose numbers a board opens in; what is no board's page has both. */
const opens = computed<Whose>(() => (address.value.board && board.value?.opens) || "both");
/** Whose numbers are shown: an exercise's own, else as chosen, else as the step has it, else as the board opens. */
export const shown = computed<Whose>(() =>
  place.value ? "lecture" : (address.value.shown ?? step.value?.mode ?? opens.value),
);
/** Which picture is large: the exercise's, else as chosen (but not beside an open question), else the step's, else the first. */
export const view = computed(() => place.value?.view ?? (isHeld.value ? null : address.value.view) ?? step.value?.view ?? 0);
/** Controls that the step has set in a mode: its own numbers are of the modes it opens in, and stand beside no others. */
export function pinnedIn(mode: Mode): Record<string, string> {
  const now = step.value;
  return (now?.mode === mode || now?.mode === "both" ? now?.turned : null) ?? {};
}
/** Controls that a hand has set, or the exercise. */
export const setAnew = computed<Record<string, string>>(() => place.value?.turned ?? address.value.turned);
/** Controls that stand elsewhere than where their mode starts, by an exercise, by the step or by hand. */
export function turnedIn(mode: Mode): Record<string, string> {
  return place.value?.turned ?? { ...pinnedIn(mode), ...address.value.turned };
}
/** The same where controls stand: of both modes the careful one's. */
export const turned = computed<Record<string, string>>(() => ({
  ...pinned.value,
  ...(place.value ? {} : address.value.turned),
}));
/** Of these what no hand has set. */
export const pinned = computed(() => place.value?.turned ?? pinnedIn(shown.value === "lecture" ? "lecture" : "careful"));
/** Controls that a hand has set in what the picture is of, behind which the address is ahead. */
export const drawnByHand = computed<Record<string, string>>(() => {
  if (place.value) return {};
  const isHere = answer.value && !isStandIn.value && answered.value?.step === address.value.step;
  return ((isHere && answered.value) || address.value).turned;
});
/** What by hand is set beside what the step has set, as fields: what it has set in one of two modes names that mode. */
export function fieldsWith(byHand: Record<string, string>): Record<string, string> {
  const { mode, turned: set = {} } = step.value ?? {};
  const left = Object.entries(set).filter(([name]) => !(name in byHand));
  return { ...Object.fromEntries(left.map(([name, text]) => [mode === "both" ? name : `${mode}.${name}`, text])), ...byHand };
}

/** What the picture on the screen is asked for from outside. */
export interface OnScreen {
  /** A copy, to be taken along. */
  picture(): SVGSVGElement;
  /** Ends of x, between which lines are to be drawn while a hand holds their frame; null where it holds none. */
  frame(): Along | null;
  /** Between which the ghost of what was before is known; null where there is none. */
  pastReach(): Along | null;
}

/** What pictures are while a hand turns a control, before they are answered; null until that is there. */
export interface Foretelling {
  at(control: string): Views | null;
  learn(control: string, text: string | undefined, found: Views): void;
  approach(control: string): void;
  leave(): void;
}

export const foretold = signal<Foretelling | null>(null);

export type Along = readonly [low: number, high: number];

export const onScreen = signal<OnScreen | null>(null);
