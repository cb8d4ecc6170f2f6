import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/fixed-seed.ts"],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    env: { NO_COLOR: "1" },
  },
});
