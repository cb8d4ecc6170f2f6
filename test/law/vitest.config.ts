import { defineConfig } from "vitest/config";

// Long walks that `npm test` leaves out: the law of an empty second run under every reading, and what holds for any files.
// biome-ignore lint/style/noDefaultExport: this is where vitest looks
export default defineConfig({
  test: {
    include: [
      "test/law/*.test.ts",
      "test/plan/properties.test.ts",
      "test/import/{any-layout,law}.test.ts",
      "test/mistakes/22-*.test.ts",
    ],
    globalSetup: ["test/temporary-folder.ts"],
    setupFiles: ["test/fixed-seed.ts"],
    testTimeout: 600_000,
    hookTimeout: 60_000,
    env: { NO_COLOR: "1" },
    isolate: false,
  },
});
