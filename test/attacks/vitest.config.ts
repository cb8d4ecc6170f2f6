import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

// What somebody hostile may send, write or put in the way: a suite of its own, each row of docs/security.md.
// biome-ignore lint/style/noDefaultExport: this is where vitest looks
export default defineConfig({
  test: {
    include: ["test/attacks/*.test.ts"],
    globalSetup: ["test/temporary-folder.ts"],
    setupFiles: ["test/fixed-seed.ts"],
    // What comes by itself comes later on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 120_000,
    hookTimeout: 60_000,
    env: { NO_COLOR: "1" },
    maxWorkers: availableParallelism() + 1,
    isolate: false,
  },
});
