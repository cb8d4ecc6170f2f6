import { defineConfig } from "vitest/config";

// The long walks that `npm test` leaves out: the law of an empty second run under every reading.
// biome-ignore lint/style/noDefaultExport: this is where vitest looks
export default defineConfig({
  test: {
    include: ["test/law/*.test.ts"],
    setupFiles: ["test/fixed-seed.ts"],
    testTimeout: 600_000,
    hookTimeout: 60_000,
    env: { NO_COLOR: "1" },
  },
});
