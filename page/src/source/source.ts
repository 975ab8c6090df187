// Who answers the page's questions: a server, or Python in the page itself.

import type { Dropped, RefusalDocument } from "../documents";

export interface Source {
  /** The document under a path, such as `boards/latency`. */
  ask<Answer>(path: string, fields?: Record<string, string>): Promise<Answer>;
  /** The same where it lies written and needs no computing; null elsewhere. */
  atHand?<Answer>(path: string, fields: Record<string, string>): Promise<Answer | null>;
  /** Keep a model's config.json; the name by which it is asked for. */
  keep(config: Blob): Promise<Dropped>;
}

/** What a question was refused for. */
export class Refusal extends Error {
  constructor(
    readonly field: string,
    message: string,
    /** Of all fields that are wrong, what is. */
    readonly wrong: Record<string, string> = {},
  ) {
    super(message);
  }

  static of({ field, message, wrong }: RefusalDocument): Refusal {
    return new Refusal(field, message, wrong);
  }

  static from(error: unknown): Refusal {
    return error instanceof Refusal ? error : new Refusal("", String(error));
  }
}
