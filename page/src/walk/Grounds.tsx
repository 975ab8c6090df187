// What a guess can be reasoned from: known numbers, and what the dot on the chart makes of the asked one.

import "./grounds.css";

import type { Follows } from "../documents";
import { isNarrow } from "../state/narrow";
import { format } from "../state/quantity";
import { isHeld, step } from "../state/store";
import { waiting } from "./guess";

export function Grounds() {
  const question = step.value?.question;
  // Above a phone's picture it keeps its place, and says what is true.
  if (!question?.grounds || !(isHeld.value || isNarrow.value)) return null;
  const { columns, rows, asked } = question.grounds;
  const guess = isHeld.value ? waiting.value?.[1] : question.y;
  return (
    <table class={columns.length > 2 ? "grounds" : "grounds paired"}>
      <caption>
        What is known <small>Your dot fills in the last row.</small>
      </caption>
      <thead class={columns.at(-1) ? undefined : "unnamed"}>
        <tr>
          {columns.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, ...known]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {known.map((text, place) => (
              <td key={columns[place + 1]}>{text}</td>
            ))}
          </tr>
        ))}
        <tr class="unknown">
          {asked.map((one, place) => {
            if (place === 0) return <th scope="row">{one as string}</th>;
            const key = columns[place];
            return typeof one === "string" ? <td key={key}>{one}</td> : <td key={key}>{told(one, guess)}</td>;
          })}
        </tr>
      </tbody>
    </table>
  );
}

/** A number that follows from the guess. */
function told({ form, times, is_over: isOver, dimension }: Follows, guess: number | undefined) {
  const text = guess === undefined ? "?" : format(isOver ? times / guess : times * guess, dimension);
  return <b>{form.replace("{}", text)}</b>;
}
