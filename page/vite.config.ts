import { defineConfig } from "vite";

// The page is served from the package's folder, beside /api and /theme.css.
export default defineConfig({
  build: {
    outDir: "../src/ridgeline/web/page",
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: "es2022",
  },
  server: { proxy: { "/api": "http://127.0.0.1:8265", "/theme.css": "http://127.0.0.1:8265" } },
});
