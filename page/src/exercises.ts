// Questions on a board, and whether an answer is right: Python knows.

import { ask, Refusal, type Board } from "./api";
import { element } from "./dom";

interface Judged {
  working: string;
  answer: string;
  is_right?: boolean;
}

export function exercise(one: Board["exercises"][number]): HTMLElement {
  const id = `answer-${one.id}`;
  const field = element("input", { type: "text", id, placeholder: one.asked, autocomplete: "off", spellcheck: "false" });
  const result = element("output", { for: id });
  const judge = async (answer: string): Promise<void> => {
    try {
      const found = await ask<Judged>(`/api/exercises/${one.id}`, answer ? { answer } : {});
      const verdict = found.is_right === undefined ? "" : found.is_right ? "Right. " : "Not quite. ";
      result.textContent = verdict + (found.is_right === false ? "Try again, or see the way." : found.working);
    } catch (error) {
      result.textContent = error instanceof Refusal ? error.message : String(error);
    }
  };
  const form = element(
    "form",
    {
      submit: (event) => {
        event.preventDefault();
        if (field.value.trim()) void judge(field.value.trim());
      },
    },
    field,
    element("button", { type: "submit" }, "Check"),
    element("button", { type: "button", click: () => void judge("") }, "The way"),
  );
  return element("div", { class: "exercise" }, element("p", {}, element("label", { for: id }, one.question)), form, result);
}
