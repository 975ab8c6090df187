// What an answer adds to a sentence: where that is a pane, as on a low phone, it opens on the first line of it.

/** Once the letters are there that it is written in; what a reader then turns it to stays. */
export function bringUp(added: HTMLElement | null): () => void {
  const sentence = added?.closest<HTMLElement>(".sentence");
  if (!added || !sentence) return () => {};
  const watch = new ResizeObserver(() => measure(added));
  void document.fonts.ready.then(() =>
    requestAnimationFrame(() => {
      const lines = measure(added);
      if (!lines) return;
      sentence.scrollTop = lines.before * lines.line;
      watch.observe(sentence);
      sentence.onscroll = () => measure(added);
      measure(added);
    }),
  );
  return () => watch.disconnect();
}

/** How many lines stand before it, and how high one is; how many it takes, and whether more follows below, is kept for the styles. */
export function measure(added: HTMLElement | null): { before: number; line: number } | null {
  const sentence = added?.closest<HTMLElement>(".sentence");
  const first = added?.getClientRects()[0];
  if (!sentence || !first) return null;
  const line = Number.parseFloat(getComputedStyle(sentence).lineHeight);
  const before = Math.round((first.top - sentence.getBoundingClientRect().top + sentence.scrollTop) / line);
  sentence.style.setProperty("--added", String(Math.round(sentence.scrollHeight / line) - before));
  sentence.dataset["goesOn"] = String(sentence.scrollTop + sentence.clientHeight < sentence.scrollHeight - line / 2);
  return { before, line };
}
