// How near a guess of the walk came to what was asked, in the unit of the asked axis.

import { type Verdict, verdict } from "../chart/verdict";
import type { Prediction } from "../documents";
import { format } from "../state/quantity";

export function judgedBy({ tolerance_ratio, axis, dimension }: Prediction, value: number, truth: number): Verdict {
  return verdict(value, truth, tolerance_ratio, axis, (one) => format(one, dimension));
}
