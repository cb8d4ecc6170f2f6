// The step that installs the program from a registry, run against one: exactly the bytes that were there when `init` ran.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { type InstallSource, packSelf } from "../../../../src/app/importing/init/ci-project.ts";
import { githubWorkflow } from "../../../../src/app/importing/init/github-workflow.ts";
import { gitlabJobs } from "../../../../src/app/importing/init/gitlab-pipeline.ts";
import { version } from "../../../../src/app/world.ts";
import { buildProgram } from "../../../bin/program.ts";

async function registryWith(tarball: Buffer) {
  const server = createServer((request, response) => {
    if (request.url?.endsWith(".tgz")) return void response.end(tarball);
    const { port } = server.address() as AddressInfo;
    const dist = {
      tarball: `http://127.0.0.1:${port}/ticketing-as-code/-/ticketing-as-code-${version}.tgz`,
      integrity: `sha512-${createHash("sha512").update(tarball).digest("base64")}`,
    };
    const versions = { [version]: { name: "ticketing-as-code", version, dist } };
    const found = { name: "ticketing-as-code", "dist-tags": { latest: version }, versions };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(found));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() };
}

function scriptsFor(install: InstallSource): readonly string[] {
  const project = { environments: [], hasPhases: false, folder: "", branch: "main", install };
  const { jobs } = parse(githubWorkflow(project)) as {
    jobs: { validate: { steps: { name?: string; run: string }[] } };
  };
  const gitlab = parse(gitlabJobs(project)) as { ".ticketing": { before_script: string[] } };
  const step = jobs.validate.steps.find(({ name }) => name === "Install ticketing");
  return [step?.run ?? "", gitlab[".ticketing"].before_script.join("\n")];
}

async function run(script: string, registry: string): Promise<{ exitCode: number; installed: boolean }> {
  const machine = mkdtempSync(join(tmpdir(), "ticketing-install-"));
  const child = spawn("bash", ["-eo", "pipefail", "-c", script], {
    cwd: machine,
    stdio: "ignore",
    env: {
      PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
      HOME: machine,
      npm_config_prefix: join(machine, "prefix"),
      npm_config_registry: registry,
    },
  });
  const [exitCode] = (await once(child, "close")) as [number];
  return { exitCode, installed: existsSync(join(machine, "prefix/bin/ticketing")) };
}

test.skipIf(process.platform === "win32")(
  "it takes the bytes that it knows, and no others",
  async () => {
    buildProgram();
    const tarball = packSelf();
    const digest = createHash("sha512").update(tarball).digest("hex");
    const good = await registryWith(tarball);
    const changed = await registryWith(gzipSync(gunzipSync(tarball), { level: 1 }));
    for (const script of scriptsFor({ from: "registry", version, digest })) {
      expect(await run(script, good.url)).toEqual({ exitCode: 0, installed: true });
      expect(await run(script, changed.url)).toEqual({ exitCode: 1, installed: false });
    }
    good.close();
    changed.close();
  },
  120_000,
);
