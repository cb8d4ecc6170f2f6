import { defineConfig } from "vitest/config";

// Every fault at every call; `npm test` leaves it out.
// biome-ignore lint/style/noDefaultExport: this is where vitest looks
export default defineConfig({
  test: {
    include: ["test/faults/*.test.ts"],
    globalSetup: ["test/temporary-folder.ts"],
    setupFiles: ["test/fixed-seed.ts"],
    // What comes by itself comes later on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 1_200_000,
    hookTimeout: 60_000,
    env: { NO_COLOR: "1" },
    // One table for all of them, and timers that are not disturbed by neighbors.
    fileParallelism: false,
    isolate: false,
  },
});
