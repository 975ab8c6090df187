// A bill as a bar: what is paid, and beneath it, hatched, what is had meanwhile.

import { type Bill, percent, placed, type Share, spoken } from "./bill";

/** Of a bar: what is shorter has no room for an outline, and would look like a glyph that is missing. */
const LEAST_OUTLINED = 0.03;
/** Of a bar: where what is beside reaches farther, its words lie below it. */
const MOST_BEFORE = 0.55;

export function BillBar({ bill }: { bill: Bill }) {
  return (
    <div class="bill" role="img" aria-label={spoken(bill)}>
      <Paid parts={bill.parts} />
      <div class="portions">
        {bill.parts.map((share) => (
          <Words key={share.name} share={share} />
        ))}
      </div>
      {bill.beside.map((side) => (
        <Beside key={side.map(({ name }) => name).join()} side={side} />
      ))}
    </div>
  );
}

/** What is paid, end to end; with words in it, if any are given. */
export function Paid({ parts, words }: { parts: Share[]; words?: (share: Share) => string }) {
  return (
    <div class="paid" style={{ "--count": parts.length }}>
      {placed(parts).map(({ share, from }, which) => (
        <i
          key={share.name}
          data-part={share.name}
          style={{
            "--which": which,
            "--from": from,
            "--part": share.part,
            background: `var(--area-${share.colour}, var(--${share.colour}))`,
          }}
        >
          {words?.(share)}
        </i>
      ))}
    </div>
  );
}

function Words({ share: { name, colour, part } }: { share: Share }) {
  return (
    <span style={{ color: `var(--${colour})` }}>
      <b>{percent(part)}</b> {name}
    </span>
  );
}

/** As long, beside what is paid, as it takes. */
export function Beside({ side }: { side: Share[] }) {
  const whole = side.reduce((sum, { part }) => sum + part, 0);
  return (
    <div class="meanwhile">
      {placed(side).map(({ share, from }) => (
        <i
          key={share.name}
          data-part={share.name}
          class={share.part < LEAST_OUTLINED ? "thin" : ""}
          style={{ "--from": from, "--part": share.part, color: `var(--${share.colour})` }}
        />
      ))}
      <span class={whole > MOST_BEFORE ? "below" : ""} style={{ "--whole": whole }}>
        {side.map((share, which) => (
          <>
            {which > 0 && " + "}
            <Words key={share.name} share={share} />
          </>
        ))}
        <small>, overlapped: adds no time</small>
      </span>
    </div>
  );
}
