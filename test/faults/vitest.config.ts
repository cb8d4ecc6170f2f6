import { suite } from "../suite.ts";

// Every fault at every call; `npm test` leaves it out.
// biome-ignore lint/style/noDefaultExport: this is where vitest looks
export default suite({
  include: ["test/faults/*.test.ts"],
  testTimeout: 1_200_000,
  // One table for all of them, and timers that are not disturbed by neighbors.
  fileParallelism: false,
});
