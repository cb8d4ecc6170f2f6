import type { Kind } from "../kinds/define.ts";
import { event } from "../kinds/event.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Settings } from "../model/settings.ts";
import { check } from "./check.ts";
import { checkSettings } from "./check-settings.ts";
import type { Words } from "./complaint.ts";
import { decodeSettings } from "./decode-settings.ts";
import type { FileSource } from "./file-source.ts";
import { findSecrets } from "./find-secrets.ts";
import { entryOf, type Located, type LocatedMap } from "./located.ts";
import { withoutBad } from "./merge-defaults.ts";
import { textOf } from "./read-text.ts";
import { readYaml } from "./read-yaml.ts";
import { checkSaidTwice } from "./said-twice.ts";
import { schemaAt } from "./schema-walk.ts";

export const projectFile = "ticketing.yaml";

// Read as anything else it would be as if the project had no settings, and nobody would know.
const otherName = "ticketing.yml";
const wrongName: Diagnostic = {
  code: "wrong-file-name",
  severity: "error",
  message: `The project file is called ${projectFile}, and ${otherName} is not read.`,
  hint: `Rename it to ${projectFile}.`,
  source: { file: otherName, line: 1, column: 1 },
};

/** Values of the project file that become part of other values, with their places. */
export interface WrittenSettings {
  /** The file's document; null where there is none. */
  readonly document: LocatedMap | null;
  readonly bad: ReadonlySet<Located>;
  /** `defaults` without what does not fit: that is told here, and not again at every event. */
  readonly defaults: LocatedMap | null;
}

export interface LoadedSettings {
  readonly settings: Settings;
  readonly diagnostics: readonly Diagnostic[];
  /** Whether there is a project file: without one the defaults hold. */
  readonly found: boolean;
  readonly written: WrittenSettings;
}

/** Reads ticketing.yaml. What is wrong in it is told, and its default holds in its place. */
export async function loadSettings(files: FileSource): Promise<LoadedSettings> {
  const problems: Diagnostic[] = [];
  const { document, found } = await readDocument(files, problems);
  let bad: ReadonlySet<Located> = new Set();
  let defaults: LocatedMap | null = null;
  if (document !== null) {
    const told = findSecrets(document, problems);
    const found: Diagnostic[] = [];
    const { projectSchema } = await import("./project-schema.ts");
    ({ bad } = check(
      document,
      { schema: projectSchema, describe: () => ({ owner: null }), rephrase: notEntries },
      found,
    ));
    defaults = defaultsOf(document, bad, (path) => schemaAt(projectSchema, ["defaults", ...path]) !== undefined);
    problems.push(...found.filter(({ source }) => source === undefined || !told.has(source)));
    checkSettings(document, bad, problems);
    checkSaidTwice(event as unknown as Kind, entryOf(document, "defaults"), problems);
  }
  return {
    settings: decodeSettings(document, bad),
    diagnostics: problems,
    found,
    written: { document, bad, defaults },
  };
}

/** The likeliest mistake in `defaults`: a list of entries, as in an event. */
function notEntries(path: readonly PropertyKey[], node: Located): Words | null {
  if (path[0] !== "defaults" || path.length !== 2 || node.type !== "list") return null;
  return {
    code: "wrong-type",
    message: `\`${String(path[1])}\` in \`defaults\` is a list, and gives the defaults of each entry, not entries.`,
    hint: "Write its fields without a dash before them.",
  };
}

function defaultsOf(
  document: LocatedMap,
  bad: ReadonlySet<Located>,
  known: (path: readonly string[]) => boolean,
): LocatedMap | null {
  const node = entryOf(document, "defaults");
  return node?.type === "map" ? withoutBad(node, bad, known) : null;
}

async function readDocument(
  files: FileSource,
  problems: Diagnostic[],
): Promise<{ readonly document: LocatedMap | null; readonly found: boolean }> {
  const bytes = await files.read(projectFile);
  if (bytes === "missing") {
    if ((await files.read(otherName)) !== "missing") problems.push(wrongName);
    return { document: null, found: false };
  }
  const text = textOf(projectFile, bytes, problems);
  if (text === null) return { document: null, found: true };
  const documents = await readYaml(projectFile, text, problems);
  const [first, second] = documents;
  if (second !== undefined) {
    problems.push(
      problem("The project file holds more than one document.", "Keep one: remove the `---` line.", second),
    );
  }
  // A file of nothing but comments is a file with all defaults.
  if (first === undefined || first.content === null) return { document: null, found: true };
  if (first.content.type !== "map") {
    problems.push(problem("The project file is not a map of settings.", "Begin it with `version: 1`.", first));
    return { document: null, found: true };
  }
  return { document: first.content, found: true };
}

function problem(message: string, hint: string, { source }: Pick<Located, "source">): Diagnostic {
  return { code: "wrong-type", severity: "error", message, hint, source };
}
