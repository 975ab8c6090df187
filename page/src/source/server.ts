// Answers over HTTP, from `ridgeline blackboard`.

import type { RefusalDocument } from "../documents";
import { Refusal, type Source } from "./source";

const API = "/api/";

export const server: Source = {
  ask: (path, fields = {}) => {
    const query = new URLSearchParams(fields).toString();
    return answer(query ? `${API}${path}?${query}` : `${API}${path}`);
  },
  keep: (config) => answer(`${API}models`, { method: "POST", body: config }),
};

async function answer<Answer>(address: string, request?: RequestInit): Promise<Answer> {
  let response: Response;
  try {
    response = await fetch(address, request);
  } catch {
    throw new Refusal("", "The server does not answer; start it again with: ridgeline blackboard");
  }
  if (response.ok) return (await response.json()) as Answer;
  // What stands between the page and the server may refuse in words of its own.
  const said = (await response.json().catch(() => ({}))) as Partial<RefusalDocument>;
  throw Refusal.of({ field: "", message: `The server answered with status ${response.status}`, wrong: {}, ...said });
}
