// What a chapter has answered, where it ends: its question again, and the answer.

import { Words } from "../board/Words";
import { isAsked, shelf, step } from "../state/store";

export function Closing() {
  const now = step.value;
  const question = shelf.value?.chapters.find(({ name }) => name === now?.chapter)?.question;
  if (!now?.answer || !question || isAsked.value) return null;
  return (
    <section class="closing" aria-label="What the chapter has answered">
      <p>{question}</p>
      <p>
        <Words text={now.answer} />
      </p>
    </section>
  );
}
