// Who answers, and whether an answer is under way.

import { signal } from "@preact/signals";

import type { Board, Dropped, Working } from "../documents";
import type { Source } from "../source/source";
import type { Address } from "./address";
import { underWay } from "./signals";

/** Who answers; nobody before the page begins. */
export const source = signal<Source>({
  ask: () => Promise.reject(new Error("nothing is asked before the page begins")),
  keep: () => Promise.reject(new Error("nothing is kept before the page begins")),
});

export function ask<Answer>(path: string, fields?: Record<string, string>): Promise<Answer> {
  return source.value.ask<Answer>(path, fields);
}

/** Do what takes a while. */
export async function busily(work: () => Promise<void>): Promise<void> {
  underWay.value += 1;
  try {
    await work();
  } finally {
    underWay.value -= 1;
  }
}

/** Fields that name the model and the machine of an address. */
export function facts({ model, machine }: Address): Record<string, string> {
  return { ...(model && { model }), ...(machine && { machine }) };
}

/** Judge an exercise's answer, or show the way to it. */
export function judge(id: string, given: string): Promise<Working> {
  return ask<Working>(`exercises/${id}`, given ? { answer: given } : {});
}

/** Keep a model's config.json for as long as the source goes on. */
export function keepConfig(config: Blob): Promise<Dropped> {
  return source.value.keep(config);
}

/** A board's document for other facts than those shown. */
export function boardFor(name: string, fields: Record<string, string>): Promise<Board> {
  return ask<Board>(`boards/${encodeURIComponent(name)}`, fields);
}
