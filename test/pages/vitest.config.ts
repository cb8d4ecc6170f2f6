import { suite } from "../suite.ts";

// Pages in a real browser, which must be installed: `npm test` leaves them out.
// biome-ignore lint/style/noDefaultExport: this is where vitest looks
export default suite({
  include: ["test/pages/*.test.ts"],
});
