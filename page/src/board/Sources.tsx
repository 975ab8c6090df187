// Whose numbers: the lecture's, the catalog's of a model and a machine, or of a file that is dropped on the page.

import { useEffect } from "preact/hooks";

import type { Board } from "../documents";
import { Refusal } from "../source/source";
import { droppedFiles, remember } from "../state/dropped";
import { isNarrow } from "../state/narrow";
import { address, called, go, keepConfig, place, problem, said, shelf, shown, whereabouts } from "../state/store";
import { isAmongAnswered, Whose } from "./Whose";

export function Sources({ board }: { board: Board }) {
  if (place.value) return null;
  return (
    <div id="sources">
      {isNarrow.value && !isAmongAnswered() && <Whose board={board} />}
      {board.takes_facts && (shown.value === "lecture" ? <Round board={board} /> : <Facts board={board} />)}
    </div>
  );
}

/** What stands instead of a model and a machine where the numbers are his: the way to those of one. */
function Round({ board: { model, machine } }: { board: Board }) {
  const { model: asked, machine: other } = whereabouts.value;
  return (
    <p class="round">
      <button type="button" onClick={() => go({ shown: "careful" })}>
        Sourced numbers of {called(asked || model)} on {called(other || machine)}
      </button>
    </p>
  );
}

function Facts({ board }: { board: Board }) {
  const { models = [], machines = [] } = shelf.value ?? {};
  const model = whereabouts.value.model || board.model;
  const files = [...droppedFiles.value];
  return (
    <>
      <label for="model">
        of{" "}
        <select id="model" value={model} onChange={({ currentTarget }) => go({ model: currentTarget.value })}>
          {models.map((name) => (
            <option key={name} value={name}>
              {called(name)}
            </option>
          ))}
          {files.map(([name, file]) => (
            <option key={name} value={name}>
              {file}
            </option>
          ))}
        </select>
      </label>
      <label for="machine">
        on{" "}
        <select
          id="machine"
          value={whereabouts.value.machine || board.machine}
          onChange={({ currentTarget }) => go({ machine: currentTarget.value })}
        >
          {machines.map((name) => (
            <option key={name} value={name}>
              {called(name)}
            </option>
          ))}
        </select>
      </label>
      <label class="file" for="config">
        or your config.json
        <input
          type="file"
          id="config"
          accept=".json,application/json"
          onChange={({ currentTarget }) => {
            const file = currentTarget.files?.[0];
            if (file) void drop(file);
            currentTarget.value = "";
          }}
        />
      </label>
    </>
  );
}

/** A file may be dropped anywhere on the page: the browser must not leave it for the file. */
export function useDrops(): void {
  useEffect(() => {
    const off = new AbortController();
    addEventListener("dragover", (event) => event.preventDefault(), { signal: off.signal });
    addEventListener(
      "drop",
      (event) => {
        event.preventDefault();
        const file = event.dataTransfer?.files[0];
        if (file) void drop(file);
      },
      { signal: off.signal },
    );
    return () => off.abort();
  }, []);
}

async function drop(file: File): Promise<void> {
  try {
    const { model } = await keepConfig(file);
    remember(model, file.name);
    go({ model, shown: shown.value === "lecture" ? "both" : address.value.shown });
    said.value = `The sourced numbers are now those of ${file.name}`;
  } catch (error) {
    problem.value = Refusal.from(error);
  }
}
