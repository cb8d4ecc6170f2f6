import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { codes } from "../../../src/model/diagnostic.ts";
import { helpOf } from "../../../src/report/reference/explain.ts";
import { ticketing } from "../../stage/test-world.ts";

const pages = ["event", "template", "webhooks", "project", "codes"];

test.each(pages)("docs/reference/%s.md is what the source says: else run `npm run reference`", async (page) => {
  const words = page === "codes" ? [] : [page];
  const { stdout } = await ticketing(["explain", ...words, "--format", "markdown"]);
  const [, kept] = read(page).split(/<!-- What follows is written by .*-->\n\n/);
  expect(stdout === kept).toBe(true);
});

test("no page shows a pattern, and every link of one leads somewhere", () => {
  const texts = new Map(pages.map((page) => [`${page}.md`, read(page)]));
  for (const [page, text] of texts) {
    expect(text).not.toMatch(/\(\?:|\[0-9|\[A-Z\]|\\\$|\\d/);
    for (const [, target = "", anchor] of text.matchAll(/\]\(([^)#]*)(?:#([^)]*))?\)/g)) {
      const linked = texts.get(target === "" ? page : target);
      expect(linked, `${page} links ${target}`).toBeDefined();
      if (anchor !== undefined) expect(linked?.toLowerCase()).toContain(`### \`${anchor}\``);
    }
  }
});

describe("ticketing explain", () => {
  test("prints what a code means, an example, and what to do", async () => {
    const { exitCode, stdout } = await ticketing(["explain", "price-looks-like-centavos"]);
    expect(exitCode).toBe(0);
    expect(stdout).toBe(`price-looks-like-centavos (error, warning; Prices)

  A price that looks like centavos: prices are whole pesos.
  It is an error if a price is ₱100,000 or more, or if it is in whole hundreds and at least 100 times the median of the event's other prices, or 100 times its own live price. It is a warning if it is only 20 times as high, or if no paid ticket of the event costs less than ₱20,000. A difference from the live price is only a warning if it comes from a phase that has begun, or if the price goes back to what it was before somebody changed it on the service. The plan of the pull request that adds such a phase does fail.

  Instead of:

    tickets:
      - { name: GA, price: 150000, quantity: 500, published: true }  # ← here

  Write:

    tickets:
      - { name: GA, price: 1500, quantity: 500, published: true }

  fix: Write whole pesos. If the price is right, silence the check on the ticket type.

  An error stops the command, blocks the change that it is about, or marks a call that failed.
  A warning stops nothing.
  With a warning, \`validate --strict\` fails.
  If the check is wrong about one object, write \`ignore: [price-looks-like-centavos]\` there.
`);
  });

  test("what is held is stopped, under its code and under the word that comments use", async () => {
    const [coded, worded] = [await ticketing(["explain", "unreviewed"]), await ticketing(["explain", "held"])];
    expect(worded).toEqual(coded);
    expect(coded.stdout).toContain("The rest is applied, and `ci apply` exits 1");
    expect(coded.stdout).not.toContain("stops nothing");
  });

  test("names `validate --strict` only where `validate` would report it", async () => {
    for (const code of ["comment-not-posted", "large-price-change"]) {
      const { stdout } = await ticketing(["explain", code]);
      expect(stdout).toContain("A warning stops nothing.");
      expect(stdout).not.toContain("--strict");
    }
    for (const code of ["bare-listing", "unused-variable", "unused-column", "secret-name-shared", "wrong-file-name"])
      expect((await ticketing(["explain", code])).stdout).toContain("`validate --strict` fails.");
  });

  test("says of a risk how it is accepted, and of a block what was live before", async () => {
    const { stdout } = await ticketing(["explain", "price-change-with-sales"]);
    expect(stdout).toContain("The event is live, and 2 tickets have been sold:");
    expect(stdout).toContain("This edit is blocked:");
    expect(stdout).toContain("pass `--allow price-change-with-sales`");
  });

  test("knows every code, including those of the service, as text, Markdown and JSON", async () => {
    for (const code of [...codes, "NOT_FOUND"]) {
      const help = helpOf(code);
      expect(help?.text, code).toContain("\nfix: ");
      expect(help?.markdown, code).toContain("\n**fix:** ");
    }
    const json = await ticketing(["explain", "NOT_FOUND", "--format", "json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({ formatVersion: 1, code: "NOT_FOUND", levels: ["error"] });
    const { stdout } = await ticketing(["explain", "ambiguous-event", "--format", "markdown"]);
    expect(stdout).toMatch(/^# `ambiguous-event`\n\n\*\*rule, error\.\*\* /);
  });

  test.each(["tickets.price", "event.tickets.price", "price"])("explains a field by %s", async (word) => {
    const { stdout } = await ticketing(["explain", word]);
    expect(stdout).toContain("event.tickets.price (Price: whole number (0 or more), required)");
    expect(stdout).toContain("Example: price: 1500");
  });

  test("explains the words that a field takes", async () => {
    const { stdout } = await ticketing(["explain", "event.status"]);
    expect(stdout).toContain("PUBLISHED  Buyers see it");
  });

  test("gives both where a word is a code and a field", async () => {
    const { stdout } = await ticketing(["explain", "protected"]);
    expect(stdout).toContain("protected (rule;");
    expect(stdout).toContain("event.protected (");
  });

  test("suggests what a slip may mean, and exits with 1", async () => {
    const { exitCode, stdout, stderr } = await ticketing(["explain", "ambigous-event"]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
    expect(stderr).toContain(
      'error[usage] There is no code or field "ambigous-event".\n  fix: Did you mean ambiguous-event?',
    );
    const contained = await ticketing(["explain", "centavos", "--format", "json"]);
    expect(JSON.parse(contained.stdout).diagnostics[0].hint).toBe("Did you mean price-looks-like-centavos?");
    for (const [word, near] of [
      ["prices", "price"],
      ["evnt", "event"],
    ] as const)
      expect((await ticketing(["explain", word])).stderr).toContain(`fix: Did you mean ${near}`);
    expect((await ticketing(["explain", "qqqqqq"])).stderr).toContain("`ticketing explain` lists all codes");
  });

  test("lists all codes by subject, and all fields of a document", async () => {
    const { stdout } = await ticketing(["explain"]);
    expect(codes.filter((code) => !stdout.includes(`\n  ${code}: `))).toEqual([]);
    expect(stdout).toMatch(/^Prices\n {2}price-looks-like-centavos: A price/);
    expect((await ticketing(["explain", "webhooks"])).stdout).toContain("  secretName: ");
  });
});

function read(page: string): string {
  return readFileSync(join(import.meta.dirname, `../../../docs/reference/${page}.md`), "utf8");
}
