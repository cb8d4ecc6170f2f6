import { kindOf } from "../../kinds/index.ts";
import { type Diagnostic, errorAt } from "../../model/diagnostic.ts";
import { type AllowEntry, projectFile, type Settings } from "../../model/wish.ts";
import { checkSaidTwice, checkValue } from "../check/check.ts";
import { findSecrets } from "../check/find-secrets.ts";
import { type FieldNames, type IssueMessage, schemaAt } from "../check/schema-walk.ts";
import { reportSlips } from "../check/value-slip.ts";
import { decodeFile, type FileSource } from "../files/read-text.ts";
import { entryOf, hasVariable, type Located, type LocatedMap } from "../yaml/located.ts";
import { readYaml } from "../yaml/read-yaml.ts";
import { checkSettings } from "./check-settings.ts";
import { allowEntriesOf, decodeSettings, withoutBad } from "./decode-settings.ts";

/** The risks that a file itself accepts: an event without its templates and phases, or the project file. */
export async function allowedBy(files: FileSource, file: string): Promise<readonly AllowEntry[]> {
  const text = decodeFile(file, await files.read(file), []);
  const [document] = text === null ? [] : readYaml(file, text, []);
  return allowEntriesOf(entryOf(document?.content, "allow"), new Set());
}

// Whether the project file is what its schema allows. The schema is loaded only if there is such a file.

export interface CheckedProjectFile {
  readonly bad: ReadonlySet<Located>;
  /** `defaults` without what does not fit: that is reported here, not at every event. */
  readonly defaults: LocatedMap | null;
}

/** A value with a variable is not checked before it is filled in. */
export async function checkProjectFile(document: LocatedMap, problems: Diagnostic[]): Promise<CheckedProjectFile> {
  const reported = findSecrets(document, problems);
  const found: Diagnostic[] = [];
  const { projectSchema: schema } = await import("../project-schema.ts");
  const options = { schema, spares: isFilledLater, describe: describeSetting, rephrase: notEntries };
  const { bad } = checkValue(document, options, found);
  problems.push(...found.filter(({ source }) => source === undefined || !reported.has(source)));
  const node = entryOf(document, "defaults");
  const isKnown = (path: readonly string[]) => schemaAt(schema, ["defaults", ...path]) !== undefined;
  return { bad, defaults: node?.type === "map" ? withoutBad(node, bad, isKnown) : null };
}

function isFilledLater([first]: readonly PropertyKey[], node: Located): boolean {
  return first === "defaults" && hasVariable(node);
}

const event = kindOf("event");

/** An invalid value in `defaults` is the same mistake there as in an event. */
function describeSetting([first, field, inner]: readonly PropertyKey[]): FieldNames {
  const policy = first === "defaults" ? event.fields[String(field)] : undefined;
  const own = policy?.role === "children" ? kindOf(policy.kind).fields[String(inner)] : policy;
  return { mistake: own?.role === "value" ? own.mistake : undefined, owner: null };
}

/** The likeliest mistake in `defaults`: a list of entries, as in an event. */
function notEntries([first, field, ...rest]: readonly PropertyKey[], node: Located): IssueMessage | null {
  if (first !== "defaults" || rest.length > 0 || node.type !== "list") return null;
  if (event.fields[String(field)]?.role !== "children") return null;
  return {
    code: "wrong-type",
    message: `\`${String(field)}\` in \`defaults\` must contain the fields that every entry gets, not a list of entries.`,
    hint: "Write the fields without a dash.",
  };
}

// Ignored silently, it would look as if the project had no settings.
const otherName = "ticketing.yml";
const wrongName = errorAt(
  "wrong-file-name",
  { file: otherName, line: 1, column: 1 },
  `The project file must be named ${projectFile}; ${otherName} is not read.`,
  `Rename it to ${projectFile}.`,
);

/** Values of the project file that become part of other values, with their places. */
interface WrittenSettings extends CheckedProjectFile {
  /** The file's document; null if there is none. */
  readonly document: LocatedMap | null;
}

export interface LoadedSettings {
  readonly settings: Settings;
  readonly diagnostics: readonly Diagnostic[];
  /** Whether there is a project file: without one the defaults hold. */
  readonly found: boolean;
  readonly written: WrittenSettings;
}

/** Reads ticketing.yaml. Problems in it are reported, and the default is used instead. */
export async function loadSettings(files: FileSource): Promise<LoadedSettings> {
  const problems: Diagnostic[] = [];
  const { document, found } = await readProjectFile(files, problems);
  let bad: ReadonlySet<Located> = new Set();
  let defaults: LocatedMap | null = null;
  if (document !== null) ({ bad, defaults } = await checkProjectFile(document, problems));
  const settings = decodeSettings(document, bad);
  if (document !== null) {
    await checkSettings(document, settings, bad, problems);
    checkSaidTwice(kindOf("event"), entryOf(document, "defaults"), problems);
  }
  return { settings, diagnostics: withoutQuoting(problems), found, written: { document, bad, defaults } };
}

/** Other problems with a value that is a secret would quote it. */
function withoutQuoting(problems: readonly Diagnostic[]): readonly Diagnostic[] {
  const placeOf = ({ source }: Diagnostic) => `${source?.line}:${source?.column}`;
  const secret = new Set(problems.filter(({ code }) => code === "secret-in-file").map(placeOf));
  return problems.filter((one) => one.code === "secret-in-file" || !secret.has(placeOf(one)));
}

async function readProjectFile(
  files: FileSource,
  problems: Diagnostic[],
): Promise<{ readonly document: LocatedMap | null; readonly found: boolean }> {
  const bytes = await files.read(projectFile);
  if (bytes === "missing") {
    if ((await files.read(otherName)) !== "missing") problems.push(wrongName);
    return { document: null, found: false };
  }
  const text = decodeFile(projectFile, bytes, problems);
  if (text === null) return { document: null, found: true };
  const documents = readYaml(projectFile, text, problems);
  const [first, second] = documents;
  if (second !== undefined) {
    problems.push(
      problem(
        "The project file contains more than one YAML document.",
        "Remove the `---` between them, or keep only one of them.",
        second,
      ),
    );
  }
  // A file of nothing but comments is a file with all defaults.
  if (first === undefined || first.content === null) return { document: null, found: true };
  if (first.hasSlips) reportSlips(first, (await import("../project-schema.ts")).projectSchema, problems);
  if (first.content.type !== "map") {
    problems.push(problem("The project file is not a map of settings.", "Start it with `version: 1`.", first));
    return { document: null, found: true };
  }
  return { document: first.content, found: true };
}

function problem(message: string, hint: string, { source }: Pick<Located, "source">): Diagnostic {
  return errorAt("wrong-type", source, message, hint);
}
