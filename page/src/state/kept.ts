// What the browser keeps of a reader: a theme, how far the walk went, which questions were answered, where the first
// slider was left. Nowhere else.

const KEY = "ridgeline";

export interface Kept {
  theme: "" | "light" | "dark";
  /** The farthest step of the walk that was opened. */
  step: number;
  /** By question (the id of a step or of an exercise): whether the last answer was right. */
  answers: Record<string, boolean>;
  /** By question: where the dot was put last, in base units. */
  guesses: Record<string, number>;
  /** Sequences at which the first view's slider was left; null where it was never left elsewhere than it begins. */
  at: number | null;
  /** Whether a letter of a formula was taken hold of. */
  hasScrubbed: boolean;
}

const NOTHING: Kept = { theme: "", step: 0, answers: {}, guesses: {}, at: null, hasScrubbed: false };

export function kept(): Kept {
  try {
    return { ...NOTHING, ...(JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Kept>) };
  } catch {
    // A page that may not remember, or that finds what is no JSON, begins anew.
    return NOTHING;
  }
}

export function keep(change: Partial<Kept>): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...kept(), ...change }));
  } catch {
    // A page that may not remember goes on without.
  }
}
