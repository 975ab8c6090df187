// What an answer adds to a sentence: where that is a pane, as on a low phone, it opens on the first line of it.

/** Once the letters are there that it is written in; what a reader then turns it to stays. */
export function bringUp(added: HTMLElement | null): void {
  if (added) void document.fonts.ready.then(() => requestAnimationFrame(() => open(added)));
}

function open(added: HTMLElement): void {
  const sentence = added.closest<HTMLElement>(".sentence");
  const [first] = added.getClientRects();
  if (!sentence || !first) return;
  const line = Number.parseFloat(getComputedStyle(sentence).lineHeight);
  const read = Math.round((first.top - sentence.getBoundingClientRect().top + sentence.scrollTop) / line);
  sentence.style.setProperty("--added", String(Math.round(sentence.scrollHeight / line) - read));
  sentence.scrollTop = read * line;
  const look = () => {
    sentence.dataset["goesOn"] = String(sentence.scrollTop + sentence.clientHeight < sentence.scrollHeight - line / 2);
  };
  sentence.onscroll = look;
  look();
}
