// What all suites have in common. Each suite is the vitest.config.ts of a folder, and says what is its own.
import { defineConfig, type TestUserConfig } from "vitest/config";

export function suite(own: TestUserConfig) {
  return defineConfig({
    test: {
      globalSetup: ["test/temporary-folder.ts"],
      setupFiles: ["test/fixed-seed.ts"],
      // What comes by itself comes later on a busy machine.
      expect: { poll: { timeout: 30_000 } },
      testTimeout: 120_000,
      hookTimeout: 60_000,
      env: { NO_COLOR: "1" },
      // Files of one worker share what they import: to load it for each of them takes longer than most tests.
      isolate: false,
      ...own,
    },
  });
}
