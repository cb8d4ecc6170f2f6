import { suite } from "../suite.ts";

// Tests that compare times, of the processor, and sizes: they run one after the other; `npm test` leaves them out.
// biome-ignore lint/style/noDefaultExport: this is where vitest looks
export default suite({
  include: ["test/growth/*.test.ts", "test/bin/many-events.test.ts", "test/scale/on-paper.test.ts"],
  testTimeout: 300_000,
  fileParallelism: false,
  // They are about the program as it runs, optimized by V8 as usual.
  execArgv: [],
});
