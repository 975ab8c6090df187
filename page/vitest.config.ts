import { defineConfig } from "vitest/config";

// Properties are tried on hundreds of pictures, which a busy machine takes its time for.
export default defineConfig({ test: { testTimeout: 60_000 } });
