// Whose numbers: the lecture's, the catalog's of a model and a machine, or of a file that is dropped on the page.

import { useEffect } from "preact/hooks";

import type { Board } from "../documents";
import { isOneAtATime } from "../scenes/views";
import { Refusal } from "../source/source";
import type { Whose } from "../state/address";
import { droppedFiles, remember } from "../state/dropped";
import { MODE_MEANINGS, MODE_WORDS } from "../state/modes";
import { isNarrow } from "../state/narrow";
import { address, answer, called, go, keepConfig, problem, said, shelf, shown, view } from "../state/store";

export function Sources({ board }: { board: Board }) {
  const found = answer.value;
  const picture = found?.views[view.value];
  // Where both modes are shown one at a time, the picture has a switch of its own.
  const isSwitched = picture !== undefined && isOneAtATime(picture, isNarrow.value) && (found?.modes.length ?? 0) > 1;
  return (
    <div id="sources">
      <fieldset id="modes" hidden={isSwitched}>
        <legend class="unseen">Whose numbers</legend>
        {(Object.keys(MODE_WORDS) as Whose[]).map((mode) => (
          <label key={mode} data-means={MODE_MEANINGS[mode]}>
            <input
              aria-description={MODE_MEANINGS[mode]}
              type="radio"
              name="mode"
              id={`mode-${mode}`}
              checked={shown.value === mode}
              onChange={() => go({ shown: mode })}
            />
            <span>{MODE_WORDS[mode]}</span>
          </label>
        ))}
      </fieldset>
      {board.takes_facts && <Facts board={board} />}
    </div>
  );
}

function Facts({ board }: { board: Board }) {
  const { models = [], machines = [] } = shelf.value ?? {};
  const model = address.value.model || board.model;
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
          value={address.value.machine || board.machine}
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
    said.value = `The published numbers are now those of ${file.name}`;
  } catch (error) {
    problem.value = Refusal.from(error);
  }
}
