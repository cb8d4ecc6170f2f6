import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import { schemaText } from "../../src/cli/schema-text.ts";
import { schemaNames } from "../../src/cli/usage/files.ts";
import { ticketing } from "../stage/test-world.ts";

interface Node {
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
  readonly additionalProperties?: Node | boolean;
}

/** The strictest reader of schemas, which the language server brings along. */
function compileStrictly(schema: object): (document: unknown) => boolean {
  const server = createRequire(createRequire(import.meta.url).resolve("yaml-language-server/package.json"));
  const { Ajv } = server("ajv") as { Ajv: new (options: object) => { compile(of: object): (it: unknown) => boolean } };
  return new Ajv({ strict: true }).compile(schema);
}

/** Every field that the schema describes, by its path. */
function fieldsOf(node: Node, path = ""): [string, Node][] {
  const own = Object.entries(node.properties ?? {}).map(([name, field]): [string, Node] => [`${path}/${name}`, field]);
  const more = typeof node.additionalProperties === "object" ? [node.additionalProperties] : [];
  const below = [...(node.items === undefined ? [] : [node.items]), ...(node.anyOf ?? []), ...more];
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
    }
  });

  test("is taken by strict readers", () => {
    expect(compileStrictly(schema)).toBeTypeOf("function");
  });

  test("names nobody and no place", () => {
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
    { tickets: [{ name: "GA", price: "1500" }] },
    { tickets: [{ price: 1500 }] },
    { name: undefined },
  ])("refuses what is not a variable: %j", (fields) => {
    expect(accepts(JSON.parse(JSON.stringify({ ...start, ...fields })))).toBe(false);
  });
});
