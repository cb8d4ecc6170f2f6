// A pull request's comment before and after its apply, and the log of that job, kept for docs/recordings.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { expectGolden } from "../stage/golden.ts";
import { draft, manilaNights, openLoop } from "./hosted-loop.ts";

const folder = fileURLToPath(new URL("../../docs/recordings", import.meta.url));

test("a price among sales, and a new event", async () => {
  const loop = await openLoop();
  // Commits and ports differ from run to run.
  const steady = (text: string) => {
    const commits = new Map<string, string>();
    const stand = (commit: string) => {
      const short = commit.slice(0, 7);
      if (!commits.has(short)) commits.set(short, (commits.size + 10).toString(16).repeat(40).slice(0, 40));
      return (commits.get(short) ?? "").slice(0, commit.length);
    };
    return text
      .replace(/\b[0-9a-f]{40}\b/g, stand)
      .replace(/(?<=`)[0-9a-f]{7}(?=`)/g, stand)
      .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:4010");
  };
  try {
    expect((await loop.ci(["ci", "apply"])).exitCode).toBe(0);
    loop.sandbox.control.sell({ event: "Manila Nights", ticket: "GA", count: 37 });
    const pullRequest = loop.openPullRequest({
      "events/manila-nights.yaml": manilaNights(1800),
      "events/gala.yaml": draft("Gala", 100),
    });
    const typed = (ran: { readonly stdout: string; readonly stderr: string }) => `${ran.stdout}${ran.stderr}`.trimEnd();
    const planned = await loop.ci(["ci", "plan"], { pullRequest });
    expectGolden(join(folder, "pull-request-comment.md"), steady(loop.comments(pullRequest)[0] ?? ""));
    loop.push(pullRequest, { "events/manila-nights.yaml": manilaNights(1800, "allow: [price-change-with-sales]\n") });
    await loop.ci(["ci", "plan"], { pullRequest });
    loop.merge(pullRequest);
    const ran = await loop.ci(["ci", "apply", "--parallelism", "1"]);
    expect(ran.exitCode).toBe(0);
    expectGolden(
      join(folder, "ci-apply.txt"),
      steady(
        [
          "# in the job of the pull request",
          "$ ticketing ci plan --env production",
          typed(planned),
          "",
          "# allow: [price-change-with-sales] was added; after the merge",
          "$ ticketing ci apply --env production --parallelism 1",
          typed(ran),
          "",
        ].join("\n"),
      ),
    );
    expectGolden(join(folder, "pull-request-comment-applied.md"), steady(loop.comments(pullRequest)[0] ?? ""));
  } finally {
    await loop.close();
  }
});
