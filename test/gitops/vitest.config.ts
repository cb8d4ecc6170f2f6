import { defineConfig } from "vitest/config";

// Stories with real clones, remotes and hosts, from pull request to service; `npm test` leaves them out.
// biome-ignore lint/style/noDefaultExport: this is where vitest looks
export default defineConfig({
  test: {
    include: [
      "test/gitops/*.test.ts",
      "test/state/git/*.test.ts",
      "test/cli/init/{gitlab-pipeline,install-step}.test.ts",
    ],
    globalSetup: ["test/temporary-folder.ts"],
    setupFiles: ["test/fixed-seed.ts"],
    // What comes by itself comes later on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 120_000,
    hookTimeout: 60_000,
    env: { NO_COLOR: "1" },
    isolate: false,
  },
});
