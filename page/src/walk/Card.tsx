// What one sends on: the whole machine with the lecture's results where they belong, and one's own score. Each result
// says whether it comes out, and leads to its step.

import type { RefObject } from "preact";

import { counted, IN_ORDER, OUTCOMES, type Outcome, WORDS } from "../board/verdict";
import type { LedgerClaim } from "../documents";
import { PageLink } from "../shell/PageLink";
import { HOME, stepQuery, write } from "../state/address";
import { isNarrow } from "../state/narrow";
import { ledger, shelf, visit, walk, walkTo } from "../state/store";
import { isGood, type Score } from "./outcome";
import { ground, ON_CHIP, PARTS } from "./parts";
import "./ending.css";
import { type Cell, DOT, inWords, LARGE, LETTER, type Line, NUMBER, posterOf, type Result } from "./poster";

type Claimed = Result & { claim: LedgerClaim; outcome: Outcome };

/** Where others find it; of a server that only this machine reaches what starts one. */
export function whereabouts(home: string): string {
  const { hostname, host, pathname } = new URL(home);
  const isOwn = hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");
  return isOwn ? "ridgeline blackboard" : `${host}${pathname}`.replace(/\/$/, "");
}

/** What is left of a number without its digits. */
const unitOf = (number: string) => number.replace(/[\d.,]+/, "");

/** Minutes as a picture has room for them. */
const shorter = (number: string) => number.replace(/(?<=\s)minutes?$/, "min");

/** A claim's number as we compute it, in as many digits as its verdict line has, and his where that is another. */
function resultOf(claim: LedgerClaim): Claimed {
  const { his, ours: exact, of, line } = claim.note;
  const [, verdict = ""] = line;
  const ours = /\d/.test(verdict) && unitOf(verdict) === unitOf(exact) ? verdict : exact;
  const outcome = OUTCOMES[claim.verdict];
  const times = of.startsWith("times") ? "×" : "";
  const [told, said] = inWords(`${shorter(ours)}${times}`, `${shorter(his)}${times}`);
  return { claim, outcome, name: claim.short_name, number: told, instead: outcome === "fails" ? `not ${said}` : "" };
}

interface Drawn {
  score: Score;
  /** All of it in a sentence. */
  text: string;
  picture: RefObject<SVGSVGElement | null>;
}

export function Card({ score, text, picture }: Drawn) {
  const { claims = [], parts = [], chip } = ledger.value ?? {};
  const byId = new Map(claims.map((claim) => [claim.id, claim]));
  const results = parts.map((part) => part.claims.flatMap((id) => byId.get(id) ?? []).map(resultOf));
  const { width, height, size, pitch, cells } = posterOf(results, isNarrow.value);
  const edge = cells[0]?.art.left ?? 0;
  return (
    // biome-ignore lint/a11y/useSemanticElements: no element of SVG is a group of links with a name
    <svg
      ref={picture}
      class="card"
      role="group"
      aria-label={text}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      font-family="IBM Plex Sans, sans-serif"
    >
      <Head score={score} left={edge} right={width - edge} />
      {parts.map(({ name, title }, place) => {
        const cell = cells[place];
        return (
          cell && (
            <g key={name}>
              {place < ON_CHIP && <path d={ground(cell.art, place, isNarrow.value)} fill="var(--beyond)" />}
              {chip && PARTS[name]?.(cell.art, chip, isNarrow.value)}
              <text {...cell.title} font-size={1.1 * size} font-weight={600} fill="var(--ink)">
                {title}
              </text>
              {cell.lines.map((line) => (
                <Mark key={line.result.claim.id} {...line} cell={cell} size={size} pitch={pitch} />
              ))}
            </g>
          )
        );
      })}
    </svg>
  );
}

/** A result with its dot: all of its line leads to its step, or to its board where no step has it. */
function Mark({ result, y, cell: { left, right }, size, pitch }: Marked) {
  const { name, number, instead, claim, outcome } = result;
  const { id, board, note } = claim;
  const step = (walk.value?.steps.findIndex(({ claims }) => claims.includes(id)) ?? -1) + 1;
  const fill = outcome === "fails" ? "var(--wrong)" : "var(--ink)";
  const x = left + DOT * size;
  const found = (
    <>
      <tspan font-weight={600}>{number}</tspan>
      {instead && (
        <tspan font-size={size} fill="var(--muted)">
          , {instead}
        </tspan>
      )}
    </>
  );
  return (
    <PageLink
      class={outcome}
      to={step ? stepQuery(step) : `?board=${board}&claim=${id}`}
      go={() => (step ? walkTo(step) : visit(board, id))}
      aria-label={`${name} ${[number, instead].filter(Boolean).join(", ")}. ${note.word}. ${step ? `Step ${step}` : "On its board"}`}
    >
      <rect x={left} y={y - 0.7 * pitch} width={right - left} height={(1 + NUMBER) * pitch} fill="none" pointer-events="all" />
      <Dot outcome={outcome} x={left + 0.3 * size} y={y - 0.34 * size} size={size / 3} />
      <text x={x} y={y} font-size={size} fill={fill}>
        {`${name} ` /* parted from the number where the two are read as one text */}
      </text>
      <text x={x} y={y + NUMBER * pitch} font-size={LARGE * size} fill={fill}>
        {found}
      </text>
    </PageLink>
  );
}

interface Marked extends Line<Claimed> {
  cell: Cell<Claimed>;
  size: number;
  pitch: number;
}

/** As in the page's header. */
function Dot({ outcome, x, y, size }: { outcome: Outcome; x: number; y: number; size: number }) {
  const [radius, colour] = DOTS[outcome];
  const isRing = outcome === "depends" || outcome === "rounded";
  const drawn = isRing ? { fill: "none", stroke: colour, "stroke-width": 2 } : { fill: colour };
  return <circle cx={x} cy={y} r={radius * size} opacity={colour === "var(--muted)" ? 0.6 : 1} {...drawn} />;
}

/** Sizes and colours of dots. */
const DOTS: Record<Outcome, [number, string]> = {
  fails: [1.15, "var(--wrong)"],
  depends: [0.8, "var(--weights)"],
  rounded: [0.8, "var(--muted)"],
  holds: [1, "var(--muted)"],
  open: [0.6, "var(--muted)"],
};

/** Heights of its lines, and of their words. On a phone the score has a line of its own, which the key makes way for. */
const HEAD = {
  wide: { brand: [38, 22], told: [38, 18], idea: [82, 36], score: [82, 22], key: [110, 16] },
  narrow: { brand: [18, 15], told: [38, 12.5], idea: [66, 21], score: [114, 13], key: [118, 12] },
} as const;

const SCORED = 18;

/** Whose lecture, what follows from it, how one guessed, and what the dots mean. */
function Head({ score, left, right }: { score: Score; left: number; right: number }) {
  const claims = shelf.value?.claims ?? [];
  const counts = counted(claims);
  const { brand, told, idea, score: guessed, key } = HEAD[isNarrow.value ? "narrow" : "wide"];
  // On a phone a sentence a line.
  const ideas = (ledger.value?.heading ?? "").split(isNarrow.value ? /(?<=\.) / : "\n");
  const below = isNarrow.value && score.of ? SCORED : 0;
  const lecture = "Reiner Pope's blackboard lecture, recomputed";
  const where = whereabouts(write(HOME));
  return (
    <>
      <path
        d={`M${left} ${brand[0] - 2}h${0.6 * brand[1]}l${0.75 * brand[1]} ${-0.7 * brand[1]}`}
        fill="none"
        stroke="var(--kv)"
        stroke-width={0.18 * brand[1]}
      />
      <text x={left + 1.8 * brand[1]} y={brand[0]} font-size={brand[1]} font-weight={600} fill="var(--ink)">
        Ridgeline
      </text>
      <text x={right} y={brand[0]} font-size={told[1]} text-anchor="end" fill="var(--muted)">
        {isNarrow.value ? where : `${lecture} · ${where}`}
      </text>
      {isNarrow.value && (
        <text x={left} y={told[0]} font-size={told[1]} fill="var(--muted)">
          {lecture}
        </text>
      )}
      <text y={idea[0]} font-size={idea[1]} font-weight={600} fill="var(--ink)">
        {ideas.map((one, line) => (
          <tspan key={one} x={left} dy={line && 1.2 * idea[1]}>
            {one}
          </tspan>
        ))}
      </text>
      {score.of > 0 && (
        <text
          x={isNarrow.value ? left : right}
          y={guessed[0]}
          font-size={guessed[1]}
          text-anchor={isNarrow.value ? "start" : "end"}
          fill="var(--ink)"
        >
          I guessed{" "}
          <tspan font-weight={600} fill={isGood(score) ? "var(--right)" : "var(--ink)"}>
            {score.right} of {score.of}
          </tspan>
        </text>
      )}
      <Key counts={counts} left={left} right={right} y={key[0] + below} size={key[1]} />
    </>
  );
}

interface Keyed {
  counts: Record<Outcome, number>;
  left: number;
  right: number;
  y: number;
  size: number;
}

/** What the dots mean, and how many there are of each. */
function Key({ counts, left, right, y, size }: Keyed) {
  let [x, base] = [left, y];
  return (
    <g class="legend">
      {IN_ORDER.map((outcome) => {
        const wide = (2.1 + LETTER * `${WORDS[outcome]} ${counts[outcome]}`.length) * size;
        if (x + wide > right) [x, base] = [left, base + 1.5 * size];
        const from = x;
        x += wide;
        return (
          <g key={outcome}>
            <Dot outcome={outcome} x={from + 0.3 * size} y={base - 0.34 * size} size={size / 3} />
            <text x={from + size} y={base} font-size={size} fill="var(--muted)">
              {WORDS[outcome]} <tspan font-weight={600}>{counts[outcome]}</tspan>
            </text>
          </g>
        );
      })}
    </g>
  );
}
