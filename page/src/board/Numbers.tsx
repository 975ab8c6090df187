// The lecture's number and ours in a line, with what they are of once.

import type { Note } from "../documents";

export function Numbers({ note: { his, ours, published, of } }: { note: Note }) {
  const other = ours || published;
  if (!his && !other) return null;
  const whose = ours ? "ours" : "published";
  return (
    <span class="numbers">
      {his && his === other ? (
        <>
          his and {whose} <b>{his}</b>
        </>
      ) : (
        <>
          {his && (
            <>
              his <b>{his}</b>
            </>
          )}
          {his && other && ", "}
          {other && (
            <>
              {whose} <b>{other}</b>
            </>
          )}
        </>
      )}
      {of && ` ${of}`}
    </span>
  );
}
