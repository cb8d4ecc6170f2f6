import { availableParallelism } from "node:os";
import { suite } from "../suite.ts";

// What somebody hostile may send, write or put in the way: a separate suite, each row of docs/security.md.
// biome-ignore lint/style/noDefaultExport: this is where vitest looks
export default suite({
  include: ["test/attacks/*.test.ts"],
  maxWorkers: availableParallelism() + 1,
});
