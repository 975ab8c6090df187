// All boards as small pictures, by chapter; first the large ones to begin with.

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
      <div class="filters">
        <label>
          <span class="unseen">Search the boards</span>
          <input type="search" placeholder="search" value={sought} onInput={({ currentTarget }) => seek(currentTarget.value)} />
        </label>
      </div>
      {!words.length && (
        <>
          <section class="featured">
            <h2>Start with</h2>
            <ul>
              {first.map((board) => (
                <Small key={board.name} board={board} />
              ))}
            </ul>
          </section>
          <h2 class="all">All boards, in the lecture's order</h2>
        </>
      )}
      {words.length && !boards.some((board) => isOf(board, words)) ? (
        <p role="status">No board has these words; search for fewer.</p>
      ) : (
        <ByChapter words={words} />
      )}
    </main>
  );
}

/** Whether a board's title and question have all of these words. */
function isOf({ title, question }: Titled, words: readonly string[]): boolean {
  const text = `${title} ${question}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

/** Boards by their titles, under their chapters'; of words those that have them. */
export function ByChapter({ words = [] }: { words?: readonly string[] }) {
  const named = new Map(shelf.value?.boards.map((one) => [one.name, one]));
  return (
    <div class="by-chapter">
      {shelf.value?.chapters.map((chapter) => {
        const found = chapter.boards.flatMap((name) => named.get(name) ?? []).filter((board) => isOf(board, words));
        if (!found.length) return null;
        return (
          <section key={chapter.name} class="chapter">
            <h3>
              <ChapterLink chapter={chapter} /> <small>{chapter.title}</small>
            </h3>
            <ul>
              {found.map((board) => (
                <Small key={board.name} board={board} name={board.name} />
              ))}
            </ul>
          </section>
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
