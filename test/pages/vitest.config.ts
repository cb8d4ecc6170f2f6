import { defineConfig } from "vitest/config";

// Pages in a real browser, which must be installed: `npm test` leaves them out.
// biome-ignore lint/style/noDefaultExport: this is where vitest looks
export default defineConfig({
  test: {
    include: ["test/pages/*.test.ts"],
    globalSetup: ["test/temporary-folder.ts"],
    setupFiles: ["test/fixed-seed.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    env: { NO_COLOR: "1" },
    isolate: false,
  },
});
