// The same faults over a real socket, met by the real client: connections that break, answers that are cut or garbled.
import { cpSync, existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { startSandbox } from "../../src/sandbox/index.ts";
import { ticketing } from "../cli/test-world.ts";
import { acts } from "./acts.ts";
import { damageOf, type Picture, pictureOf } from "./picture.ts";

const stride = process.env.FAULTS === "full" ? 3 : 23;
const example = fileURLToPath(new URL("../../examples/festival", import.meta.url));
// A client waits a minute for an answer, which is too long here.
const overSocket = acts.filter((act) => act.counts === "calls" && !/SIGKILL|slow/.test(act.name));

async function open() {
  const directory = await mkdtemp(join(tmpdir(), "ticketing-socket-"));
  cpSync(example, directory, { recursive: true });
  const sandbox = await startSandbox({ organization: { slug: "bayside" } });
  const env = { TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: sandbox.apiKey };
  const now = () => Date.parse("2027-01-10T00:00:00Z");
  return {
    sandbox,
    apply: () => ticketing(["apply", "--yes", "--settle", "0.03", "-C", directory], { env, now }),
    secrets(): ReadonlyMap<string, string> {
      const file = join(directory, ".ticketing/secrets.json");
      const kept = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).webhooks : {};
      return new Map(Object.entries(kept as Record<string, { secret: string }>).map(([id, one]) => [id, one.secret]));
    },
    async close() {
      await sandbox.abandon();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function rehearse(): Promise<{ wished: Picture; calls: number }> {
  const place = await open();
  const { exitCode, stdout, stderr } = await place.apply();
  expect(exitCode, stdout + stderr).toBe(0);
  const rehearsal = { wished: pictureOf(place.sandbox.service), calls: place.sandbox.control.calls().length };
  await place.close();
  return rehearsal;
}

test.each(overSocket.map((act, index) => ({ ...act, index })))(
  "$name",
  async (act) => {
    const { wished, calls } = await rehearse();
    for (let n = 1 + (act.index % stride); n <= calls; n += stride) {
      const place = await open();
      const { fault } = act.at(n);
      if (fault !== undefined) place.sandbox.control.addFault(fault);
      const first = await place.apply();
      await place.sandbox.control.settle();
      place.sandbox.control.clearFaults();
      const second = await place.apply();
      const third = await place.apply();
      const story = [first, second, third].map((each) => `${each.exitCode}\n${each.stdout.slice(-800)}${each.stderr}`);
      expect(damageOf(place.sandbox.service, wished, place.secrets()), `at ${n}\n${story.join("\n")}`).toEqual({
        duplicates: 0,
        orphans: 0,
        missing: 0,
        lostSecrets: 0,
      });
      expect([second.exitCode, third.exitCode], story.join("\n")).toEqual([0, 0]);
      expect(third.stdout).toContain("No changes");
      await place.close();
    }
  },
  600_000,
);
