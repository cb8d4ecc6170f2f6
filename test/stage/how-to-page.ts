// A page of docs/how-to, done step by step: files are written, edits made, commands typed, and what they answer is compared with the page.
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { startSandbox } from "../../src/sandbox/index.ts";
import { ticketing } from "./test-world.ts";

/**
 * | in the page                          | does                                                                 |
 * |--------------------------------------|----------------------------------------------------------------------|
 * | a `yaml` block, first line `# PATH`  | writes that file                                                     |
 * | a `diff` block, first line `# PATH`  | replaces the lines with `-` by those with `+`                        |
 * | a `console` block                    | types each `$ ticketing …`; below it is what it prints, `…` for a gap |
 * | a comment `live`, with YAML          | is an event that others have made on the live service                |
 */
type Step =
  | { readonly type: "live"; readonly text: string }
  | { readonly type: "write" | "edit"; readonly file: string; readonly lines: readonly string[] }
  | { readonly type: "run"; readonly command: string; readonly shown: readonly string[] };

export function stepsOf(page: string): readonly Step[] {
  const steps: Step[] = [];
  for (const { groups = {} } of page.matchAll(
    /^```(?<kind>\w+)\n(?<body>[\s\S]*?)^```$|^<!-- live\n(?<live>[^>]*)-->$/gm,
  )) {
    const { kind, body = "", live } = groups;
    const lines = body.trimEnd().split("\n");
    const file = /^# (\S+\.(?:yaml|csv))$/.exec(lines[0] ?? "")?.[1];
    if (live !== undefined) steps.push({ type: "live", text: live });
    else if (kind === "console") steps.push(...commandsOf(lines));
    else if (file !== undefined) steps.push({ type: kind === "diff" ? "edit" : "write", file, lines });
  }
  return steps;
}

function commandsOf(lines: readonly string[]): readonly Step[] {
  const starts = lines.flatMap((line, index) => (line.startsWith("$ ") ? [index] : []));
  return starts.map((start, index) => ({
    type: "run",
    command: (lines[start] ?? "").slice(2),
    shown: lines.slice(start + 1, starts[index + 1] ?? lines.length),
  }));
}

/** Addresses that pages name, each a separate service while the page is run. */
const places = [
  { address: "https://api.example.com/open-api/v1", slug: "acme-live", name: "Acme Live" },
  { address: "https://staging.example.com/open-api/v1", slug: "acme-test", name: "Acme Test" },
];

/** Where pages have webhooks received; as long as the address of a port on this machine, so that lines break alike. */
const receiver = "http://localhost:18080";

export async function doPage(page: string): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), "ticketing-how-to-"));
  const now = () => Date.parse("2026-12-01T00:00:00Z");
  const services = await Promise.all(
    places.map(({ slug, name }) => startSandbox({ organization: { slug, name }, now })),
  );
  const listening = createServer((_, response) => response.end()).listen(0, "127.0.0.1");
  await once(listening, "listening");
  const served = [
    ...places.map(({ address }, index) => [address, services[index]?.baseUrl ?? ""] as const),
    [receiver, `http://127.0.0.1:${(listening.address() as AddressInfo).port}`] as const,
  ];
  const env = { TICKETING_API_KEY: services[0]?.apiKey ?? "", TICKETING_STAGING_KEY: services[1]?.apiKey ?? "" };
  const inside = (text: string) => served.reduce((all, [name, real]) => all.replaceAll(name, real), text);
  const outside = (text: string) => served.reduce((all, [name, real]) => all.replaceAll(real, name), text);
  try {
    const steps = stepsOf(page);
    const needsKey = places.some(({ address }) => page.includes(address));
    for (const step of steps) {
      if (step.type === "run") {
        const argv = wordsOf(inside(step.command)).slice(1);
        const ran = await ticketing([...argv, "-C", folder], { env: needsKey ? env : {}, now });
        expectShown(step.command, step.shown, outside(`${ran.stdout}${ran.stderr}`));
        continue;
      }
      if (step.type === "live") {
        const elsewhere = mkdtempSync(join(tmpdir(), "ticketing-how-to-"));
        mkdirSync(join(elsewhere, "events"));
        writeFileSync(join(elsewhere, "events/live.yaml"), step.text);
        const TICKETING_BASE_URL = services[0]?.baseUrl ?? "";
        const ran = await ticketing(["apply", "--yes", "-C", elsewhere], { env: { ...env, TICKETING_BASE_URL }, now });
        expect(ran.exitCode, ran.stdout + ran.stderr).toBe(0);
        continue;
      }
      const path = join(folder, step.file);
      mkdirSync(dirname(path), { recursive: true });
      const text =
        step.type === "write" ? `${step.lines.join("\n")}\n` : edited(readFileSync(path, "utf8"), step.lines);
      writeFileSync(path, inside(text));
    }
    return steps.length;
  } finally {
    listening.close();
    await Promise.all(services.map((service) => service.close()));
  }
}

/** The words of a command line, without the quotes around one. */
function wordsOf(command: string): readonly string[] {
  return (command.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ""));
}

function edited(text: string, lines: readonly string[]): string {
  const of = (sign: string) => lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(1));
  const context = lines.filter((line) => line.startsWith(" ")).map((line) => line.slice(1));
  const [before, after] = [of("-"), of("+")];
  const found = before.length > 0 ? before.join("\n") : (context[0] ?? "");
  expect(text).toContain(found);
  return text.replace(found, () => (before.length > 0 ? after : [found, ...after]).join("\n"));
}

/** New ids are made each time. */
const anyId = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

function expectShown(command: string, shown: readonly string[], said: string): void {
  const parts = `\n${shown.join("\n").trimEnd()}`.replace(anyId, "ID").split(/\n…(?=\n|$)/);
  let rest = `\n${said.trimEnd()}\n`.replace(anyId, "ID");
  for (const part of parts) {
    const at = part === "" ? 0 : rest.indexOf(`${part}\n`);
    if (at === -1) expect.fail(`$ ${command}\nprints\n${said}\nand not\n${part}`);
    rest = rest.slice(at + part.length);
  }
}
