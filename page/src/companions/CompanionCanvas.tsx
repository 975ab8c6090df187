// A drawing in its place, and the button that plays it.

import { useLayoutEffect, useRef, useState } from "preact/hooks";

import type { Companion } from "../documents";
import { ExpertsDrawing, saidOfExperts } from "./experts";
import { GridsDrawing, saidOfGrids } from "./grids";
import { type Drawn, Played } from "./played";
import { PriceListDrawing, saidOfPrices } from "./pricelist";
import { type Accompanied, isRead, passing } from "./read";
import { StacksDrawing, saidOfStacks } from "./stacks";
import { StoresDrawing, saidOfStores } from "./stores";
import { saidOfUndone, UndoneDrawing } from "./undone";
import { saidOfVessels, VesselsDrawing } from "./vessels";

export function CompanionCanvas({ curves, companion, axes, whose, asked, x }: Accompanied & { x: number }) {
  const host = useRef<HTMLDivElement>(null);
  const played = useRef<Played | null>(null);
  const [plays, setPlays] = useState(false);
  const first = useRef(true);
  useLayoutEffect(() => {
    const place = host.current;
    if (!place) return;
    const made = new Played(place, drawingOf(companion), setPlays);
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
  const shown = { curves, companion, axes, whose, asked };
  useLayoutEffect(() => {
    if (!first.current) played.current?.rest();
    first.current = false;
    played.current?.show(shown, x);
  }, [curves, x, whose, asked]);
  const text = saidOf(shown, x);
  const canPlay =
    isRead(companion) &&
    !("grids" in companion && asked) &&
    (!("vessels" in companion) || companion.vessels.some(({ does_text }) => does_text));
  return (
    <>
      <div class="opened" ref={host} role="img" aria-label={text} />
      {canPlay && (
        <button type="button" class="pace" aria-label={plays ? "Pause" : "Play"} onClick={() => played.current?.toggle()}>
          <svg viewBox="0 0 16 16" aria-hidden="true">
            <path d={plays ? "M3 2h4v12H3zM9 2h4v12H9z" : "M3 1.5v13l11-6.5z"} />
          </svg>
        </button>
      )}
    </>
  );
}

function drawingOf(companion: Companion): Drawn {
  if ("stores" in companion) return new StoresDrawing();
  if ("grids" in companion) return new GridsDrawing();
  if ("accounts" in companion) return new ExpertsDrawing();
  if ("stacks" in companion) return new StacksDrawing();
  if ("layers" in companion) return new UndoneDrawing();
  return "kinds" in companion ? new PriceListDrawing() : new VesselsDrawing();
}

function saidOf(shown: Accompanied, x: number): string {
  if ("stores" in shown.companion) return saidOfStores(shown, x);
  if ("grids" in shown.companion) return saidOfGrids(shown, x);
  if ("accounts" in shown.companion) return saidOfExperts(shown);
  if ("stacks" in shown.companion) return saidOfStacks(shown, x);
  if ("layers" in shown.companion) return saidOfUndone(shown, x);
  return "kinds" in shown.companion ? saidOfPrices(shown) : saidOfVessels(shown, x);
}
