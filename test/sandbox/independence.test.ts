import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";

const room = join(import.meta.dirname, "..", "..", "src", "sandbox");

// What the operating system does is no reading of the API, nor is the form in which a failure is reported: locks and folders may be
// done by the same few lines, and failures be reported in the same way.
const shared = [join(room, "..", "system", "/"), join(room, "..", "model", "diagnostic.ts")];

test("the sandbox shares no code with the program that it is there to contradict", () => {
  const files = readdirSync(room, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  expect(files.length).toBeGreaterThan(20);
  for (const file of files) {
    const imports = [...readFileSync(join(room, file), "utf8").matchAll(/from "([^"]+)"/g)].map(
      ([, from = ""]) => from,
    );
    const foreign = imports.filter((from) => {
      if (!from.startsWith(".")) return !from.startsWith("node:");
      const [first = ""] = relative(room, join(room, dirname(file), from)).split("/");
      return first === ".." && !shared.some((each) => join(room, dirname(file), from).startsWith(each));
    });
    expect([file, foreign]).toEqual([file, []]);
  }
});
