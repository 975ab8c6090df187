// Python in the page: loads once, then answers one question after another as a server would.

export interface Start {
  /** The folder of the site, where Python lies. */
  root: string;
}

/** A question, or a dropped configuration. */
export type Asked = { id: number } & ({ path: string; fields: Record<string, string> } | { config: ArrayBuffer });

/** What came of it: the answer's text, or why there is none. */
export type Told = { id: number } & ({ text: string } | { failure: string });

/** What is used of Pyodide. */
interface Python {
  pyimport(name: string): unknown;
  toPy(value: Uint8Array): unknown;
}

interface Runtime {
  loadPyodide(options: Record<string, unknown>): Promise<Python>;
}

interface Replies {
  reply(path: string, fields: string): string;
  keep(config: unknown): string;
}

/** A Python array of doubles. */
interface Doubles {
  getBuffer(kind: "f64"): { data: Float64Array; release(): void };
}

const LOCK = "pyodide-lock.json";
const TYPES: Record<string, string> = { mjs: "text/javascript", wasm: "application/wasm" };

let python: Promise<{ runtime: Python; replies: Replies }>;

addEventListener("message", ({ data }: MessageEvent<Start | Asked>) => {
  if ("root" in data) python = begun(`${data.root}python/`);
  else void told(data).then((answer) => postMessage(answer));
});

async function told(asked: Asked): Promise<Told> {
  const { id } = asked;
  try {
    const { runtime, replies } = await python;
    const text =
      "config" in asked
        ? replies.keep(runtime.toPy(new Uint8Array(asked.config)))
        : replies.reply(asked.path, JSON.stringify(asked.fields));
    return { id, text };
  } catch (error) {
    return { id, failure: lastLine(error) };
  }
}

/** Of a Python error the line that says what was wrong. */
function lastLine(error: unknown): string {
  const lines = (error instanceof Error ? error.message : String(error)).trim().split("\n");
  return lines[lines.length - 1] ?? "";
}

/** Everything that is needed is fetched at once; most of the time goes into that. */
async function begun(folder: string): Promise<{ runtime: Python; replies: Replies }> {
  const [loader, machine, modules, wasm] = ["pyodide.mjs", "pyodide.asm.mjs", "modules.zip", "pyodide.asm.wasm"].map((name) =>
    inflated(folder, name),
  ) as [Promise<Response>, Promise<Response>, Promise<Response>, Promise<Response>];
  // Pyodide fetches by itself what has been fetched here.
  const plain = fetch.bind(globalThis);
  const ready = new Map([
    [`${folder}modules.zip`, modules],
    [`${folder}pyodide.asm.wasm`, wasm],
  ]);
  globalThis.fetch = (address, options) => ready.get(String(address)) ?? plain(address, options);
  const [{ loadPyodide }, { default: createPyodideModule }] = await Promise.all([
    imported<Runtime>(loader),
    imported<{ default: unknown }>(machine),
  ]);
  const runtime = await loadPyodide({
    indexURL: folder,
    stdLibURL: `${folder}modules.zip`,
    createPyodideModule,
    // Names no packages, so that what is not in the archive is not asked for elsewhere.
    lockFileURL: `${folder}${LOCK}`,
  });
  globalThis.fetch = plain;
  Object.assign(runtime.pyimport("numpy.products") as object, { quick_product: product });
  return { runtime, replies: runtime.pyimport("ridgeline.web.worker.reply") as Replies };
}

/** A piece of Python, which lies compressed, since not every host compresses what it sends. */
async function inflated(folder: string, name: string): Promise<Response> {
  const response = await fetch(`${folder}${name}.gz.bin`);
  if (!response.ok || !response.body) throw new Error(`${name} could not be loaded (status ${response.status})`);
  const type = TYPES[name.split(".").pop() ?? ""] ?? "application/octet-stream";
  return new Response(response.body.pipeThrough(new DecompressionStream("gzip")), { headers: { "content-type": type } });
}

/** A module that was fetched. */
async function imported<Module>(response: Promise<Response>): Promise<Module> {
  const address = URL.createObjectURL(await (await response).blob());
  try {
    return (await import(/* @vite-ignore */ address)) as Module;
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** The product of two matrices, row after row, into the third; arrays in Python are lists, and take their time. */
function product(first: Doubles, second: Doubles, into: Doubles, inner: number, width: number): void {
  const held = [first, second, into].map((one) => one.getBuffer("f64"));
  const [left, right, found] = held.map((one) => one.data) as [Float64Array, Float64Array, Float64Array];
  for (let row = 0; row * inner < left.length; row += 1) {
    for (let column = 0; column < width; column += 1) {
      let sum = 0;
      for (let at = 0; at < inner; at += 1) sum += (left[row * inner + at] ?? 0) * (right[at * width + column] ?? 0);
      found[row * width + column] = sum;
    }
  }
  for (const one of held) one.release();
}
