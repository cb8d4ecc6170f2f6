import { defineConfig } from "vitest/config";

// Long walks that `npm test` leaves out: the law of an empty second run under every reading, what holds for any files and shards, and hours of a shared pace.
// biome-ignore lint/style/noDefaultExport: this is where vitest looks
export default defineConfig({
  test: {
    include: [
      "test/law/*.test.ts",
      "test/plan/properties.test.ts",
      "test/import/{any-layout,law}.test.ts",
      "test/app/planning/shards.test.ts",
      "test/service/shared-pace.test.ts",
      "test/app/operate/rotation.test.ts",
      "test/mistakes/{19,22}-*.test.ts",
    ],
    globalSetup: ["test/temporary-folder.ts"],
    setupFiles: ["test/fixed-seed.ts"],
    // What comes by itself comes later on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 600_000,
    hookTimeout: 60_000,
    env: { NO_COLOR: "1" },
    isolate: false,
  },
});
