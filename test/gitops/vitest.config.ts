import { suite } from "../suite.ts";

// Stories with real clones, remotes and hosts, from pull request to service; `npm test` leaves them out.
// biome-ignore lint/style/noDefaultExport: this is where vitest looks
export default suite({
  include: [
    "test/gitops/*.test.ts",
    "test/state/git/*.test.ts",
    "test/app/importing/init/{gitlab-pipeline,install-step}.test.ts",
  ],
});
