// What the catalog says about codes of state, connection and CI, held to the program: each situation is made, and must bring up the
// code with the fix that the catalog names.
import { expect, test } from "vitest";
import { codeEntry } from "../../src/report/reference/catalog.ts";
import { ciSituations } from "./ci-situations.ts";
import { situations as others } from "./situations.ts";

const situations = { ...others, ...ciSituations };

test.each(Object.entries(situations))(
  "%s",
  async (code, situation) => {
    const works: (() => Promise<unknown>)[] = [];
    try {
      const said = await situation((work) => works.push(work));
      expect(said).toContain(`[${code}]`);
      const fix = fixAfter(said, code);
      // How a state is deleted with each backend is only in the catalog; messages refer to it.
      const listed = (codeEntry(code)?.fix ?? "").replace(/ What to delete: .*$/, "");
      const [named, printed] = [wordsOf(listed), new Set(wordsOf(fix))];
      const shared = named.filter((word) => printed.has(word));
      // The catalog covers every case, a message only its own: most of the words are the same.
      expect(shared.length / named.length, `catalog: ${codeEntry(code)?.fix}\nprogram: ${fix}`).toBeGreaterThanOrEqual(
        0.5,
      );
    } finally {
      for (const work of works.reverse()) await work();
    }
  },
  60_000,
);

function fixAfter(said: string, code: string): string {
  const after = said.slice(said.indexOf(`[${code}]`)).replaceAll(/\s+/g, " ");
  return /fix: (.*?)(?= (?:error|warning|notice|failed)\[| Learn more| Not fully| Target: |$)/.exec(after)?.[1] ?? "";
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[a-z_]{4,}/g) ?? [];
}
