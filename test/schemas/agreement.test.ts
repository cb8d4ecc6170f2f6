// No editor flags what `validate` accepts: every file of a project without errors fits its schema.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { schemaText } from "../../src/config/document-schemas.ts";
import type { DocumentName } from "../../src/kinds/json-schema.ts";
import { randomEvents, randomLists, toFiles } from "../stage/random-project.ts";
import { ticketing } from "../stage/test-world.ts";
import { compileStrictly } from "./strict-reader.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

const schemaOf: readonly (readonly [RegExp, DocumentName])[] = [
  [/^ticketing\.yaml$/, "project"],
  [/^webhooks\.ya?ml$/, "webhooks"],
  [/^templates\/.*\.ya?ml$/, "template"],
  [/^events\/.*\.ya?ml$/, "event"],
];
const accepts = new Map(schemaOf.map(([, name]) => [name, compileStrictly(JSON.parse(schemaText(name)) as object)]));

/** The documents that do not fit, by file. */
function misfits(file: string, text: string): string[] {
  const [, name] = schemaOf.find(([path]) => path.test(file)) ?? [];
  if (name === undefined) return [];
  const documents = parseAllDocuments(text, { merge: true });
  return [...documents].filter((one) => !accepts.get(name)?.(one.toJS())).map((one) => `${file}: ${one.toString()}`);
}

function foldersBelow(...path: string[]): string[] {
  return readdirSync(join(root, ...path), { recursive: true, encoding: "utf8" }).map((file) =>
    join(root, ...path, file),
  );
}

const projects = [
  ...readdirSync(join(root, "examples")).map((name) => join(root, "examples", name)),
  ...foldersBelow("test/scenarios").filter((path) => /\/(?:files|expected)$/.test(path)),
];

describe("what validate accepts, an editor accepts", () => {
  test("in every example and scenario", async () => {
    let checked = 0;
    for (const project of projects) {
      const files = readdirSync(project, { recursive: true, encoding: "utf8" }).filter((file) => /\.ya?ml$/.test(file));
      const { stdout } = await ticketing(["validate", "--format", "json", "-C", project]);
      if (!(JSON.parse(stdout) as { ok: boolean }).ok) continue;
      for (const file of files) {
        expect(misfits(file, readFileSync(join(project, file), "utf8")), project).toEqual([]);
        checked += 1;
      }
    }
    expect(checked).toBeGreaterThan(150);
  }, 120_000);

  test("in any event", () => {
    fc.assert(
      fc.property(randomEvents, randomLists, (events, leftOut) => {
        for (const [file, text] of Object.entries(toFiles(events, leftOut))) expect(misfits(file, text)).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });
});
