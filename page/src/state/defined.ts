// Words of the field in the texts on the screen: each is explained where it first stands.

import { computed } from "@preact/signals";

import { inOrder } from "../board/verdict";
import type { Claim } from "../documents";
import { isOtherAlone, other } from "../walk/live";
import { firsts } from "./firsts";
import { address, board, isRevealed, shelf, step } from "./signals";

/** Of a step its own texts and its claims', else of a board. */
export const defined = computed(() => {
  const now = step.value;
  const one = now || address.value.board ? board.value : null;
  const all = one?.claims ?? [];
  const claims = now ? all.filter(({ id }) => now.claims.includes(id)) : inOrder(all, address.value.claim);
  const asked = isRevealed.value ? (now?.question?.reveal ?? now?.choice?.why) : (now?.question ?? now?.choice)?.prompt;
  const texts = [
    ...(now ? [isOtherAlone.value ? "" : now.sentence, other.value?.text ?? "", asked ?? ""] : [one?.question ?? ""]),
    ...claims.flatMap(textsOf),
    ...(now ? [] : [one?.caption ?? ""]),
  ];
  return firsts(texts, shelf.value?.defined ?? "$^");
});

export function textsOf({ claim, note }: Claim): string[] {
  return [claim, ...note.line, note.given];
}
