// Above the picture: which it is, of a board's others by tabs, and whose numbers it is of.

import { useLayoutEffect, useRef } from "preact/hooks";

import type { Board, View } from "../documents";
import { useEdges } from "../shell/edges";
import { hasMargin, isNarrow } from "../state/narrow";
import { go, place as placed, step } from "../state/store";
import { isAmongAnswered, Whose } from "./Whose";

interface Headed {
  board: Board;
  views: View[];
  place: number;
}

/** The walk has one picture a step. */
export function Head({ board, views, place }: Headed) {
  // There the choice of whose numbers is beside the formula.
  if (step.value && (hasMargin.value || isNarrow.value)) return null;
  const isTabbed = views.length > 1 && !placed.value && !step.value;
  const heading = step.value ? views[place]?.heading : "";
  // On a phone a board has them beside its selectors, but where they choose between two pictures.
  const isChosen = !placed.value && (!isNarrow.value || isAmongAnswered());
  if (isNarrow.value && !isChosen) return isTabbed ? <Tabs board={board} views={views} place={place} /> : null;
  return (
    <div class="head">
      {isTabbed ? <Tabs board={board} views={views} place={place} /> : <p>{heading}</p>}
      {isChosen && <Whose board={board} />}
    </div>
  );
}

function Tabs({ board, views, place }: Headed) {
  const list = useRef<HTMLDivElement>(null);
  useEdges(list);
  const select = (which: number) => go({ view: (which + views.length) % views.length, at: null });
  // Where all of them are wider than the screen, the chosen one is brought into sight.
  useLayoutEffect(() => {
    const tab = list.current?.children[place];
    if (!(list.current && tab instanceof HTMLElement)) return;
    list.current.scrollLeft = tab.offsetLeft - (list.current.clientWidth - tab.offsetWidth) / 2;
  }, [place, board.name]);
  const names = views.map(({ heading }, which) => heading || (which ? `Picture ${which + 1}` : board.title));
  return (
    <div class="tabs" role="tablist" aria-label="Pictures of this board" ref={list}>
      {names.map((name, which) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`tab-${which}`}
          aria-selected={which === place}
          aria-controls="canvas"
          tabIndex={which === place ? 0 : -1}
          onClick={() => select(which)}
          onKeyDown={({ key }) => {
            if (key === "ArrowRight" || key === "ArrowLeft") {
              select(which + (key === "ArrowRight" ? 1 : -1));
              document.getElementById(`tab-${(which + (key === "ArrowRight" ? 1 : views.length - 1)) % views.length}`)?.focus();
            }
          }}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
