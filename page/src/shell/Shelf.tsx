// All boards as small pictures, by chapter; first the large ones to begin with.

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
      <section class="featured">
        <h2>Start with</h2>
        <ul>
          {first.map((board) => (
            <Small key={board.name} board={board} />
          ))}
        </ul>
      </section>
      <h2 class="all">All boards, in the lecture's order</h2>
      <ByChapter />
    </main>
  );
}

/** Boards by their titles, under their chapters'. */
export function ByChapter() {
  const named = new Map(shelf.value?.boards.map((one) => [one.name, one]));
  return (
    <div class="by-chapter">
      {shelf.value?.chapters.map(({ boards, ...chapter }) => (
        <section key={chapter.name} class="chapter">
          <h3>
            <ChapterLink chapter={{ ...chapter, boards }} /> <small>{chapter.title}</small>
          </h3>
          <ul>
            {boards.map((name) => {
              const board = named.get(name);
              return board && <Small key={name} board={board} name={name} />;
            })}
          </ul>
        </section>
      ))}
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
