// What `validate` of one file costs before any code of ours: the four libraries that it goes through, each used once.
// The bench bundles it, and hands it to V8 compiled, as the program is.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import glob from "fast-glob";
import { parseDocument } from "yaml";
import * as z from "zod";

const event = z.looseObject({ name: z.string(), tickets: z.array(z.looseObject({ price: z.int() })) });

export async function run(): Promise<void> {
  const program = new Command().command("validate").option("-C, --directory <path>");
  program.action(({ directory }: { readonly directory: string }) => {
    for (const file of glob.sync("events/**/*.{yaml,yml}", { cwd: directory })) {
      const document = parseDocument(readFileSync(join(directory, file), "utf8"));
      const { success } = event.safeParse(document.toJS(), { jitless: true });
      process.stdout.write(success ? "no problems\n" : "problems\n");
    }
  });
  await program.parseAsync(process.argv.slice(3), { from: "user" });
}
