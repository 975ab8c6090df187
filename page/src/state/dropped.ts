// Configurations that were dropped on the page: the source's names for them, and the files'. Kept over a reload.

import { signal } from "@preact/signals";

const KEY = "dropped";

/** Files' names by the source's. */
export const droppedFiles = signal<ReadonlyMap<string, string>>(new Map(remembered()));

export function remember(model: string, file: string): void {
  const files = new Map(droppedFiles.value).set(model, file);
  droppedFiles.value = files;
  try {
    sessionStorage.setItem(KEY, JSON.stringify([...files]));
  } catch {
    // A page that may not remember asks for the file again after a reload.
  }
}

function remembered(): [string, string][] {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "[]") as [string, string][];
  } catch {
    // Nor does one that may not read.
    return [];
  }
}
