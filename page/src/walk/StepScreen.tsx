// A step of the walk: what he says, one picture, what is in play, and the way on. All else is on the board.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

import { Claims } from "../board/Claims";
import { Controls } from "../board/Controls";
import { Figure } from "../board/Figure";
import { Formula } from "../board/Formula";
import { State } from "../board/State";
import { Symbols } from "../board/Symbols";
import { Whose } from "../board/Whose";
import type { Board } from "../documents";
import { StepMachine } from "../machine/Machine";
import { sourced } from "../scenes/fetched";
import { isScene } from "../scenes/views";
import { Fold } from "../shell/Fold";
import { saysHere } from "../state/modes";
import { hasMargin, isNarrow, isShort, isShortest } from "../state/narrow";
import { answer, isAsked, isGuessing, isHeld, lit, problem, shown, step, view } from "../state/store";
import { standing } from "./above";
import { Closing } from "./Closing";
import { Ladder } from "./Ladder";
import { Onward } from "./Onward";
import { Hands, isOpening, Told } from "./Told";
import { WalkPanel } from "./WalkPanel";

interface Walked {
  /** Null until it is there. */
  board: Board | null;
  /** What is wrong, if anything is. */
  children: ComponentChildren;
}

function comeIntoView({ target }: Event): void {
  if (target instanceof HTMLDetailsElement && target.open) target.scrollIntoView({ block: "nearest" });
}

export function StepScreen({ board, children }: Walked) {
  const seen = { id: "board", tabIndex: -1, "data-lit": lit.value ?? undefined };
  const read = useRef<HTMLDivElement>(null);
  // Another step is read from its beginning.
  useLayoutEffect(() => read.current?.scrollTo(0, 0), [step.value?.id]);
  // What unfolds in its column is seen, its first line above all.
  useLayoutEffect(() => {
    const column = read.current;
    column?.addEventListener("toggle", comeIntoView, true);
    return () => column?.removeEventListener("toggle", comeIntoView, true);
  });
  // What is said needs no board, and stays where it is once that comes with its numbers, which move what stands below them.
  if (!board || !(answer.value || problem.value)) {
    const words = (
      <div class="lead walking">
        <div>
          <Told />
        </div>
      </div>
    );
    // A sheet says that a picture comes.
    const awaited = (
      <div key="awaited" id="views" class="empty arriving" aria-busy="true">
        <figure />
      </div>
    );
    return hasMargin.value ? (
      <main {...seen} class="columns">
        <div class="above">
          {children}
          <WalkPanel />
        </div>
        <div class="words">
          <div class={hasLittleToSay() ? "read large" : "read"} ref={read}>
            {words}
          </div>
        </div>
        <div class="stage">{awaited}</div>
      </main>
    ) : (
      <main {...seen}>
        <div class="stage">
          {children}
          <WalkPanel />
          {words}
          {awaited}
        </div>
      </main>
    );
  }
  const told = (
    <div>
      <Told />
      <h1 id="title">{board.title}</h1>
      <p id="question">{board.question}</p>
    </div>
  );
  const formula = (
    <div>
      <Formula board={board} />
      {hasMargin.value && <Whose board={board} />}
      <Symbols board={board} />
    </div>
  );
  const picture = <Figure board={board} />;
  const grounds = sourced.value && <sourced.value.Grounds />;
  const turned = (
    <>
      <div class="turned-by" inert={isHeld.value}>
        <Controls key={board.name} board={board} />
      </div>
      <Onward board={board} />
    </>
  );
  // Words beside the picture, which has the whole height.
  if (hasMargin.value)
    return (
      <main {...seen} class="columns">
        <div class="above">
          {children}
          <WalkPanel />
        </div>
        <div class="words">
          <div class={hasLittleToSay() ? "read large" : "read"} ref={read}>
            <div class="lead walking">{told}</div>
            {grounds}
            <Beside board={board} />
          </div>
          {turned}
        </div>
        <div class="stage">
          <div class="lead walking">{formula}</div>
          <StepMachine />
          {picture}
        </div>
      </main>
    );
  if (isNarrow.value) {
    // One order over all steps: words, formula, how his claims come out, picture, what turns it; an answer tells that, too. A guess has what its words leave room for; any question on a low phone has what is known in the formula's place; the lowest has a scene there, or a plot that would be too low.
    const isGuess = Boolean(step.value?.question);
    const { hasFormula, hasPicture, isBrief } = standing.value ?? { hasFormula: !isGuess, hasPicture: false, isBrief: false };
    const isQuestion = isGuess || Boolean(step.value?.choice);
    const drawn = answer.value?.views[view.value];
    const isDrawing = drawn !== undefined && isScene(drawn);
    const isJudgedBelow = isQuestion || (isShortest.value && isDrawing);
    const isKnownThere = isQuestion && isShort.value && (!isGuess || isAsked.value);
    const comesLater = !hasFormula || isKnownThere || (isShortest.value && isDrawing);
    const equation = (
      <div class="lead walking">
        <Formula board={board} />
      </div>
    );
    const judged = <div class="judged">{sourced.value && <sourced.value.Judged board={board} />}</div>;
    // What is asked keeps its place when it is answered; a low phone, or words on two modes, have room for one picture: the other one comes below.
    const isBelow = isGuess ? !hasPicture : isQuestion || isShort.value || shown.value === "both";
    return (
      <main {...seen}>
        <div class={isBrief ? "stage brief" : "stage"}>
          {children}
          <WalkPanel />
          <div class="lead walking">{told}</div>
          {!comesLater && equation}
          {!isJudgedBelow && judged}
          {!isBelow && <StepMachine />}
          {picture}
          <div class="turned-by" inert={isHeld.value}>
            <Controls key={board.name} board={board} />
          </div>
          {isGuessing.value && (
            <div class="hands">
              <Hands />
            </div>
          )}
        </div>
        {/* Of all below the first screen what the chapter comes to is read first. */}
        <Closing />
        {isJudgedBelow && judged}
        {isBelow && <StepMachine />}
        {comesLater && equation}
        {answer.value && <State board={board} found={answer.value} />}
        <div class="after">
          <Symbols board={board} />
        </div>
        <Onward board={board} />
        <Beside board={board} />
      </main>
    );
  }
  return (
    <main {...seen}>
      <div class="stage">
        {children}
        <WalkPanel />
        <div class="lead walking">
          {told}
          {formula}
        </div>
        {picture}
        {turned}
      </div>
      {grounds}
      <StepMachine />
      <Beside board={board} />
    </main>
  );
}

/** Whether words and one claim are all of its column: that is known before its board is there. */
function hasLittleToSay(): boolean {
  const now = step.value;
  return now !== null && !now.question && !now.choice && now.claims.length <= 1 && !isOpening(now);
}

/** What he says here. */
function Beside({ board }: { board: Board }) {
  const { claims } = board;
  const here = step.value?.claims.length ?? 0;
  return (
    <aside aria-label="Beside the picture">
      <Ladder />
      {/* What a chapter comes to is read before whether single claims hold. */}
      {!isNarrow.value && <Closing />}
      {here > 0 && claims.length > 0 && (
        <Fold name={saysHere()} isOpen>
          <Claims claims={claims} />
        </Fold>
      )}
      {sourced.value && <sourced.value.SourceList board={board} />}
    </aside>
  );
}
