// A page for whoever works on charts: `CHART_DOCUMENTS=FOLDER npx vite dev --config dev/vite.config.ts`. It is not shipped.

import { fileURLToPath } from "node:url";

import { defineConfig } from "vite";

const folder = process.env["CHART_DOCUMENTS"];

export default defineConfig({
  root: fileURLToPath(new URL("..", import.meta.url)),
  ...(folder ? { publicDir: folder } : {}),
  server: { hmr: false },
});
