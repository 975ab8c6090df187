// What models and machines are called in sentences.

import { droppedFiles } from "./dropped";
import { shelf } from "./signals";

/** What a model or a machine is called in a sentence: by its maker, by its file where it was dropped, else by its id. */
export function called(id: string): string {
  return shelf.value?.names[id] ?? droppedFiles.value.get(id) ?? id;
}

/** Words that name models and machines by their ids, as a sentence has them. */
export function spoken(text: string): string {
  const { names = {} } = shelf.value ?? {};
  return text.replace(/[a-z0-9]+(?:[.-][a-z0-9]+)+/g, (word) => names[word] ?? word);
}

/** Words as they begin a sentence. */
export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
