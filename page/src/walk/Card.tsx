// What one sends on: the lecture as a line of all its claims, those that do not reproduce by name, and one's own score.

import type { RefObject } from "preact";

import { counted, IN_ORDER, OUTCOMES, type Outcome, WORDS } from "../board/verdict";
import { seconds, stacked } from "../shell/spots";
import { HOME, write } from "../state/address";
import { ledger, shelf } from "../state/store";
import { isGood, type Score } from "./outcome";
import { stairs } from "./stairs";

/** In pixels: as large as what others show of a link. */
export const SIZE = { width: 1200, height: 630 };
const EDGE = 60;
const END = SIZE.width - EDGE;
/** Of the line of time; of dots above it, and of names above those. */
const LINE = 545;
const LEVEL = 15;
const DOTS = 5;
const NAMES = { bottom: 470, high: 31, size: 21, gap: 10 };
/** Of a letter, in parts of its height: words of this face are at most so wide. */
const LETTER = 0.54;

/** Where others find it; of a server that only this machine reaches what starts one. */
function whereabouts(home: string): string {
  const { hostname, host, pathname } = new URL(home);
  const isOwn = hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");
  return isOwn ? "ridgeline blackboard" : `${host}${pathname}`.replace(/\/$/, "");
}

/** All of it in a sentence. */
export function cardText({ right, of }: Score): string {
  const claims = shelf.value?.claims ?? [];
  const guessed = of ? ` I guessed ${right} of ${of}.` : "";
  return `${counted(claims).fails} of ${claims.length} claims of Reiner Pope's blackboard lecture do not reproduce.${guessed}`;
}

export function Card({ score, picture }: { score: Score; picture: RefObject<SVGSVGElement | null> }) {
  const { claims = [], chapters = [], end_s = 1 } = shelf.value ?? {};
  const counts = counted(claims);
  const names = new Map(ledger.value?.claims.map((claim) => [claim.id, claim.short_name]));
  const along = (time: number) => EDGE + ((END - EDGE) * time) / end_s;
  const spots = stacked(claims, end_s).map(({ claim, level }) => ({
    id: claim.id,
    outcome: OUTCOMES[claim.verdict],
    x: along(claim.seconds),
    y: LINE - 12 - LEVEL * level,
  }));
  const failing = spots
    .filter(({ outcome }) => outcome === "fails")
    .map((spot) => ({ ...spot, name: names.get(spot.id) ?? "" }));
  const rows = stairs(
    failing.map(({ x, name }) => ({ x, width: LETTER * NAMES.size * name.length })),
    END,
    NAMES.gap,
  );
  return (
    <svg
      ref={picture}
      class="card"
      role="img"
      aria-label={cardText(score)}
      {...SIZE}
      viewBox={`0 0 ${SIZE.width} ${SIZE.height}`}
      font-family="IBM Plex Sans, sans-serif"
    >
      <path d="M60 72h20l24-22" fill="none" stroke="var(--kv)" stroke-width={6} />
      <text x={118} y={76} font-size={28} font-weight={600} fill="var(--ink)">
        Ridgeline
      </text>
      <text x={END} y={76} font-size={24} text-anchor="end" fill="var(--muted)">
        Reiner Pope's blackboard lecture, recomputed
      </text>
      <text x={END} y={104} font-size={20} text-anchor="end" fill="var(--muted)">
        {whereabouts(write(HOME))}
      </text>
      <text y={172} font-size={76} font-weight={600} letter-spacing={-1.5} fill="var(--ink)">
        <tspan x={EDGE}>
          <tspan fill="var(--wrong)">{counts.fails}</tspan> of {claims.length} claims
        </tspan>
        <tspan x={EDGE} dy={80}>
          do not reproduce
        </tspan>
      </text>
      {score.of > 0 && (
        <text x={END} text-anchor="end" fill="var(--ink)">
          <tspan x={END} y={172} font-size={34}>
            I guessed
          </tspan>
          <tspan
            x={END}
            dy={80}
            font-size={76}
            font-weight={600}
            letter-spacing={-1.5}
            fill={isGood(score) ? "var(--right)" : "var(--ink)"}
          >
            {score.right} of {score.of}
          </tspan>
        </text>
      )}
      <g class="names">
        {failing.map(({ id, x, y, name }, which) => {
          const { row = 0, isRight = true } = rows[which] ?? {};
          const base = NAMES.bottom - NAMES.high * row;
          return (
            <g key={id}>
              <path d={`M${x} ${y}V${base - 14}`} stroke="var(--wrong)" stroke-opacity={0.55} stroke-width={1.5} />
              <text
                x={x + (isRight ? 7 : -7)}
                y={base}
                font-size={NAMES.size}
                text-anchor={isRight ? "start" : "end"}
                fill="var(--wrong)"
              >
                {name}
              </text>
            </g>
          );
        })}
      </g>
      {spots.map(({ id, outcome, x, y }) => (
        <Dot key={id} outcome={outcome} x={x} y={y} />
      ))}
      {chapters.map(({ name, label, time_stamp }, which) => {
        const from = along(seconds(time_stamp));
        const next = chapters[which + 1];
        const to = next ? along(seconds(next.time_stamp)) - 4 : END;
        return (
          <g key={name}>
            <path d={`M${from} ${LINE}H${to}`} stroke="var(--muted)" stroke-opacity={0.5} stroke-width={2} />
            <text x={from} y={LINE + 22} font-size={15} fill="var(--muted)">
              {label}
            </text>
          </g>
        );
      })}
      <Key counts={counts} />
    </svg>
  );
}

/** As in the page's header. */
function Dot({ outcome, x, y }: { outcome: Outcome; x: number; y: number }) {
  if (outcome === "fails") return <circle cx={x} cy={y} r={1.5 * DOTS} fill="var(--wrong)" />;
  if (outcome === "depends" || outcome === "rounded")
    return (
      <circle
        cx={x}
        cy={y}
        r={DOTS - 1}
        fill="none"
        stroke={outcome === "depends" ? "var(--weights)" : "var(--muted)"}
        stroke-opacity={outcome === "depends" ? 1 : 0.55}
        stroke-width={2}
      />
    );
  return <circle cx={x} cy={y} r={outcome === "open" ? 0.6 * DOTS : DOTS} fill="var(--muted)" fill-opacity={0.55} />;
}

const KEY = { y: 605, size: 18, gap: 26 };

/** What the dots mean, and how many there are of each. */
function Key({ counts }: { counts: Record<Outcome, number> }) {
  let x = EDGE + DOTS;
  return (
    <g class="legend">
      {IN_ORDER.map((outcome) => {
        const words = `${WORDS[outcome]} ${counts[outcome]}`;
        const from = x;
        x += 14 + LETTER * KEY.size * words.length + KEY.gap;
        return (
          <g key={outcome}>
            <Dot outcome={outcome} x={from} y={KEY.y - 6} />
            <text x={from + 14} y={KEY.y} font-size={KEY.size} fill="var(--muted)">
              {WORDS[outcome]} <tspan font-weight={600}>{counts[outcome]}</tspan>
            </text>
          </g>
        );
      })}
    </g>
  );
}
