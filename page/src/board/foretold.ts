// What pictures are between answers. Under a hand on a slider a picture is drawn within the frame: as it was answered where
// the hand stands, else from the answers on both sides of it, until its own is there.

import type { Control, Views } from "../documents";
import { ask, source } from "../state/asking";
import { among, placeIn } from "../state/frames";
import { parsed } from "../state/quantity";
import { address, answer, board, foretold, held } from "../state/signals";
import { fieldsOf } from "../state/store";
import { between } from "./between";
import { isLogarithmic, partOf, STEPS, textAt } from "./knob";
import { ranged } from "./ranged";

/** Of a slider's length: places that are asked for ahead, and how far apart answers may lie that say what is between them. */
const AHEAD = 1 / 16;
const FARTHEST = 1.5 * AHEAD;
/** Nearer than that a place is the same. */
const SAME = 0.5 / STEPS;
const MOST_KEPT = 96;

interface Known {
  part: number;
  found: Views;
}

export class Foretold {
  /** What all else stands at that answers are known for. */
  private context = "";
  /** From the low end of the slider to the high one. */
  private known: Known[] = [];
  /** The control that a hand is near, and whether answers for it are under way. */
  private near = "";
  private isUnderWay = false;

  /** What the picture is where a control stands now, without asking; null where nobody can say. */
  at(name: string): Views | null {
    const control = controlOf(name);
    const text = address.value.turned[name];
    const value = control && text !== undefined ? parsed(text, control.dimension) : null;
    // Where answers are computed in the page the hand has to have turned it.
    if (held.value === name && this.near === name) void this.approach(name);
    if (!control || value === null || this.context !== contextOf(name)) return null;
    if (value < control.low || value > control.high) return null;
    const part = partOf(control, value);
    const next = this.known.findIndex((one) => one.part > part - SAME);
    const [low, high] = [this.known[next - 1], this.known[next]];
    if (high && Math.abs(high.part - part) < SAME) return high.found;
    if (!low || !high || control.is_whole || high.part - low.part > FARTHEST) return null;
    const along = (part - low.part) / (high.part - low.part);
    const way = { part: along, isInRatios: isLogarithmic(control) };
    return between(low.found, high.found, way, placeIn(low.found), { [name]: value });
  }

  /** Keep what was answered for a control, as it stood in an address. */
  learn(name: string, text: string | undefined, found: Views): void {
    const control = controlOf(name);
    const value = control && text !== undefined ? parsed(text, control.dimension) : null;
    // What was typed beyond the slider's ends lies at no place of it.
    if (!control || value === null || value < control.low || value > control.high) return;
    const context = contextOf(name);
    if (context !== this.context) [this.context, this.known] = [context, []];
    const part = partOf(control, value);
    const rest = this.known.filter((one) => Math.abs(one.part - part) >= SAME);
    // Those that lie farthest from the hand are given up first.
    if (rest.length === MOST_KEPT) rest.splice(part < (rest[rest.length >> 1]?.part ?? 0) ? rest.length - 1 : 0, 1);
    this.known = [...rest, { part, found }].sort((one, other) => one.part - other.part);
  }

  /** A hand is near a control: ask for what it may turn it to, from where it stands outwards, one after the other. */
  async approach(name: string): Promise<void> {
    this.near = name;
    // Where answers are computed in the page, nothing is before it is wanted.
    if (this.isUnderWay || (source.value.atHand && !held.value)) return;
    this.isUnderWay = true;
    try {
      for (let text = this.wanted(); text !== null; text = this.wanted()) await this.ask(this.near, text);
    } catch {
      // What is refused is said once it is turned to.
    } finally {
      this.isUnderWay = false;
    }
  }

  /** The hand has gone elsewhere. */
  leave(): void {
    this.near = "";
  }

  private async ask(name: string, text: string): Promise<void> {
    const [one, context] = [board.value, contextOf(name)];
    const found = await ask<Views>(`boards/${one?.name ?? ""}/views`, fieldsAt(name, text));
    if (context === contextOf(name)) this.learn(name, text, among(found, answer.value));
  }

  /** The next place that is not known yet, as text. */
  private wanted(): string | null {
    const name = held.value || this.near;
    const control = name && name === this.near ? controlOf(name) : null;
    const value = control && answer.value?.controls[answer.value.modes.at(-1) ?? "lecture"]?.[name];
    if (!control || value === undefined || value === null) return null;
    const known = this.context === contextOf(name) ? this.known : [];
    const here = partOf(control, value);
    const places = Array.from({ length: 1 / AHEAD + 1 }, (_, place) => place * AHEAD).sort(
      (one, other) => Math.abs(one - here) - Math.abs(other - here),
    );
    const text = places
      .map((place) => textAt(control, place))
      .find((each) => {
        const part = partOf(control, parsed(each, control.dimension) ?? Number.NaN);
        return !known.some((one) => !(Math.abs(one.part - part) >= AHEAD / 4));
      });
    return text ?? null;
  }
}

function controlOf(name: string): Control | undefined {
  const found = board.value?.controls.find((one) => one.name === name);
  return found && ranged(found);
}

function fieldsAt(name: string, text: string): Record<string, string> {
  return fieldsOf({ ...address.value, turned: { ...address.value.turned, [name]: text } }, true);
}

/** All that an answer depends on but for one control. */
function contextOf(name: string): string {
  return JSON.stringify([board.value?.name, fieldsAt(name, "")]);
}

foretold.value = new Foretold();
