// A drawing in its place, the button that plays it, and the hand on its clock.

import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";

import type { Companion } from "../documents";
import { AbreastDrawing, saidOfAbreast } from "./abreast";
import { AttendedDrawing, saidOfAttended } from "./attended";
import { BarsDrawing, saidOfBars } from "./bars";
import { BatchedDrawing, saidOfBatched } from "./batched";
import { ClockedDrawing, saidOfClocked } from "./clocked";
import { DrainingDrawing, saidOfDraining } from "./draining";
import { ExpertsDrawing, saidOfExperts } from "./experts";
import { GenerationsDrawing, saidOfGenerations } from "./generations";
import { GridsDrawing, saidOfGrids } from "./grids";
import { HeldDrawing, saidOfHeld } from "./held";
import { MeanwhileDrawing, saidOfMeanwhile } from "./meanwhile";
import { OverTrainedDrawing, saidOfOverTrained } from "./overtrained";
import { PairsDrawing, saidOfPairs } from "./pairs";
import { type Drawn, Played } from "./played";
import { type Accompanied, dotPointed, passing } from "./read";
import { SharedReadingDrawing, saidOfReading } from "./sharedreading";
import { StacksDrawing, saidOfStacks } from "./stacks";
import { StoresDrawing, saidOfStores } from "./stores";
import { saidOfModes, TwoModesDrawing } from "./twomodes";
import { saidOfNetworks, TwoNetworksDrawing } from "./twonetworks";
import { saidOfUndone, UndoneDrawing } from "./undone";
import { saidOfVessels, VesselsDrawing } from "./vessels";

const STEPS = 1000;
/** Least height of what a finger takes. */
const THUMB = 44;

interface Kind {
  make: () => Drawn;
  said: (shown: Accompanied, x: number) => string;
}

/** By a field that no other has. */
const KINDS: Record<string, Kind> = {
  stores: { make: () => new StoresDrawing(), said: saidOfStores },
  grids: { make: () => new GridsDrawing(), said: saidOfGrids },
  accounts: { make: () => new ExpertsDrawing(), said: saidOfExperts },
  stacks: { make: () => new StacksDrawing(), said: saidOfStacks },
  layers: { make: () => new UndoneDrawing(), said: saidOfUndone },
  groups: { make: () => new BarsDrawing(), said: saidOfBars },
  vessels: { make: () => new VesselsDrawing(), said: saidOfVessels },
  between: { make: () => new TwoNetworksDrawing(), said: saidOfNetworks },
  multiplied: { make: () => new MeanwhileDrawing(), said: saidOfMeanwhile },
  generations: { make: () => new GenerationsDrawing(), said: saidOfGenerations },
  readers: { make: () => new SharedReadingDrawing(), said: saidOfReading },
  things: { make: () => new AbreastDrawing(), said: saidOfAbreast },
  moments: { make: () => new DrainingDrawing(), said: saidOfDraining },
  held_experts: { make: () => new HeldDrawing(), said: saidOfHeld },
  attended: { make: () => new AttendedDrawing(), said: saidOfAttended },
  balance_batches: { make: () => new BatchedDrawing(), said: saidOfBatched },
  with_attention: { make: () => new PairsDrawing(), said: saidOfPairs },
  regular_rows: { make: () => new TwoModesDrawing(), said: saidOfModes },
  trained_tokens: { make: () => new OverTrainedDrawing(), said: saidOfOverTrained },
  by_clock: { make: () => new ClockedDrawing(), said: saidOfClocked },
};

function kindOf(companion: Companion): Kind {
  const field = Object.keys(KINDS).find((one) => one in companion);
  if (!field) throw new Error(`A drawing beside a chart has one of ${Object.keys(KINDS).join(", ")}; this one has none`);
  return KINDS[field] as Kind;
}

export function CompanionCanvas({ x, ...found }: Accompanied & { x: number }) {
  const { curves, companion, whose, asked, guess = null } = found;
  const host = useRef<HTMLDivElement>(null);
  const hand = useRef<HTMLInputElement>(null);
  const played = useRef<Played | null>(null);
  const [plays, setPlays] = useState(false);
  const { said } = kindOf(companion);
  const isDotted = "multiplied" in companion;
  const drawing = useMemo(() => kindOf(companion).make(), []);
  useLayoutEffect(() => {
    const place = host.current;
    if (!place) return;
    const moved = (moment: number) => {
      const over = hand.current?.parentElement;
      if (!hand.current || !over || !drawing.clock) return;
      const { left, top, width, height, text } = drawing.clock;
      const more = matchMedia("(pointer: coarse)").matches ? Math.max(THUMB - height, 0) / 2 : 0;
      hand.current.value = String(Math.round(moment * STEPS));
      hand.current.setAttribute("aria-valuetext", text);
      Object.assign(over.style, {
        left: `${left}px`,
        width: `${width}px`,
        top: `${top - more}px`,
        height: `${height + 2 * more}px`,
      });
    };
    const made = new Played(place, drawing, setPlays, moved);
    played.current = made;
    const sized = new ResizeObserver(made.fit);
    const seen = new IntersectionObserver(([one]) => made.seen(one?.isIntersecting ?? false));
    sized.observe(place);
    seen.observe(place);
    return () => {
      sized.disconnect();
      seen.disconnect();
      made.destroy();
      passing.value = null;
    };
  }, []);
  const dot = dotPointed.value;
  const shown = { ...found, guess, dot };
  useLayoutEffect(() => {
    played.current?.show(shown, x);
  }, [curves, x, whose, asked, guess, isDotted && dot]);
  return (
    <>
      <div class="opened" ref={host} role="img" aria-label={said(shown, x)} />
      {drawing.seconds(shown) > 0 && (
        <button type="button" class="pace" aria-label={plays ? "Pause" : "Play"} onClick={() => played.current?.toggle()}>
          <svg viewBox="0 0 16 16" aria-hidden="true">
            <path d={plays ? "M3 2h4v12H3zM9 2h4v12H9z" : "M3 1.5v13l11-6.5z"} />
          </svg>
        </button>
      )}
      {drawing.clock && (
        <div class="clock-hand">
          <input
            ref={hand}
            type="range"
            aria-label={drawing.clock.name}
            min={0}
            max={STEPS}
            onInput={({ currentTarget }) => played.current?.seek(Number(currentTarget.value) / STEPS)}
          />
        </div>
      )}
    </>
  );
}
