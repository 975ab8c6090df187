// All boards as small pictures, by chapter; first what leads to one: words to search for, chapters, and where to begin.

import { useState } from "preact/hooks";
import type { Board } from "../documents";
import { stepQuery } from "../state/address";
import { kept } from "../state/kept";
import { shelf, thumbnails, visit, visitLedger, walkTo } from "../state/store";
import { ChapterLink } from "./Header";
import { PageLink } from "./PageLink";

type Titled = Pick<Board, "name" | "title" | "question">;

export function Shelf() {
  const { boards = [], featured = [] } = shelf.value ?? {};
  const named = new Map(boards.map((one) => [one.name, one]));
  const first = featured.flatMap((name) => named.get(name) ?? []);
  const resumed = kept().step || 1;
  const [sought, seek] = useState("");
  const words = sought.toLowerCase().split(/\s+/).filter(Boolean);
  const found = boards.filter((one) => words.every((word) => `${one.title} ${one.question}`.toLowerCase().includes(word)));
  return (
    <main id="shelf" tabIndex={-1}>
      <h1>{boards.length > 0 ? `${boards.length} boards` : "Boards"}</h1>
      <p class="what">
        Each is one drawing with its formula, and every number of it can be turned. Or{" "}
        <PageLink to={stepQuery(resumed)} go={() => walkTo(resumed)}>
          {resumed > 1 ? `go on with the lecture from step ${resumed}` : "follow the lecture from its beginning"}
        </PageLink>
        , or read{" "}
        <PageLink to="?claims=all" go={() => visitLedger("all")}>
          all claims, recomputed
        </PageLink>
        .
      </p>
      <search class="find">
        <label>
          <span class="unseen">Search the boards</span>
          <input type="search" placeholder="search" value={sought} onInput={({ currentTarget }) => seek(currentTarget.value)} />
        </label>
        <ol aria-label="Chapters">
          {shelf.value?.chapters
            .filter((chapter) => chapter.boards.some((name) => found.some((one) => one.name === name)))
            .map(({ name, label }) => (
              <li key={name}>
                <button type="button" class="pill" onClick={() => comeTo(name)}>
                  {label}
                </button>
              </li>
            ))}
        </ol>
        <p class="unseen" role="status">
          {words.length > 0 && `${found.length} ${found.length === 1 ? "board" : "boards"}`}
        </p>
      </search>
      <p class="featured">
        Start with{" "}
        {first.map(({ name, title }, place) => (
          <span key={name}>
            {place > 0 && " · "}
            <PageLink to={`?board=${name}`} go={() => visit(name)}>
              {title}
            </PageLink>
          </span>
        ))}
      </p>
      {boards.length > 0 && !found.length && <p class="none">No board has these words; search for fewer.</p>}
      <ByChapter among={new Set(found.map(({ name }) => name))} />
    </main>
  );
}

/** Its boards come to the top, and keys go on from there. */
function comeTo(chapter: string): void {
  const head = document.getElementById(`chapter-${chapter}`);
  head?.scrollIntoView();
  head?.querySelector("a")?.focus({ preventScroll: true });
}

/** Boards by their titles, under their chapters'; of those alone that are asked for. */
export function ByChapter({ among }: { among?: ReadonlySet<string> }) {
  const named = new Map(shelf.value?.boards.map((one) => [one.name, one]));
  return (
    <div class="by-chapter">
      {shelf.value?.chapters.map(({ boards, ...chapter }) => {
        const shown = boards.filter((name) => !among || among.has(name));
        return (
          shown.length > 0 && (
            <section key={chapter.name} class="chapter">
              <h2 id={`chapter-${chapter.name}`}>
                <ChapterLink chapter={{ ...chapter, boards }} /> <small>{chapter.title}</small>
              </h2>
              <ul>
                {shown.map((name) => {
                  const board = named.get(name);
                  return board && <Small key={name} board={board} name={name} />;
                })}
              </ul>
            </section>
          )
        );
      })}
    </div>
  );
}

function Small({ board, name }: { board: Titled; name?: string }) {
  return (
    <li>
      <PageLink to={`?board=${board.name}`} go={() => visit(board.name)} data-name={name}>
        <Picture name={board.name} />
        <b>{board.title}</b>
        <small>{board.question}</small>
      </PageLink>
    </li>
  );
}

/** The title beside it says what it is; until it is there it has axes. */
export function Picture({ name }: { name: string }) {
  const { width = 16, height = 9, boards } = thumbnails.value ?? {};
  const strokes = boards?.[name] ?? [];
  return (
    <svg class="small" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      {!boards && <polyline points={`0,0 0,${height} ${width},${height}`} />}
      {strokes.map(({ path, colour, look, strength }) => (
        <path key={path} class={look} d={path} style={{ color: `var(--${colour})`, opacity: strength }} />
      ))}
    </svg>
  );
}
