import { defineConfig } from "vitest/config";

// Tests that compare times, of the processor, and sizes: they run one after the other; `npm test` leaves them out.
// biome-ignore lint/style/noDefaultExport: this is where vitest looks
export default defineConfig({
  test: {
    include: ["test/growth/*.test.ts", "test/bin/many-events.test.ts", "test/scale/on-paper.test.ts"],
    globalSetup: ["test/temporary-folder.ts"],
    setupFiles: ["test/fixed-seed.ts"],
    // What comes by itself comes later on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 300_000,
    env: { NO_COLOR: "1" },
    fileParallelism: false,
    isolate: false,
  },
});
