// A bill as a bar: what is paid, and beneath it, hatched, what is had meanwhile.

import { type Bill, percent, type Share, spoken } from "./bill";

/** Of a bar: what is shorter has no room for an outline, and would look like a glyph that is missing. */
const LEAST_OUTLINED = 0.03;
/** Of a bar: where what is beside reaches farther, its words lie below it. */
const MOST_BEFORE = 0.55;

export function BillBar({ bill }: { bill: Bill }) {
  return (
    <div class="bill" role="img" aria-label={spoken(bill)}>
      <div class="paid">
        {bill.parts.map(({ name, colour, part }) => (
          <i key={name} data-part={name} style={{ flexGrow: part, background: `var(--${colour})` }} />
        ))}
      </div>
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
      {side.map(({ name, colour, part }) => (
        <i
          key={name}
          data-part={name}
          class={part < LEAST_OUTLINED ? "thin" : ""}
          style={{ width: `${100 * part}%`, color: `var(--${colour})` }}
        />
      ))}
      <span class={whole > MOST_BEFORE ? "below" : ""} style={{ "--whole": `${100 * whole}%` }}>
        {side.map((share, which) => (
          <>
            {which > 0 && " + "}
            <Words key={share.name} share={share} />
          </>
        ))}
        <small>, meanwhile and free</small>
      </span>
    </div>
  );
}
