import { defineConfig } from "vitest/config";

// Properties are tried on hundreds of pictures, which a busy machine takes its time for.
// Style sheets are read as text alone.
export default defineConfig({ test: { testTimeout: 60_000, css: { include: /\.css\?raw/ } } });
