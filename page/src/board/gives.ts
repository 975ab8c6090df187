// Who gives a number of the lecture, by its origin.

import type { Origin } from "../documents";

export const GIVES: Record<Origin, string> = { said: "he says", implied: "he implies", "filled in": "filled in by us" };
