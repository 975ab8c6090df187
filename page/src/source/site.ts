// Answers without a server: documents that were written with the page, and for all else Python in a worker.

import type { RefusalDocument } from "../documents";
import { withNumbers } from "./differences";
import { withRepeats } from "./repeats";
import { Refusal, type Source } from "./source";
import type { Asked, Told } from "./worker";

/** Documents by what they answer. */
type Documents = Record<string, unknown>;

type Reply<Answer> = { answer: Answer } | { refusal: RefusalDocument };

/** What is asked for, but for its number. */
type Question = Asked extends infer One ? (One extends unknown ? Omit<One, "id"> : never) : never;

const MOST_STARTS = 3;

export interface Site {
  /** The folder of the site. */
  root: string;
  /** Megabytes of Python; null where the site came without. */
  pythonMegabytes: number | null;
  /** Say what keeps the page waiting; nothing when it goes on. */
  notice: (text: string) => void;
}

/** The site that this page is of, by what its head says; null where a server is behind it. */
export function siteOf(head: HTMLHeadElement, notice: Site["notice"]): Site | null {
  const said = (name: string) => head.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content;
  if (said("ridgeline-site") === undefined) return null;
  const size = said("ridgeline-python");
  return { root: new URL(".", document.baseURI).href, pythonMegabytes: size ? Number(size) : null, notice };
}

export function site({ root, pythonMegabytes, notice }: Site): Source {
  const files = new Map<string, Promise<Documents>>();
  let python: ReturnType<typeof worker> | null = null;
  let starts = 0;

  function documents(file: string): Promise<Documents> {
    const address = `${root}documents/${file}.json.gz.bin`;
    const found = files.get(address) ?? read(address);
    files.set(address, found);
    found.catch(() => files.delete(address)); // asked for again next time
    return found;
  }

  async function computed<Answer>(question: Question, transfer: Transferable[] = []): Promise<Answer> {
    if (pythonMegabytes === null) {
      throw new Refusal("", "This page has its first pictures only; for other values, run: ridgeline blackboard");
    }
    if (!python) {
      if (starts === MOST_STARTS) throw new Refusal("", "Python did not start in this page; reload it, or try another browser");
      starts += 1;
      notice(`Starting Python in this page (${pythonMegabytes} MB, once)…`);
      python = worker(root);
    }
    try {
      return answered<Answer>(await python.ask(question, transfer));
    } catch (error) {
      if (!(error instanceof Refusal) && !python.hasAnswered()) {
        python.end();
        python = null; // a later question tries anew
      }
      throw error instanceof Refusal ? error : new Refusal("", `Python in this page: ${message(error)}`);
    } finally {
      notice("");
    }
  }

  async function written<Answer>(path: string, fields: Record<string, string>): Promise<Answer | null> {
    const file = fileOf(path);
    const found = file === null ? undefined : (await documents(file))[keyOf(path, fields)];
    return found === undefined ? null : (found as Answer);
  }

  return {
    ask: async <Answer>(path: string, fields: Record<string, string> = {}) =>
      (await written<Answer>(path, fields)) ?? computed<Answer>({ path, fields }),
    atHand: written,
    keep: async (config) => {
      const bytes = await config.arrayBuffer();
      return computed({ config: bytes }, [bytes]);
    },
  };
}

/** The file that a question's answer lies in, where it lies in one. */
function fileOf(path: string): string | null {
  const [room, name] = path.split("/");
  if (room === "boards" && name) return /^[a-z0-9-]+$/.test(name) ? `boards/${name}` : null;
  return room === "exercises" || room === "thumbnails" || room === "sources" ? room : "lecture";
}

/** A question as the files have it: what is left out means the same as what it stands for. */
function keyOf(path: string, fields: Record<string, string>): string {
  const given = Object.entries(fields).filter(([name, text]) => !(name === "mode" && text === "both"));
  given.sort(([one], [other]) => (one < other ? -1 : 1));
  return given.length ? `${path}?${new URLSearchParams(given).toString()}` : path;
}

async function read(address: string): Promise<Documents> {
  let response: Response;
  try {
    response = await fetch(address);
  } catch {
    throw new Refusal("", "The page's documents cannot be reached; is there a connection?");
  }
  if (response.status === 404) return {}; // Python says what is wrong with the name
  if (!response.ok || !response.body)
    throw new Refusal("", `The page's documents could not be loaded (status ${response.status})`);
  const found: unknown = await new Response(response.body.pipeThrough(new DecompressionStream("gzip"))).json();
  return withRepeats(withNumbers(found)) as Documents;
}

function answered<Answer>(text: string): Answer {
  const reply = JSON.parse(text) as Reply<Answer>;
  if ("refusal" in reply) throw Refusal.of(reply.refusal);
  return reply.answer;
}

function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Python, which starts now. */
function worker(root: string) {
  const thread = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  const waiting = new Map<number, { resolve: (text: string) => void; reject: (error: Error) => void }>();
  let asked = 0;
  let hasAnswered = false;
  thread.addEventListener("message", ({ data }: MessageEvent<Told>) => {
    const one = waiting.get(data.id);
    waiting.delete(data.id);
    if ("text" in data) {
      hasAnswered = true;
      one?.resolve(data.text);
    } else one?.reject(new Error(data.failure));
  });
  thread.addEventListener("error", (event) => {
    for (const one of waiting.values()) one.reject(new Error(event.message || "it could not be started"));
    waiting.clear();
  });
  thread.postMessage({ root });
  return {
    hasAnswered: () => hasAnswered,
    end: () => thread.terminate(),
    ask: (question: Question, transfer: Transferable[]) =>
      new Promise<string>((resolve, reject) => {
        asked += 1;
        waiting.set(asked, { resolve, reject });
        thread.postMessage({ ...question, id: asked }, transfer);
      }),
  };
}
