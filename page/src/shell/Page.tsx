// All of the page: the time line above, below it the first view, or a board with or without a step of the walk.

import { useEffect } from "preact/hooks";
import { Claims } from "../board/Claims";
import { Controls } from "../board/Controls";
import { ExerciseAnswer, ExerciseQuestion } from "../board/Exercise";
import { Exercises } from "../board/Exercises";
import { ExercisesLink } from "../board/ExercisesLink";
import { Figure } from "../board/Figure";
import { Formula, OtherEquations } from "../board/Formula";
import { Points } from "../board/Points";
import { Sources, useDrops } from "../board/Sources";
import { lettersOf, Symbols } from "../board/Symbols";
import { Take } from "../board/Take";
import { Try } from "../board/Try";
import { Cards, Words } from "../board/Words";
import type { Board } from "../documents";
import { sourced } from "../scenes/fetched";
import { stepQuery } from "../state/address";
import { capital } from "../state/called";
import { hasAside, isNarrow } from "../state/narrow";
import { recordingAt } from "../state/recording";
import {
  address,
  answer,
  board,
  clamped,
  exercise,
  go,
  isAsked,
  isChoosing,
  isHeld,
  leaveOut,
  lit,
  notice,
  problem,
  type Screen as ScreenName,
  said,
  screen,
  settled,
  shelf,
  step,
  visit,
  walk,
  walkOn,
  walkTo,
  whereabouts,
} from "../state/store";
import { Ending } from "../walk/Ending";
import { StepScreen } from "../walk/StepScreen";
import { BackToStep } from "./BackToStep";
import { Fold } from "./Fold";
import { Header } from "./Header";
import { Landing } from "./Landing";
import { PageLink } from "./PageLink";

export function Page() {
  useDrops();
  const one = board.value;
  const { title, anchor, name } = SCREENS[seen()];
  useEffect(() => {
    const first = title ?? one?.title;
    document.title = first ? `${first} · Ridgeline` : "Ridgeline: the blackboard";
  }, [one, title]);
  return (
    <>
      {step.value && whereabouts.value.step < (walk.value?.steps.length ?? 0) && (
        <button type="button" class="skip" onClick={() => walkOn(1)}>
          Skip to step {whereabouts.value.step + 1}
        </button>
      )}
      {isHeld.value && (
        <button
          type="button"
          class="skip"
          onClick={() =>
            document.querySelector<HTMLElement>(isChoosing.value ? ".options > button" : "#canvas .chart")?.focus()
          }
        >
          Skip to the question
        </button>
      )}
      <a class="skip" href={`#${anchor}`}>
        {`Skip to the ${name}`}
      </a>
      <Header />
      <Screen />
      <Cards />
      {sourced.value && <sourced.value.SourceCards />}
      <p id="notice" role="status">
        {notice.value}
      </p>
      <p id="said" class="unseen" aria-live="polite">
        {said.value}
      </p>
    </>
  );
}

/** What each screen is called in the tab, where it begins, and how it is called aloud. */
const SCREENS: Record<ScreenName, { title: string | null; anchor: string; name: string }> = {
  ledger: { title: "All claims", anchor: "ledger", name: "claims" },
  shelf: { title: "All boards", anchor: "shelf", name: "boards" },
  end: { title: "The end of the lecture", anchor: "ending", name: "end" },
  home: { title: "", anchor: "home", name: "board" },
  // They are called as their board is.
  step: { title: null, anchor: "board", name: "board" },
  board: { title: null, anchor: "board", name: "board" },
};

/** Who asks for what there is not is told so, beside what there is. */
function seen(): ScreenName {
  if (screen.value === "home" && problem.value) return "board";
  return screen.value === "step" && !(step.value && (board.value || !problem.value)) ? "board" : screen.value;
}

function Screen() {
  switch (seen()) {
    case "ledger":
      return sourced.value ? <sourced.value.Ledger /> : <main id="ledger" tabIndex={-1} aria-busy="true" />;
    case "shelf":
      return sourced.value ? <sourced.value.Shelf /> : <main id="shelf" tabIndex={-1} aria-busy="true" />;
    case "end":
      return <Ending />;
    case "home":
      return <Landing />;
    case "step":
      return (
        <StepScreen board={board.value}>
          <Problem />
        </StepScreen>
      );
    case "board":
      return <BoardScreen />;
  }
}

/** So many claims leave the margin room for what the picture shows. */
const MOST_ABOVE_CAPTION = 8;
/** Fewer claims have no column beside the picture, which takes all of the width: they stand below it. */
const FEW_CLAIMS = 3;

function BoardScreen() {
  const one = board.value;
  const open = exercise.value;
  // Below the picture; beside it while one of them has the stage.
  const exercises = one && one.exercises.length > 0 && (
    <Fold name={`Work it out yourself (${one.exercises.length})`} isOpen={open !== null}>
      <Exercises key={one.name} exercises={one.exercises} />
    </Fold>
  );
  const caption = one && (
    <p id="caption">
      <Words text={one.caption} />
    </p>
  );
  const isBeside = one && hasAside.value && !open && one.claims.length <= MOST_ABOVE_CAPTION;
  return (
    <main
      id="board"
      class={one ? (open ? "exercising" : one.claims.length < FEW_CLAIMS ? "wide" : "") : "empty"}
      tabIndex={-1}
      data-lit={lit.value ?? undefined}
    >
      {!one && <Problem />}
      {one && (
        <>
          <div class="stage">
            <Problem />
            {open ? <ExerciseQuestion exercise={open} board={one} /> : <Lead board={one} />}
            <Figure board={one} />
            {open ? (
              isNarrow.value && <ExerciseAnswer key={open.id} exercise={open} />
            ) : (
              <>
                <Controls key={one.name} board={one} />
                {!isNarrow.value && <Sources board={one} />}
              </>
            )}
          </div>
          {isNarrow.value && !open && (
            <div class="after">
              <Symbols board={one} />
              <OtherEquations board={one} />
              <Sources board={one} />
            </div>
          )}
          <aside aria-label="Beside the board">
            {open && hasAside.value && <Formula board={one} />}
            {open && exercises}
            {one.claims.length > 0 && !open && (
              <Fold name={`What the lecture says (${one.claims.length})`} isOpen={whereabouts.value.claim !== ""}>
                <Claims claims={one.claims} />
              </Fold>
            )}
            {isBeside && caption}
          </aside>
          <div class="lower">
            {!open && exercises}
            <div class="rest">
              {!isBeside && caption}
              {sourced.value && <sourced.value.SourceList board={one} />}
              {settled.value && !open && (
                <details class="fold">
                  <summary>Share, save, and the numbers as a table</summary>
                  <Take board={one} found={settled.value} />
                  {!isAsked.value && <Points found={settled.value} />}
                </details>
              )}
              <Neighbours board={one} />
            </div>
          </div>
        </>
      )}
    </main>
  );
}

/** So few letters take no more height in one column than the words beside them. */
const FEW = 3;

function Lead({ board: one }: { board: Board }) {
  return (
    <div class={lettersOf(one).length > FEW ? "lead" : "lead few"}>
      <div>
        <p class="where">
          <BackToStep />
          {one.time_stamp && (
            <a id="recording" href={recordingAt(one.time_stamp)} target="_blank" rel="noopener noreferrer">
              {one.time_stamp} <span>in the recording</span>
            </a>
          )}
          <WalkLink board={one} />
          <ExercisesLink board={one} />
        </p>
        <h1 id="title">{one.title}</h1>
        <p id="question">
          <Words text={one.question} />
        </p>
        <Try board={one} />
      </div>
      <div>
        <Formula board={one} />
        {!isNarrow.value && <Symbols board={one} />}
        {!isNarrow.value && <OtherEquations board={one} />}
      </div>
    </div>
  );
}

/** From a board into the walk: to the step of the same second, or the first that shows that board. */
function WalkLink({ board: { name, time_stamp } }: { board: Board }) {
  const steps = walk.value?.steps ?? [];
  const here = steps.filter((one) => one.board === name);
  const found = here.find((one) => one.time_stamp === time_stamp) ?? here[0];
  if (!found) return null;
  const place = steps.indexOf(found) + 1;
  const isSame = !time_stamp || found.time_stamp === time_stamp;
  return (
    <>
      {time_stamp && " · "}
      <PageLink to={stepQuery(place)} go={() => walkTo(place)}>
        step {place} {isSame ? "of the lecture" : `at ${found.time_stamp}`}
      </PageLink>
    </>
  );
}

/** The boards before and after, in the lecture's order. */
function Neighbours({ board: { name } }: { board: Board }) {
  const names = shelf.value?.chapters.flatMap(({ boards }) => boards) ?? [];
  const here = names.indexOf(name);
  const link = (other: string | undefined, word: string) => {
    const found = shelf.value?.boards.find((one) => one.name === other);
    return found ? (
      <PageLink to={`?board=${found.name}`} go={() => visit(found.name)}>
        {sourced.value && !isNarrow.value && <sourced.value.Picture name={found.name} />}
        <span>
          <small>{word}</small> {found.title}
        </span>
      </PageLink>
    ) : (
      <span />
    );
  };
  return (
    <nav id="neighbours" aria-label="Other boards">
      {link(names[here - 1], "← Before")}
      {link(names[here + 1], "Next →")}
    </nav>
  );
}

/** What those who pass links on hang on to them; nobody has to hear of it. */
const TRACKING = /^(utm_.*|fbclid|gclid|msclkid|mc_[ce]id)$/;

/** What is wrong, with a way out. */
function Problem() {
  const wrong = problem.value;
  if (!wrong) {
    const unknown = whereabouts.value.exercise;
    if (unknown && board.value && !exercise.value)
      return (
        <p id="problem" role="status">
          This board has no exercise {unknown}, so here is the board itself.
        </p>
      );
    const ends = Object.values(clamped.value);
    const ignored = Object.keys(answer.value?.ignored ?? {}).filter((field) => !TRACKING.test(field));
    if (!(ends.length || ignored.length)) return null;
    return (
      <p id="problem" role="status">
        {ends.length > 0 && `${capital(ends.join("; "))}. `}
        {ignored.length > 0 && `This board has no ${ignored.join(", ")}; the rest of the link is shown.`}
      </p>
    );
  }
  const { field } = wrong;
  const isLost = !board.value && (field === "board" || field === "step");
  return (
    <>
      <p id="problem" role="alert">
        {isLost && field === "board" ? `There is no board called “${address.value.board}”.` : wrong.message}{" "}
        <WayOut field={field} />
      </p>
      {isLost && (
        <nav class="shelf" aria-label="All boards">
          {sourced.value && <sourced.value.ByChapter />}
        </nav>
      )}
    </>
  );
}

function WayOut({ field }: { field: string }) {
  if (field === "board")
    return (
      <button type="button" onClick={() => visit("latency")}>
        Go to the latency board
      </button>
    );
  if (field === "step")
    return (
      <button type="button" onClick={() => walkTo(1)}>
        Go to the first step
      </button>
    );
  if (field in address.value.turned)
    return (
      <button type="button" onClick={() => leaveOut(field)}>
        Leave {board.value?.controls.find(({ name }) => name === field)?.label ?? field} out
      </button>
    );
  if (field === "mode")
    return (
      <button type="button" onClick={() => go({ shown: "both" })}>
        Show both
      </button>
    );
  return null;
}
