import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { schemaNames } from "../../src/cli/usage/files.ts";
import { schemaText } from "../../src/config/document-schemas.ts";
import { ticketing } from "../stage/test-world.ts";
import { compileStrictly } from "./strict-reader.ts";

interface Node {
  readonly title?: string;
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly enumDescriptions?: readonly string[];
  readonly pattern?: string;
  readonly patternErrorMessage?: string;
  readonly markdownDescription?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly oneOf?: readonly Node[];
  readonly additionalProperties?: Node | boolean;
}

/** The schema and every schema in it. */
function nodesOf(node: unknown): Node[] {
  if (typeof node !== "object" || node === null) return [];
  const below = Object.values(node).flatMap(nodesOf);
  return Array.isArray(node) ? below : [node as Node, ...below];
}

/** Every field that the schema describes, by its path. */
function fieldsOf(node: Node, path = ""): [string, Node][] {
  const own = Object.entries(node.properties ?? {}).map(([name, field]): [string, Node] => [`${path}/${name}`, field]);
  const more = typeof node.additionalProperties === "object" ? [node.additionalProperties] : [];
  const below = [...(node.items === undefined ? [] : [node.items]), ...(node.oneOf ?? []), ...more];
  return [
    ...own,
    ...own.flatMap(([name, field]) => fieldsOf(field, name)),
    ...below.flatMap((one) => fieldsOf(one, path)),
  ];
}

describe.each(schemaNames)("the schema of %s", (name) => {
  const schema = JSON.parse(schemaText(name)) as Node & { readonly title: string };

  test("is the file that was written", async () => {
    const written = await readFile(new URL(`../../schemas/${name}.json`, import.meta.url), "utf8");
    expect(written, "run `npm run schemas`").toBe(schemaText(name));
  });

  test("is what the command prints", async () => {
    expect(await ticketing(["schema", name])).toEqual({ exitCode: 0, stdout: schemaText(name), stderr: "" });
  });

  test("describes every field, with an example", () => {
    const fields = fieldsOf(schema);
    expect(fields.length).toBeGreaterThan(4);
    for (const [path, field] of fields) {
      expect(field.description, path).toMatch(/\S/);
      expect(field.examples?.length, path).toBeGreaterThan(0);
      expect(field.title, path).toMatch(/^[A-Z]/);
    }
  });

  test("explains every choice in plain words", () => {
    const choices = nodesOf(schema).filter((node) => Array.isArray(node.enum));
    for (const { enum: values = [], enumDescriptions = [] } of choices) {
      expect(enumDescriptions, String(values)).toHaveLength(values.length);
      // The language server escapes what could be Markdown.
      for (const text of enumDescriptions) expect(text).toMatch(/^[^\\`*_{}[\]#+!]+$/);
    }
  });

  test("says in words what a pattern asks for, and gives Markdown as Markdown", () => {
    for (const { pattern, patternErrorMessage, description = "", markdownDescription } of nodesOf(schema)) {
      if (typeof pattern === "string") expect(patternErrorMessage, pattern).toMatch(/\.$/);
      if (typeof description === "string" && /[`*_{}[\]#+!]/.test(description))
        expect(markdownDescription).toBe(description);
    }
  });

  test("is taken by strict readers", () => {
    expect(compileStrictly(schema)).toBeTypeOf("function");
  });

  test("names no one and no place", () => {
    expect(schema).not.toHaveProperty("$id");
    expect(schema).toMatchObject({ $schema: "http://json-schema.org/draft-07/schema#", title: expect.any(String) });
  });
});

describe("the schema of event", () => {
  const accepts = compileStrictly(JSON.parse(schemaText("event")) as object);
  const start = { name: "Manila Nights", dateTime: "2027-03-14T19:00" };

  test.each([
    { eventCapacity: "${var.seats}" },
    { absorbFees: "${env.TICKETING_VAR_FEES}", status: "${var.status}", currency: "${var.c}" },
    { tickets: [{ name: "GA", price: "${var.price}", quantity: 5, published: "${var.onSale}" }] },
    { allow: ["${var.risk}"], eventCapacity: null, visibility: null },
  ])("takes variables: %j", (fields) => {
    expect(accepts({ ...start, ...fields })).toBe(true);
  });

  test.each([
    { eventCapacity: "700" },
    { eventCapacity: 0 },
    { absorbFees: "true" },
    { status: "published" },
    { tickets: [{ name: "GA", price: "1500", quantity: 5 }] },
    { tickets: [{ price: 1500, quantity: 5 }] },
    { tickets: [{ name: "GA", quantity: 5 }] },
    { tickets: [{ name: "GA", price: 1500 }] },
    { dateTime: "19:00" },
    { dateTime: "+2h" },
    { series: { every: "friday" } },
    { name: undefined },
  ])("refuses what is not a variable: %j", (fields) => {
    expect(accepts(JSON.parse(JSON.stringify({ ...start, ...fields })))).toBe(false);
  });
});
