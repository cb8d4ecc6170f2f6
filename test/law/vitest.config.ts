import { suite } from "../suite.ts";

// Long walks that `npm test` leaves out: the law of an empty second run under every reading, what holds for any files and shards, and hours of a shared pace.
// biome-ignore lint/style/noDefaultExport: this is where vitest looks
export default suite({
  include: [
    "test/law/*.test.ts",
    "test/plan/properties.test.ts",
    "test/import/law.test.ts",
    "test/import/text/any-layout.test.ts",
    "test/app/planning/shards.test.ts",
    "test/service/pace/shared-pace.test.ts",
    "test/app/operate/rotation.test.ts",
    "test/mistakes/{19,22}-*.test.ts",
  ],
  testTimeout: 600_000,
});
