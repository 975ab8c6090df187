// Configurations that were dropped on the page: the source's names for them, and the files'. Kept over a reload.

const KEY = "dropped";

const files = new Map<string, string>(remembered());

export function remember(model: string, file: string): void {
  files.set(model, file);
  try {
    sessionStorage.setItem(KEY, JSON.stringify([...files]));
  } catch {
    // A page that may not remember asks for the file again after a reload.
  }
}

export function droppedFiles(): ReadonlyMap<string, string> {
  return files;
}

function remembered(): [string, string][] {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "[]") as [string, string][];
  } catch {
    return [];
  }
}
