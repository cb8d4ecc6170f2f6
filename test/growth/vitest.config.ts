import { defineConfig } from "vitest/config";

// Tests that compare times: they run apart from all others, and one after the other.
// biome-ignore lint/style/noDefaultExport: this is where vitest looks
export default defineConfig({
  test: {
    include: ["test/growth/*.test.ts"],
    setupFiles: ["test/fixed-seed.ts"],
    testTimeout: 300_000,
    env: { NO_COLOR: "1" },
    fileParallelism: false,
    isolate: false,
  },
});
